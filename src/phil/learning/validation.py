"""Validation: the mean cost of a heuristic's searches on the validation problems."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from phil.errors import InputError
from phil.evaluation import parse_method
from phil.graphs.distances import hops_to
from phil.graphs.features.landmarks import HOPS, LANDMARKS
from phil.heuristics.classical import octile
from phil.heuristics.landmarks import landmarks
from phil.learning.objective import Objective, Score
from phil.learning.oracle import SolvableProblems
from phil.learning.threads import in_threads
from phil.search import Result
from phil.search.guide import Heuristic

PREPARED = {LANDMARKS.name, HOPS.name}  # groups of features
HOPELESS = 1.1  # validation stops once a heuristic must cost this many times the best's cost


@dataclass(frozen=True)
class ClassicalCosts:
    """Mean costs on the validation problems without learning."""

    classical: float  # of the best classical method
    classical_name: str
    fewest: tuple[float, ...]  # of the oracle's expansions on each problem: a shortest path's nodes

    @property
    def shortest(self) -> float:
        """The mean expansions of the oracle, the lower limit."""
        return float(np.mean(self.fewest))


class Judge(Protocol):
    """What scores heuristics during training."""

    def score(self, heuristic: Heuristic, best: float = math.inf) -> Score | None:
        """The costs of its searches; None if their mean must far exceed `best`."""


class Validation:
    """Runs heuristics on the validation problems."""

    def __init__(self, problems: SolvableProblems, objective: Objective | None = None) -> None:
        self._problems = problems
        self.objective = objective or Objective()
        self.costs = classical_costs(problems, self.objective)

    def score(self, heuristic: Heuristic, best: float = math.inf) -> Score | None:
        """The costs on all problems; None as soon as their mean must far exceed `best`."""
        problems = self._problems.problems
        method = self.objective.method(heuristic)
        found: list[Result] = []
        # Of all problems, given what was found so far. (The goal's neighbours are not computed, so
        # there may be one call less than there are nodes on a shortest path.)
        least = [fewest - 1 for fewest in self.costs.fewest]
        for number, problem in enumerate(problems):
            found.append(method.search(problem))
            least[number] = self.objective.cost(found[-1])
            if self.objective.mean(least) > HOPELESS * best:
                return None
        return self.objective.score(found)

    def record(self, score: Score) -> dict[str, Any]:
        """The scores of a heuristic and of the best classical method, for the heuristic's file."""
        return {
            "problems": len(score.expansions),
            "unsolvable": self._problems.unsolvable,
            "search": self.objective.search,
            "expansions": summary(score.expansions),
            "calls": summary(score.calls),
            "classical": {
                "method": self.costs.classical_name,
                "measure": self.objective.measure,
                "mean": self.costs.classical,
            },
            "shortest_path": self.costs.shortest,
        }


def summary(counts: list[int]) -> dict[str, Any]:
    """Mean, median and maximum, for a heuristic's file."""
    return {
        "mean": float(np.mean(counts)),
        "median": float(np.median(counts)),
        "max": int(np.max(counts)),
    }


def classical_costs(
    problems: SolvableProblems, objective: Objective | None = None
) -> ClassicalCosts:
    """Run the classical methods that fit on the validation problems, without added features."""
    wanted = objective or Objective()
    names = classical_methods(problems, wanted)
    methods = [parse_method(text) for text in names]
    runs = in_threads(
        lambda problem: [wanted.cost(method.search(problem)) for method in methods],
        problems.plain or problems.problems,
    )
    means = np.array([wanted.mean(costs) for costs in zip(*runs, strict=True)])
    best = int(means.argmin())
    moves = in_threads(lambda p: float(hops_to(p.graph, p.goal)[p.start]), problems.problems)
    return ClassicalCosts(float(means[best]), names[best], tuple(count + 1 for count in moves))


def classical_methods(problems: SolvableProblems, objective: Objective) -> list[str]:
    """The classical methods that a heuristic with this objective has to beat.

    Landmarks are among them where they may be prepared: on graphs that are trained on too, and
    where the heuristic reads features from landmarks itself.
    """
    graphs = {id(problem.graph): problem.graph for problem in problems.problems}
    guides = ["euclidean"]
    if all(graph.is_grid for graph in graphs.values()):
        guides.append(octile.name)
    reads = {group.name for graph in graphs.values() for group in graph.feature_groups}
    if (problems.familiar or reads & PREPARED) and _can_prepare(problems):
        guides.append(landmarks.name)
    # A* with the tightest bound: greedy search beats it unless the path's cost counts.
    names = ["astar" if guides[-1] == "euclidean" else f"astar({guides[-1]})"]
    if objective.search == "greedy":
        return [*names, *(f"greedy({guide})" for guide in (*guides, "manhattan")), "bfs"]
    return list(dict.fromkeys([*names, *(objective.named(guide) for guide in guides)]))


def _can_prepare(problems: SolvableProblems) -> bool:
    """Whether the costs to landmarks fit into memory."""
    first = (problems.plain or problems.problems)[0]
    try:
        landmarks.begin(first.graph, first.start, first.goal)  # holds nothing to close
    except InputError:
        return False
    return True
