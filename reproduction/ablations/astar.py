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
from phil.search import Limits, Result
from phil.search.best_first import BestFirst
from phil.search.guide import Heuristic, WithoutLoop
from reproduction.scores import score_json
from reproduction.store import Content

# A* as in the paper: with ties broken towards the goal, the paper's lowest ratios to A* would be
# below that of the shortest path.
FIFO_ASTAR = replace(phil.ASTAR, ties_to_goal=False)
OVERESTIMATED, PATH_COST = "overestimated", "path_cost"


@dataclass
class AstarMethod:
    """A* by one heuristic; counts the values on the way, and those that are too large."""

    text: str
    heuristic: Heuristic
    values: int = field(default=0, init=False)
    too_large: int = field(default=0, init=False)

    def search(
        self, problem: Problem, limits: Limits | None = None, *, trace: bool = False
    ) -> Result:
        """Search one problem."""
        with AstarSearch(self, problem, limits, trace=trace) as running:
            return running.result(running.run())


class AstarSearch(BestFirst):
    """The search under way."""

    def __init__(
        self, method: AstarMethod, problem: Problem, limits: Limits | None, *, trace: bool
    ) -> None:
        super().__init__(
            problem.graph,
            problem.start,
            problem.goal,
            WithoutLoop(method.heuristic),
            key=FIFO_ASTAR,
            limits=limits or Limits(),
            trace=trace,
        )
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
