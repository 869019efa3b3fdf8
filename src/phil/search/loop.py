"""The loop of every search: it advances until the search ends, and can be stopped and continued.

What the kernels cannot do themselves is done here, between two calls of them: growing arrays,
asking an implicit graph for neighbours, watching the clock, collecting the trace.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from phil.compiled import loading_seconds
from phil.errors import InputError
from phil.graphs import SearchedGraph
from phil.graphs.lower_bound import NO_BOUND, LowerBound
from phil.search.expand import path_cost
from phil.search.guide import Expansion, Guide, Heuristic, guided
from phil.search.open import begin
from phil.search.result import Limits, Outcome, Result
from phil.search.state import (
    BAD_NODE,
    EMPTY,
    EVALUATIONS,
    EXPANDED,
    EXPANSIONS,
    FOUND,
    FULL,
    GENERATED,
    NEIGHBOR_CALLS,
    NOT_A_NUMBER,
    PART,
    PAUSED,
    PENDING,
    PLAIN,
    PROVEN,
    REOPENED,
    TRACED,
    UNKNOWN,
    UNKNOWN_NEW,
    Key,
    StatePool,
    path_length,
    with_room_for_entries,
    with_room_for_nodes,
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


class SearchLoop(ABC):
    """A search from start to goal; a context, since its state and its guides are lent to it."""

    def __init__(
        self,
        graph: SearchedGraph,
        start: int,
        goal: int,
        heuristics: Sequence[Heuristic],
        *,
        key: Key,
        limits: Limits,
        trace: bool,
        lower: LowerBound,
    ) -> None:
        self._began = _clock()
        self._graph = graph
        self._goal = goal
        self._limits = limits
        self._pieces = [np.empty(0, np.int32)] if trace else None
        with ExitStack() as guides:
            self._guides = [
                guides.enter_context(guided(heuristic, graph, start, goal))
                for heuristic in heuristics
            ]
            self._open_guides = guides.pop_all()
        self._looks_ahead = any(getattr(guide, "looks_ahead", False) for guide in self._guides)
        # An expansion with a guide in Python may take any time: look at the clock after each.
        self._patience = 1
        self._lent = _pool.take(graph.size, graph.max_degree)
        self.state = self._lent._replace(
            lower=lower, trace=np.empty(CHUNK if trace else 0, np.int32)
        )
        self.state.weights[:] = (key.g, key.h, key.depth, key.reopen)
        self.state.bounds[PART] = PLAIN
        begin(self.state, graph.arrays, start)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # A state that grew replaces the one that was lent; the trace is the caller's alone.
        _pool.give_back(self.state._replace(trace=self._lent.trace, lower=NO_BOUND))
        self._open_guides.close()

    @abstractmethod
    def _step(self, budget: int) -> int:
        """Search on with what is known of the graph, until a code says why not."""

    @abstractmethod
    def _lower_bound(self) -> float:
        """What no path costs less than, as far as the search has shown it."""

    def run(self) -> int:
        """Search on until the goal is found, OPEN is empty, or a limit is reached."""
        limits = self._limits
        most = UNLIMITED if limits.expansions is None else limits.expansions
        piece = UNLIMITED if limits.seconds is None else self._patience
        if self._pieces is not None:
            piece = min(piece, CHUNK)
        while not self._late():
            reached = int(self.state.counters[EXPANSIONS])
            code = self._advance(min(most, reached + piece))
            self._keep_trace()
            if self._can_go_on(code):
                continue
            if code == NOT_A_NUMBER:
                self._refuse_nan()
            if code != PAUSED or self.state.counters[EXPANSIONS] >= most:
                return code
        return PAUSED

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
            lookahead_calls=self._neighbors_read() - int(counters[NEIGHBOR_CALLS]),
            seconds=self._elapsed(),
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

    def _can_go_on(self, code: int) -> bool:
        """Whether what the code says has been seen to."""
        if code == FULL:
            self._make_room_for_entries()
        return code == FULL

    def _make_room_for_entries(self) -> None:
        self.state = with_room_for_entries(self.state)

    def _make_room_for_nodes(self) -> None:
        """Have room for all nodes that have been met."""
        self.state = with_room_for_nodes(self.state, self._graph.size, self._graph.max_degree)

    def _discovered(self, count: int) -> Expansion:
        """What guides are shown of the last expansion, which discovered so many nodes."""
        state = self.state
        new = state.new[:count].copy()
        known = state.nodes[new]
        number, node = int(state.counters[EXPANSIONS]), int(state.counters[EXPANDED])
        return Expansion(node, new, known["g"], known["depth"], number)

    def _neighbors_read(self) -> int:
        """How many nodes' neighbours were read, be it by an expansion or by a guide."""
        counters = self.state.counters
        if not self._graph.is_known:
            return self._graph.calls
        if self._looks_ahead:  # at every node but the start
            return int(counters[GENERATED]) - 1 + int(counters[NEIGHBOR_CALLS] > 0)
        return int(counters[NEIGHBOR_CALLS])

    def _elapsed(self) -> float:
        return _clock() - self._began

    def _late(self) -> bool:
        limit = self._limits.seconds
        return limit is not None and self._elapsed() >= limit

    def _advance(self, budget: int) -> int:
        graph = self._graph
        while True:
            code = self._step(budget)
            if graph.is_known or code not in (UNKNOWN, UNKNOWN_NEW):
                return code
            if self._late():  # before asking: an answer may take any time
                return PAUSED
            state = self.state
            if code == UNKNOWN:
                graph.reveal([int(state.counters[EXPANDED])])
            else:
                graph.reveal(state.new[: state.counters[PENDING]].tolist())
            self._make_room_for_nodes()

    def _keep_trace(self) -> None:
        if self._pieces is not None:
            counters = self.state.counters
            self._pieces.append(self.state.trace[: counters[TRACED]].copy())
            counters[TRACED] = 0

    def _refuse_nan(self) -> None:
        counters = self.state.counters
        raise InputError(
            f"{self._accused()} gave NaN for node {self._name(counters[BAD_NODE] - 1)} at "
            f"expansion {counters[EXPANSIONS]} (node {self._name(counters[EXPANDED])})"
        )

    def _accused(self) -> str:
        """Whose value is NaN."""
        return "the heuristic"

    def _name(self, node: int) -> str:
        return repr(self._graph.user_node(int(node)))


def _clock() -> float:
    """Seconds of this thread, without those that it waited for kernels to be loaded."""
    return time.perf_counter() - loading_seconds()


def named(graph: SearchedGraph, result: Result) -> Result[Any]:
    """The result with the user's nodes: on graphs that are known whole those are the ids."""
    if graph.is_known:
        return result
    own: Result[Any] = result
    nodes, trace = graph.nodes, result.trace
    return replace(
        own,
        path=tuple(nodes[k] for k in result.path.tolist()),
        trace=None if trace is None else tuple(nodes[k] for k in trace.tolist()),
    )


def scores(guide: Guide, expansion: Expansion) -> NDArray[np.float64]:
    """What a guide says of V_new, or an error if that is not one value per node."""
    values = np.asarray(guide.score(expansion), np.float64)
    if values.shape != expansion.new.shape:
        raise InputError(
            f"the heuristic gave values of shape {values.shape} for the {expansion.new.size} new "
            f"nodes of expansion {expansion.count} (node {expansion.node})"
        )
    return values
