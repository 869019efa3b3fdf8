"""A best-first search under way, with or without a bound on the path's cost."""

from __future__ import annotations

from phil.graphs import SearchedGraph
from phil.graphs.lower_bound import NO_BOUND, LowerBound
from phil.search.expand import insert, revise, uncover
from phil.search.guide import CompiledGuide, Heuristic, RevisingGuide
from phil.search.open import lowest, prove
from phil.search.result import Limits
from phil.search.running import CHUNK, Running, scores
from phil.search.state import (
    BOUND,
    LOWEST,
    MET,
    PART,
    PLAIN,
    SEEKING,
    Key,
    with_room_for_waiting,
)


class RunningSearch(Running):
    """A search by one key, guided by one heuristic: in its compiled loop, if it has one."""

    def __init__(
        self,
        graph: SearchedGraph,
        start: int,
        goal: int,
        heuristic: Heuristic,
        *,
        key: Key,
        limits: Limits,
        trace: bool,
        bound: float | None = None,
        lower: LowerBound = NO_BOUND,
    ) -> None:
        super().__init__(
            graph, start, goal, [heuristic], key=key, limits=limits, trace=trace, lower=lower
        )
        [self._guide] = self._guides
        self._compiled: CompiledGuide | None = None
        self._revising = self._guide if isinstance(self._guide, RevisingGuide) else None
        if isinstance(self._guide, CompiledGuide):
            self._compiled = self._guide
            self._patience = CHUNK
        if bound is not None:
            self.state.bounds[PART] = SEEKING
            self.state.bounds[BOUND] = bound
            self.state = with_room_for_waiting(self.state)

    def prove(self, bound: float, cost: float) -> None:
        """Go on until a path is within the bound; the best one known costs so much."""
        prove(self.state, self._graph.arrays, float(bound), float(cost))

    def _can_go_on(self, code: int) -> bool:
        if code == MET:
            self.prove(self.state.bounds[BOUND], self.state.nodes[self._goal]["g"])
            return True
        return super()._can_go_on(code)

    def _step(self, budget: int) -> int:
        state, arrays = self.state, self._graph.arrays
        if self._compiled is not None:
            return self._compiled.run(state, budget)
        while True:
            count = uncover(state, arrays, self._goal, budget, self._looks_ahead)
            if count < 0:
                return count
            state.values[:count] = scores(self._guide, self._uncovered(count))
            insert(state, arrays, count)
            if self._revising is not None:
                for node, value in zip(*self._revising.revise(), strict=True):
                    revise(state, arrays, int(node), float(value))

    def _lower_bound(self) -> float:
        bounds = self.state.bounds
        if bounds[PART] == PLAIN:
            return 0.0
        return max(float(bounds[LOWEST]), float(lowest(self.state, self._graph.arrays)))
