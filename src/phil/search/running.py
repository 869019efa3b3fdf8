"""One search under way: it can be run on, piece by piece, until it ends."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import AnyGraph
from phil.graphs.lower_bound import NO_BOUND, LowerBound
from phil.search.expand import expand, insert, path_cost
from phil.search.guide import CompiledGuide, Expansion, Heuristic
from phil.search.open import begin, lowest, prove
from phil.search.result import Limits, Outcome, Result
from phil.search.state import (
    BAD_NODE,
    BOUND,
    EMPTY,
    EVALUATIONS,
    EXPANDED,
    EXPANSIONS,
    FOUND,
    FULL,
    GENERATED,
    LOWEST,
    MET,
    NEIGHBOR_CALLS,
    NOT_A_NUMBER,
    PART,
    PAUSED,
    PLAIN,
    PROVEN,
    REOPENED,
    SEEKING,
    TRACED,
    Key,
    State,
    StatePool,
    path_length,
    with_room_for_entries,
    with_room_for_waiting,
    write_path,
)

UNLIMITED = 2**62
CHUNK = 4096  # expansions between two looks at the clock, and the room for a piece of the trace

OUTCOMES = {
    FOUND: Outcome.SOLVED,
    PROVEN: Outcome.SOLVED,
    EMPTY: Outcome.UNREACHABLE,
    PAUSED: Outcome.LIMIT,
}

_pool = StatePool()


class RunningSearch:
    """A search from start to goal; a context, since its working room is lent."""

    def __init__(
        self,
        graph: AnyGraph,
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
        self._began = time.perf_counter()
        self._graph = graph
        self._goal = goal
        self._limits = limits
        self._pieces = [np.empty(0, np.int32)] if trace else None
        self._guide = heuristic.begin(graph, start, goal)
        self._lent = _pool.take(graph.size, graph.max_degree)
        self.state = self._lent._replace(
            lower=lower, trace=np.empty(CHUNK if trace else 0, np.int32)
        )
        self.state.weights[:] = (key.g, key.h, key.depth)
        self.state.bounds[PART] = PLAIN if bound is None else SEEKING
        if bound is not None:
            self.state.bounds[BOUND] = bound
            self.state = with_room_for_waiting(self.state)
        begin(self.state, graph.arrays, start)

    def __enter__(self) -> RunningSearch:
        return self

    def __exit__(self, *_: object) -> None:
        # A state that grew replaces the one that was lent; the trace is the caller's alone.
        _pool.give_back(self.state._replace(trace=self._lent.trace, lower=NO_BOUND))

    def run(self) -> int:
        """Search on until the goal is found, OPEN is empty, or a limit is reached."""
        limits = self._limits
        most = UNLIMITED if limits.expansions is None else limits.expansions
        # An expansion with a guide in Python may take any time: look at the clock after each.
        piece = CHUNK if isinstance(self._guide, CompiledGuide) else 1
        if self._pieces is not None:
            piece = min(piece, CHUNK)
        elif limits.seconds is None:
            piece = UNLIMITED
        while not self._is_late():
            reached = int(self.state.counters[EXPANSIONS])
            code = self._advance(min(most, reached + piece))
            self._keep_trace()
            if code == FULL:
                self.state = with_room_for_entries(self.state)
                continue
            if code == MET:
                self.prove(self.state.bounds[BOUND], self.state.nodes[self._goal]["g"])
                continue
            if code == NOT_A_NUMBER:
                self._refuse_nan()
            if code != PAUSED or self.state.counters[EXPANSIONS] >= most:
                return code
        return PAUSED

    def prove(self, bound: float, cost: float) -> None:
        """Go on until a path is within the bound; the best one known costs so much."""
        prove(self.state, self._graph.arrays, float(bound), float(cost))

    def result(self, code: int, known: Result | None = None) -> Result:
        """What the search has found so far, having ended with a code; `known`: a path before it."""
        outcome = OUTCOMES[code]
        counters = self.state.counters
        if code == FOUND:
            path = self.path()
            cost = self.path_cost(path)
        elif known is not None:
            outcome, path, cost = Outcome.SOLVED, known.path, known.cost
        else:
            path, cost = np.zeros(0, np.int64), float("inf")
        trace = self._pieces
        return Result(
            outcome=outcome,
            path=path,
            cost=cost,
            lower_bound=cost if code == EMPTY else min(cost, self._lower_bound()),
            expansions=int(counters[EXPANSIONS]),
            reopened=int(counters[REOPENED]),
            generated=int(counters[GENERATED]),
            evaluations=int(counters[EVALUATIONS]),
            neighbor_calls=int(counters[NEIGHBOR_CALLS]),
            seconds=time.perf_counter() - self._began,
            trace=None if trace is None else np.concatenate(trace).astype(np.int64),
        )

    def path(self) -> NDArray[np.int64]:
        """The path to the goal, once it has been met."""
        path = np.empty(path_length(self.state, self._goal), np.int64)
        write_path(self.state, self._goal, path)
        return path

    def path_cost(self, path: NDArray[np.int64]) -> float:
        """The cost of a path."""
        return float(path_cost(self.state, self._graph.arrays, path))

    def _is_late(self) -> bool:
        seconds = self._limits.seconds
        return seconds is not None and time.perf_counter() - self._began >= seconds

    def _advance(self, budget: int) -> int:
        guide, state = self._guide, self.state
        if isinstance(guide, CompiledGuide):
            return guide.run(state, budget)
        arrays = self._graph.arrays
        while True:
            count = expand(state, arrays, self._goal, budget)
            if count < 0:
                return count
            state.values[:count] = _scores(guide, state, count)
            insert(state, arrays, count)

    def _lower_bound(self) -> float:
        bounds = self.state.bounds
        if bounds[PART] == PLAIN:
            return 0.0
        return max(float(bounds[LOWEST]), float(lowest(self.state, self._graph.arrays)))

    def _keep_trace(self) -> None:
        if self._pieces is not None:
            counters = self.state.counters
            self._pieces.append(self.state.trace[: counters[TRACED]].copy())
            counters[TRACED] = 0

    def _refuse_nan(self) -> None:
        counters = self.state.counters
        raise InputError(
            f"the heuristic gave NaN for node {counters[BAD_NODE] - 1} at expansion "
            f"{counters[EXPANSIONS]} (node {counters[EXPANDED]})"
        )


def _scores(guide: Any, state: State, count: int) -> NDArray[np.float64]:
    new = state.new[:count].copy()
    number = int(state.counters[EXPANSIONS])
    node = int(state.counters[EXPANDED])
    known = state.nodes[new]
    values = np.asarray(
        guide.score(Expansion(node, new, known["g"], known["depth"], number)), np.float64
    )
    if values.shape != (count,):
        raise InputError(
            f"the heuristic gave values of shape {values.shape} for the {count} new nodes of "
            f"expansion {number} (node {node})"
        )
    return values
