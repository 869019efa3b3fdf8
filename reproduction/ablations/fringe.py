"""Greedy search in which a node's value in OPEN need not stay what it was when it was discovered.

The paper freezes values, which its appendix A calls a limit: the memory moves on with every
expansion, but a node in OPEN keeps the value that it got by the memory of then. Here the values of
the first node of OPEN, or of all, are computed anew by the memory of now. That has taken V_new in,
which was scored by the one before, so that the nodes of V_new are computed anew as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.problems.problem import Problem
from phil.search import GREEDY, Limits
from phil.search.expand import discover, insert
from phil.search.guide import RescoringGuide
from phil.search.heap import ALL_BUT_SIGN, NODE_BITS, NODE_MASK, clear
from phil.search.loop import scores
from phil.search.state import BAD_NODE, EVALUATIONS, State
from reproduction.ablations.stepwise import StepwiseMethod, StepwiseSearch

Fringe = Literal["frozen", "lazy", "all"]
# Which nodes of OPEN, best first, must have a value by the memory of now before one is expanded.
FRINGES: Mapping[Fringe, slice] = {"frozen": slice(0), "lazy": slice(1), "all": slice(None)}


@dataclass
class FringeMethod(StepwiseMethod):
    """Greedy search by one heuristic, with values of OPEN kept or computed anew.

    Evaluations count every value that was computed.
    """

    fringe: Fringe

    def begin(self, problem: Problem, limits: Limits, *, trace: bool) -> FringeSearch:
        """The search of one problem, before its first step."""
        return FringeSearch(self, problem, limits, trace=trace)


class FringeSearch(StepwiseSearch):
    """The search under way."""

    def __init__(
        self, method: FringeMethod, problem: Problem, limits: Limits, *, trace: bool
    ) -> None:
        super().__init__(problem, method.heuristic, limits, key=GREEDY, trace=trace)
        self._rescored = FRINGES[method.fringe]
        self._rescoring = self._guide if isinstance(self._guide, RescoringGuide) else None
        if self._rescoring is None and method.fringe != "frozen":
            raise InputError(
                f"{method.heuristic.name} cannot compute values anew; "
                "take a heuristic that PHIL learned"
            )
        self._by_now = {problem.start}  # nodes whose value no memory has moved on from

    def _step(self, budget: int) -> int:
        state, arrays = self.state, self._graph.arrays
        while True:
            self._rescore()
            count = discover(state, arrays, self._goal, budget, self._looks_ahead)
            if count < 0:
                return count
            state.values[:count] = scores(self._guide, self._discovered(count))
            insert(state, arrays, count)
            if count > 0:
                self._by_now.clear()

    def _rescore(self) -> None:
        """Compute anew until those that must have a value by the memory of now have one."""
        state = self.state
        while True:
            asked = sort_open(state)[self._rescored]
            old = np.array([node for node in asked if node not in self._by_now], np.int32)
            if not old.size or self._rescoring is None:
                return
            # A network that reads how the search came to a node reads the same as before: the way
            # there is the one by which the node was discovered.
            records = state.nodes[old]
            values = self._rescoring.rescore(old, records["parent"], records["depth"])
            for node in old[np.isnan(values)]:
                state.counters[BAD_NODE] = node + 1
            state.nodes["h"][old] = values
            state.counters[EVALUATIONS] += old.size
            self._by_now.update(old.tolist())


def sort_open(state: State) -> NDArray[np.int64]:
    """Put OPEN in order by the values that its nodes have now, and give them, best first.

    Of nodes with equal values the one that entered first is first, as in every search. What is
    sorted is in the order of a heap as well.
    """
    heap = state.open
    used = int(heap.size[0])
    tags = heap.tags[:used]
    tags = tags[state.nodes["order"][tags & NODE_MASK] == tags >> NODE_BITS]  # the others are stale
    values = state.nodes["h"][tags & NODE_MASK]
    best_first = np.lexsort((tags, values))
    clear(heap)
    bits = (values[best_first] + 0.0).view(np.int64)
    heap.ranks[: tags.size] = bits ^ (bits >> 63 & ALL_BUT_SIGN)  # see `rank_of`
    heap.tags[: tags.size] = tags[best_first]
    heap.size[0] = tags.size
    nodes: NDArray[np.int64] = tags[best_first] & NODE_MASK
    return nodes
