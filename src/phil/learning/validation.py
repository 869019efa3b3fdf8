"""Validation: the mean expansions of a heuristic's searches on the validation problems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from phil.evaluation import parse_method
from phil.graphs.distances import hops_to
from phil.learning.oracle import SolvableProblems
from phil.learning.threads import in_threads
from phil.search import search
from phil.search.guide import Heuristic

CLASSICAL = ("astar", "greedy(euclidean)", "greedy(manhattan)", "bfs")
HOPELESS = 1.1  # validation stops once a heuristic must expand this many times the best's nodes


@dataclass(frozen=True)
class ClassicalCosts:
    """Mean expansions on the validation problems without learning."""

    classical: float  # of the best classical method
    classical_name: str
    fewest: tuple[float, ...]  # of the oracle on each problem: the nodes on a shortest path

    @property
    def shortest(self) -> float:
        """The mean of the oracle, the lower limit."""
        return float(np.mean(self.fewest))


class Validation:
    """Runs heuristics on the validation problems."""

    def __init__(self, problems: SolvableProblems) -> None:
        self._problems = problems
        self.costs = classical_costs(problems)

    def expansions(self, heuristic: Heuristic, best: float) -> list[int] | None:
        """Expansions on each problem; None as soon as their mean must far exceed `best`."""
        problems = self._problems.problems
        found: list[int] = []
        budget = HOPELESS * best * len(problems)
        least = sum(self.costs.fewest)  # of all problems, given what was found so far
        for problem, fewest in zip(problems, self.costs.fewest, strict=True):
            found.append(search(problem.graph, problem.start, problem.goal, heuristic).expansions)
            least += found[-1] - fewest
            if least > budget:
                return None
        return found

    def record(self, expansions: list[int]) -> dict[str, Any]:
        """The scores of a heuristic and of the best classical method, for the heuristic's file."""
        found = np.array(expansions)
        return {
            "problems": int(found.size),
            "unsolvable": self._problems.unsolvable,
            "expansions": {
                "mean": float(found.mean()),
                "median": float(np.median(found)),
                "max": int(found.max()),
            },
            "classical": {"method": self.costs.classical_name, "mean": self.costs.classical},
            "shortest_path": self.costs.shortest,
        }


def classical_costs(problems: SolvableProblems) -> ClassicalCosts:
    """Run the classical methods on the validation problems."""
    methods = [parse_method(text) for text in CLASSICAL]
    runs = in_threads(
        lambda problem: [method.search(problem).expansions for method in methods],
        problems.problems,
    )
    means = np.mean(runs, axis=0)
    best = int(means.argmin())
    moves = in_threads(lambda p: float(hops_to(p.graph, p.goal)[p.start]), problems.problems)
    return ClassicalCosts(float(means[best]), CLASSICAL[best], tuple(count + 1 for count in moves))
