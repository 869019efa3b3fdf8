"""How good a heuristic is: mean expansions of searches on the validation problems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from phil.evaluation import evaluate, parse_method
from phil.graphs.distances import hops_to
from phil.learning.oracle import SolvableProblems
from phil.search import search
from phil.search.guide import Heuristic

CLASSICAL = ("astar", "greedy(euclidean)", "greedy(manhattan)", "bfs")
HOPELESS = 1.5  # a heuristic whose expansions exceed the best one's by this is not run to the end


@dataclass(frozen=True)
class ClassicalCosts:
    """What the validation problems cost without learning."""

    classical: float  # mean expansions of the best classical method
    classical_name: str
    shortest: float  # of the oracle: the limit


class Validation:
    """Searches the validation problems with one heuristic after another."""

    def __init__(self, problems: SolvableProblems) -> None:
        self._problems = problems
        self.costs = classical_costs(problems)

    def expansions(self, heuristic: Heuristic, best: float) -> list[int] | None:
        """Expansions on each problem; None once their mean must exceed `best` by far."""
        problems = self._problems.problems
        found: list[int] = []
        budget = HOPELESS * best * len(problems)
        for problem in problems:
            found.append(search(problem.graph, problem.start, problem.goal, heuristic).expansions)
            if np.sum(found) > budget:
                return None
        return found

    def record(self, expansions: list[int]) -> dict[str, Any]:
        """How a heuristic scored, and what the problems cost without learning, for its file."""
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
    """Run the classical methods once."""
    scores = evaluate(problems.problems, [parse_method(text) for text in CLASSICAL])
    means = {score.method: score.expansions.mean or float("inf") for score in scores}
    best = min(means, key=lambda method: means[method])
    moves = [hops_to(p.graph, p.goal)[p.start] for p in problems.problems]
    return ClassicalCosts(means[best], best, float(np.mean(moves)) + 1)
