"""Generated maps small enough to learn from in a moment, and settings that take one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from phil.graphs.distances import hops_to
from phil.heuristics.classical import zero
from phil.problems.generated import generate_maps
from phil.problems.problem import Problem, ProblemSet
from phil.search import search
from phil.search.guide import Heuristic
from tests.learning.small import corner_problem

SIDE = 31

# Trainings of a second.
QUICK: dict[str, dict[str, Any]] = {
    "supervised": {"iterations": 2, "searches": 12, "updates": 200, "batch": 64, "hidden": "32"},
    "cem": {"iterations": 10, "samples": 15, "width": 16},
    "q_learning": {"iterations": 4, "searches": 12, "rounds": 100, "hidden": "32"},
}


def generated_problems(family: str, count: int, split: str = "train") -> tuple[Problem, ...]:
    """Problems from corner to corner; those without a path are left out."""
    maps = generate_maps(family, count, seed=0, split=split, shape=(SIDE, SIDE))
    problems = [corner_problem(free, f"{family}/{k}") for k, free in enumerate(maps)]
    return tuple(p for p in problems if np.isfinite(hops_to(p.graph, p.goal)[p.start]))


def generated_set(family: str = "forest", count: int = 12) -> ProblemSet:
    """Train and validation problems of one family."""
    validation = generated_problems(family, count, "validation")
    return ProblemSet(family, generated_problems(family, count), validation)


def mean_expansions(heuristic: Heuristic, problems: Sequence[Problem]) -> float:
    """What a greedy search with a heuristic costs."""
    found = [search(p.graph, p.start, p.goal, heuristic).expansions for p in problems]
    return float(np.mean(found))


def blind(problems: Sequence[Problem]) -> float:
    """What a search costs that knows nothing."""
    return mean_expansions(zero, problems)
