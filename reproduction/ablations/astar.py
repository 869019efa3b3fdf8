"""A* by learned values, and how many of them are above the exact distance.

A* finds the cheapest path only if no value is too large, which nothing here guarantees (appendix A
of the paper).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

import phil
from phil.evaluation import evaluate
from phil.graphs.distances import costs_to
from phil.problems.problem import Problem
from phil.search import Limits
from phil.search.guide import Heuristic, WithoutLoop
from reproduction.ablations.stepwise import StepwiseMethod, StepwiseSearch
from reproduction.scores import score_json
from reproduction.store import Content

# A* as in the paper: with ties broken towards the goal, the paper's lowest ratios to A* would be
# below that of the shortest path.
FIFO_ASTAR = replace(phil.ASTAR, ties_to_goal=False)
OVERESTIMATED, PATH_COST = "overestimated", "path_cost"


@dataclass
class AstarMethod(StepwiseMethod):
    """A* by one heuristic; counts the values on the way, and those that are too large."""

    values: int = field(default=0, init=False)
    too_large: int = field(default=0, init=False)

    def begin(self, problem: Problem, limits: Limits, *, trace: bool) -> AstarSearch:
        """The search of one problem, before its first step."""
        return AstarSearch(self, problem, limits, trace=trace)


class AstarSearch(StepwiseSearch):
    """The search under way."""

    def __init__(
        self, method: AstarMethod, problem: Problem, limits: Limits, *, trace: bool
    ) -> None:
        heuristic = WithoutLoop(method.heuristic)
        super().__init__(problem, heuristic, limits, key=FIFO_ASTAR, trace=trace)
        self._method = method
        self._exact = costs_to(problem.graph, problem.goal)

    def _insert(self, count: int) -> None:
        super()._insert(count)
        state = self.state
        above = state.values[:count] > self._exact[state.new[:count]]
        self._method.values += count
        self._method.too_large += int(np.count_nonzero(above))


def by_astar(problems: Sequence[Problem], heuristic: Heuristic) -> Content:
    """What A* expands, the cost of its paths over the least, and the share of too large values."""
    method = AstarMethod("astar", heuristic)
    [score] = evaluate(problems, [method])
    return {
        "test": score_json(score),
        OVERESTIMATED: method.too_large / method.values,
        PATH_COST: score.cost_ratio.mean,
    }
