"""Greedy search that does at random what it is free to do.

The memory does not depend on the order of the nodes within V_new, but it does on the order in which
nodes are expanded (appendix A of the paper). Here V_new is permuted before it is scored and
inserted, and of nodes with equal keys any may be expanded first. Values are hardly ever equal; but
on these maps distances are whole numbers, so that values rounded to whole moves often are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from phil.evaluation import evaluate
from phil.problems.problem import Problem
from phil.search import GREEDY, Limits
from phil.search.expand import insert_new
from phil.search.guide import Heuristic, WithoutLoop
from phil.search.loop import scores
from phil.search.state import ORDER
from reproduction.ablations.stepwise import StepwiseMethod, StepwiseSearch
from reproduction.scores import mean, score_json
from reproduction.store import Content

ORDERS = 5  # on every map
MOST_FIRST = 2**31  # numbers by which equal keys are ordered: half of those that there are
BETWEEN_ORDERS = "between_orders"


@dataclass
class OrderMethod(StepwiseMethod):
    """Greedy search by one heuristic, in an order drawn by a seed; without one, first in first."""

    seed: int | None = None
    whole: bool = False  # whether values are rounded

    def begin(self, problem: Problem, limits: Limits, *, trace: bool) -> OrderSearch:
        """The search of one problem, before its first step."""
        return OrderSearch(self, problem, limits, trace=trace)


class OrderSearch(StepwiseSearch):
    """The search under way."""

    def __init__(
        self, method: OrderMethod, problem: Problem, limits: Limits, *, trace: bool
    ) -> None:
        heuristic = WithoutLoop(method.heuristic)
        super().__init__(problem, heuristic, limits, key=GREEDY, trace=trace)
        self._random = None if method.seed is None else np.random.default_rng(method.seed)
        self._whole = method.whole

    def _insert(self, count: int) -> None:
        state = self.state
        if self._random is not None:
            state.new[:count] = self._random.permutation(state.new[:count])
            # Equal keys leave OPEN by these numbers, which otherwise count up.
            state.counters[ORDER] = self._random.integers(MOST_FIRST)
        values = scores(self._guide, self._discovered(count))
        state.values[:count] = np.rint(values) if self._whole else values
        insert_new(state, self._graph.arrays, count)


def in_fixed_order(
    problems: Sequence[Problem], heuristic: Heuristic, *, whole: bool = False
) -> Content:
    """What is expanded first in, first out."""
    [score] = evaluate(problems, [OrderMethod("fixed", heuristic, whole=whole)])
    return {"test": score_json(score)}


def in_random_orders(
    problems: Sequence[Problem], heuristic: Heuristic, *, whole: bool = False
) -> Content:
    """The mean over random orders of what is expanded, and how much it deviates between them.

    The deviation is that of a map's expansions, as share of their mean; averaged over the maps.
    """
    methods = [OrderMethod(str(seed), heuristic, seed, whole) for seed in range(ORDERS)]
    found = [score_json(score) for score in evaluate(problems, methods)]
    by_map = [*zip(*(each["expansions"] for each in found), strict=True)]
    solved = [np.array(counts, float) for counts in by_map if None not in counts]
    shares = [counts.std(ddof=1) / counts.mean() for counts in solved]
    averaged = {
        counted: [
            None if None in counts else mean(counts)
            for counts in zip(*(each[counted] for each in found), strict=True)
        ]
        for counted in ("expansions", "calls")
    }
    ratio = float(np.mean([each["cost_ratio"] for each in found]))
    return {
        "test": {**found[0], **averaged, "cost_ratio": ratio},
        BETWEEN_ORDERS: float(np.mean(shares)),
    }
