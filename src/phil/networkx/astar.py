"""A* with the same results as networkx's, in the compiled engine, without a heuristic."""

from __future__ import annotations

from dataclasses import replace

from phil.graphs import SearchedGraph
from phil.heuristics.classical import zero
from phil.search import ASTAR, Limits, Result
from phil.search.best_first import BestFirst
from phil.search.state import EMPTY, EXPANDED, EXPANSIONS, PAUSED

KEY = replace(ASTAR, ties_to_goal=False)


def search_astar(
    graph: SearchedGraph, start: int, goal: int, cutoff: float | None, limits: Limits
) -> Result:
    """A* as in networkx; with integer costs, it finds exactly the same path.

    Both expand the node with the least g, breaking ties first-in first-out.
    """
    with RunningAstar(graph, start, goal, cutoff, limits) as running:
        return running.result(running.run())


class RunningAstar(BestFirst):
    """A* with a cutoff: the search ends at the first node whose key exceeds it."""

    def __init__(
        self, graph: SearchedGraph, start: int, goal: int, cutoff: float | None, limits: Limits
    ) -> None:
        super().__init__(graph, start, goal, zero, key=KEY, limits=limits, trace=False)
        self._start = start
        self._cutoff = cutoff

    def _step(self, budget: int) -> int:
        if self._cutoff is None:
            return super()._step(budget)
        counters = self.state.counters
        while True:
            # Keys never decrease, so occasional checks suffice.
            code = super()._step(min(budget, int(counters[EXPANSIONS]) + self._patience))
            node = int(counters[EXPANDED])
            if node != self._start and self.state.nodes[node]["g"] > self._cutoff:
                return EMPTY
            if code != PAUSED or counters[EXPANSIONS] >= budget:
                return code
