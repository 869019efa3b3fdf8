"""How good a network is: mean expansions of searches on the validation problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from phil.evaluation import evaluate, parse_method
from phil.graphs.distances import hops_to
from phil.heuristics.file import Tensors
from phil.heuristics.phil import PhilHeuristic, PhilMetadata
from phil.heuristics.phil.specification import NetworkSettings
from phil.heuristics.scaling import Scaling
from phil.learning.oracle import SolvableProblems
from phil.problems.problem import Problem
from phil.search import search
from phil.search.guide import Heuristic

CLASSICAL = ("astar", "greedy(euclidean)", "greedy(manhattan)", "bfs")
HOPELESS = 1.5  # a network whose expansions exceed the best one's by this is not run to the end


@dataclass(frozen=True)
class ClassicalCosts:
    """What the validation problems cost without learning."""

    classical: float  # mean expansions of the best classical method
    classical_name: str
    shortest: float  # of the oracle: the limit


def classical_costs(problems: SolvableProblems) -> ClassicalCosts:
    """Run the classical methods once."""
    scores = evaluate(problems.problems, [parse_method(text) for text in CLASSICAL])
    means = {score.method: score.expansions.mean or float("inf") for score in scores}
    best = min(means, key=lambda method: means[method])
    moves = [hops_to(p.graph, p.goal)[p.start] for p in problems.problems]
    return ClassicalCosts(means[best], best, float(np.mean(moves)) + 1)


class Validator:
    """Searches the validation problems with one network after another."""

    def __init__(
        self,
        problems: SolvableProblems,
        network: NetworkSettings,
        scaling: Scaling,
        names: tuple[str, ...],
    ) -> None:
        self._problems = problems.problems
        self._metadata = PhilMetadata(network=network, feature_names=names, scaling=scaling)

    def expansions(self, tensors: Tensors, best: float) -> list[int] | None:
        """Expansions on each problem; None once they must exceed the best mean by far."""
        return expansions_of(PhilHeuristic(self._metadata, tensors), self._problems, best)


def expansions_of(
    heuristic: Heuristic, problems: Sequence[Problem], best: float
) -> list[int] | None:
    """Expansions on each problem; None once they must exceed the best mean by far."""
    found: list[int] = []
    budget = HOPELESS * best * len(problems)
    for problem in problems:
        found.append(search(problem.graph, problem.start, problem.goal, heuristic).expansions)
        if np.sum(found) > budget:
            return None
    return found
