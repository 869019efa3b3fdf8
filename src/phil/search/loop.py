"""The loop shared by all searches, which can be paused and continued.

It does what kernels cannot, between calls of them: growing arrays, asking an implicit graph for
neighbours, watching the clock, collecting the trace.
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

from phil.arguments import NOTHING, Kind, later, of_type, with_attributes
from phil.compiled import loading_seconds
from phil.errors import InputError
from phil.graphs import Discovery, SearchedGraph
from phil.graphs.lower_bound import NO_BOUND, LowerBound, lower_bound_of
from phil.search.expand import path_cost
from phil.search.guide import Expansion, Guide, Heuristic, guided
from phil.search.known_path import AWAY, EITHER_END, UNSEEN, find_known_path
from phil.search.open import begin
from phil.search.result import Limits, Outcome, Result
from phil.search.state import (
    AHEAD,
    BAD_NODE,
    EMPTY,
    EVALUATIONS,
    EXPANDED,
    EXPANSIONS,
    FOUND,
    FULL,
    GENERATED,
    NEIGHBOR_CALLS,
    NO_TRACE,
    NONE,
    NOT_A_NUMBER,
    PART,
    PAUSED,
    PENDING,
    PLAIN,
    PROVEN,
    REOPENED,
    SEEKING,
    SHARED,
    TRACE,
    TRACED,
    UNGUIDED,
    UNGUIDED_CALLS,
    UNKNOWN,
    UNKNOWN_NEW,
    Key,
    State,
    StatePool,
    make_room_for_entries,
    make_room_for_nodes,
    path_length,
    write_path,
)
from phil.search.watch import LATE, SOON, WATCHED, Piece, current_watcher, keys

HEURISTIC = Kind(
    "a heuristic: a name such as 'euclidean', a file, a function of a node and the goal, or an "
    "object such as phil.load('euclidean')",
    with_attributes("", "begin").fits,
    later("phil.heuristics.given:as_heuristic"),
)
KEY = of_type("a Key, such as phil.ASTAR", Key)
LIMITS = of_type("Limits", Limits) | NOTHING

UNLIMITED = 2**62
CHUNK = 4096  # expansions between two looks at the clock, and the length of a piece of the trace

OUTCOMES = {
    FOUND: Outcome.SOLVED,
    PROVEN: Outcome.SOLVED,
    EMPTY: Outcome.UNREACHABLE,
    PAUSED: Outcome.LIMIT,
}

Path = tuple[NDArray[np.int64], float]  # with its cost

_pool = StatePool()


class SearchLoop(ABC):
    """A search from start to goal; a context that returns its state and closes its guides."""

    _has_values = True  # in the records of nodes
    _calls_shown = 0  # to a watcher
    _pace = 0  # expansions until the next report to a watcher; 0 before the first

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
        greedy: bool = False,
    ) -> None:
        self._began = _clock()
        self._graph = graph
        self._goal = goal
        self._seen = seen_edges(graph) if greedy else UNSEEN
        self._limits = limits
        self._pieces = [np.empty(0, np.int32)] if trace else None
        self._watcher = current_watcher() if trace else None
        with ExitStack() as guides:
            self._guides = [
                guides.enter_context(guided(heuristic, graph, start, goal))
                for heuristic in heuristics
            ]
            self._open_guides = guides.pop_all()
        self._looks_ahead = any(getattr(guide, "looks_ahead", False) for guide in self._guides)
        self._looks_lazily = any(hasattr(guide, "settle") for guide in self._guides)
        # An expansion may take any time with a guide in Python: look at the clock after each.
        self._patience = 1
        self.state = take_state(graph)
        self.state.lower = lower
        self.state.trace = np.empty(CHUNK, TRACE) if trace else NO_TRACE
        self.state.weights[:] = (key.g, key.h, key.depth, key.reopen)
        self.state.bounds[PART] = PLAIN
        begin(self.state, start)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.state.lower = NO_BOUND  # it may hold large arrays
        self.state.trace = NO_TRACE
        give_back(self.state)
        self._open_guides.close()

    @abstractmethod
    def _step(self, budget: int) -> int:
        """Continue with the known part of the graph; return the code that says why it stopped."""

    @abstractmethod
    def _lower_bound(self) -> float:
        """The lower bound on the cost of any path that the search has proven."""

    def run(self) -> int:
        """Continue until the goal is found, OPEN is empty, or a limit is reached."""
        most = self._limits.expansions
        return self.run_until(UNLIMITED if most is None else most)

    def run_until(self, most: int) -> int:
        """`run`, with another limit on expansions."""
        piece = UNLIMITED if self._limits.seconds is None else self._patience
        if self._pieces is not None:
            piece = min(piece, CHUNK)
        while not self._late():
            reached = int(self.state.counters[EXPANSIONS])
            if self._watcher is not None:
                piece = self._pace or min(self._patience, WATCHED)
            began = 0.0 if self._watcher is None else time.perf_counter()
            code = self._advance(min(most, reached + piece))
            if self._watcher is not None:
                self._pace = self._next_pace(piece, time.perf_counter() - began)
            self._keep_trace()
            if self._can_go_on(code):
                continue
            if code == NOT_A_NUMBER:
                self._refuse_nan()
            if code != PAUSED or self.state.counters[EXPANSIONS] >= most:
                return code
        return PAUSED

    def result(self, code: int, known: Result | None = None) -> Result:
        """The result after `run` returned a code; `known` holds a path found before."""
        outcome = OUTCOMES[code]
        counters = self.state.counters
        by_parents = np.zeros(0, np.int64)
        if code == FOUND or (code == PAUSED and known is None and self._has_path()):
            by_parents = self.path()
            path, cost = self._cheapest(by_parents)
        elif known is not None:
            outcome, path, cost = Outcome.SOLVED, known.path, known.cost
            by_parents = path
        else:
            path, cost = by_parents, float("inf")
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
            graph=self._graph,
            path_by_parents=None if trace is None else by_parents,
        )

    def path(self) -> NDArray[np.int64]:
        """The path to the goal by parents, once it has been reached."""
        return self._path_in(self.state, self._goal)

    def _path_in(self, state: State, node: int) -> NDArray[np.int64]:
        path = np.empty(path_length(state, node), np.int64)
        write_path(state, node, path)
        return path

    def _cheapest(self, path: NDArray[np.int64]) -> Path:
        """The path to return, given that by parents, and its cost; the search is then over."""
        return self._cheapest_in(self.state, path)

    def _cheapest_in(self, state: State, path: NDArray[np.int64]) -> Path:
        """The cheapest path inside what a greedy search knows, found by working in a state."""
        cost = self.path_cost(path)
        if self._seen == UNSEEN or path.size == 1:
            return path, cost
        graph = self._graph
        arrays = graph.arrays
        if not graph.is_known and self._seen == EITHER_END:
            arrays = graph.both_ways()  # an edge is known only where it was asked for
        state.lower = free_way_to(self._graph, self._goal)
        start, goal, code = int(path[0]), self._goal, FULL
        while code == FULL:
            code = find_known_path(self.state, state, arrays, start, goal, cost, self._seen)
            if code == FULL:
                make_room_for_entries(state)
        if code == 0:
            return path, cost
        better = self._path_in(state, goal)
        return better, float(path_cost(arrays, better))

    def _has_path(self) -> bool:
        """Whether a search that met its limit has a path to give."""
        return False

    def path_cost(self, path: NDArray[np.int64]) -> float:
        """The cost of a path."""
        return float(path_cost(self._graph.arrays, path))

    def _can_go_on(self, code: int) -> bool:
        """Whether the cause of the code has been dealt with."""
        if code == FULL:
            self._make_room_for_entries()
        return code == FULL

    def _make_room_for_entries(self) -> None:
        make_room_for_entries(self.state)

    def _make_room_for_nodes(self) -> None:
        """Make room for all nodes discovered so far."""
        make_room_for_nodes(self.state, self._graph.size, self._graph.max_degree)

    def _discovered(self, count: int) -> Expansion:
        """The last expansion, which discovered `count` nodes, as shown to guides."""
        state = self.state
        new = state.new[:count].copy()
        known = state.nodes[new]
        number = int(state.counters[EXPANSIONS] + state.counters[SHARED])
        node = int(state.counters[EXPANDED])
        return Expansion(node, new, known["g"], known["depth"], number)

    def _neighbors_read(self) -> int:
        """The number of nodes whose neighbours were read, to expand them or to look ahead."""
        counters = self.state.counters
        if not self._graph.is_known:
            return self._graph.calls
        if self._looks_ahead:  # at every node but the start and those that it was not asked about
            unasked = int(counters[UNGUIDED]) - int(counters[UNGUIDED_CALLS])
            return int(counters[GENERATED]) - unasked - 1 + int(counters[NEIGHBOR_CALLS] > 0)
        return int(counters[NEIGHBOR_CALLS]) + int(counters[AHEAD])

    def _elapsed(self) -> float:
        return _clock() - self._began

    def _late(self) -> bool:
        limit = self._limits.seconds
        return limit is not None and self._elapsed() >= limit

    def _advance(self, budget: int) -> int:
        graph = self._graph
        return self._step(budget) if graph.is_known else self._advance_by_asking(graph, budget)

    def _advance_by_asking(self, graph: Discovery[Any], budget: int) -> int:
        # This runs for every expansion, so it reads no array of numpy, which would take long.
        counters = self.state.counters.data
        timed, batch = self._limits.seconds is not None, graph.batch
        size, degree = graph.size, graph.max_degree
        while True:
            code = self._step(budget)
            if code != UNKNOWN and code != UNKNOWN_NEW:
                return code
            if timed and self._late():  # before asking: an answer may take any time
                return PAUSED
            if code == UNKNOWN_NEW:
                graph.reveal(self.state.new[: counters[PENDING]].tolist())
                graph.write_tokens()
            elif batch == 1:
                graph.reveal_one(counters[EXPANDED])
            else:
                graph.reveal(self._to_ask(min(batch, budget - counters[EXPANSIONS])))
            if graph.size > size or graph.max_degree > degree:
                size, degree = graph.size, graph.max_degree
                self._make_room_for_nodes()

    def _to_ask(self, most: int) -> list[int]:
        """At most so many nodes whose neighbours to ask for at once, the best one among them."""
        return [int(self.state.counters[EXPANDED])]

    def _keep_trace(self) -> None:
        if self._pieces is not None:
            counters = self.state.counters
            piece = self.state.trace[: counters[TRACED]]
            counters[TRACED] = 0
            self._pieces.append(piece["node"].copy())
            if self._watcher is not None and piece.size:
                self._watcher.see(self._watched(piece.copy()))

    def _next_pace(self, pace: int, seconds: float) -> int:
        """The expansions until the next report to a watcher, after so many took this long."""
        if seconds < SOON:
            return min(CHUNK, 2 * pace)
        return max(1, pace // 2) if seconds > LATE else pace

    def _watched(self, trace: NDArray[np.void]) -> Piece:
        """What a watcher is shown of records of the trace, the last of which was just written."""
        first = trace["parent"] == NONE
        unvalued = first | (self.state.bounds[PART] > SEEKING) | (not self._has_values)
        h = np.where(unvalued, np.nan, trace["h"])
        return Piece(
            node=trace["node"],
            parent=trace["parent"],
            g=trace["g"],
            h=h,
            key=keys(self.state.weights, trace["g"], h, trace["depth"]),
            calls=self._calls_along(trace),
        )

    def _calls_along(self, trace: NDArray[np.void]) -> NDArray[np.int64]:
        """The calls until each of the expansions was over."""
        counters = self.state.counters
        calls: NDArray[np.int64]
        if self._looks_ahead:
            now = counters[GENERATED] - counters[UNGUIDED] + counters[UNGUIDED_CALLS]
            calls = np.append(trace["shown"][1:], now)
        else:
            calls = trace["called"]
            if self._looks_lazily:
                # It called the node itself, which is not called again to expand it.
                calls = calls - ((trace["parent"] != NONE) & (trace["node"] != self._goal))
        # Exact at the end of a piece. Before it, what was called may have been called by another
        # search, or ahead by a guide that is not asked any more.
        now = self._calls_now()
        calls = np.clip(calls + (now - calls[-1]), self._calls_shown, now)
        self._calls_shown = now
        return np.maximum.accumulate(calls)

    def _calls_now(self) -> int:
        """The calls of the whole search so far."""
        return self._neighbors_read()

    def _refuse_nan(self) -> None:
        counters = self.state.counters
        raise InputError(
            f"{self._accused()} gave NaN for node {self._name(counters[BAD_NODE] - 1)} at "
            f"expansion {counters[EXPANSIONS]} (node {self._name(counters[EXPANDED])})"
        )

    def _accused(self) -> str:
        """The heuristic that gave NaN."""
        return "the heuristic"

    def _name(self, node: int) -> str:
        return repr(self._graph.user_node(int(node)))


def seen_edges(graph: SearchedGraph) -> int:
    """Which edges a search from the start has seen."""
    return AWAY if graph.directed else EITHER_END


def free_way_to(graph: SearchedGraph, goal: int) -> LowerBound:
    """The lower bound for finding the cheapest known path: on grids, where it costs nothing."""
    return lower_bound_of(graph, goal) if graph.arrays.moves.size > 0 else NO_BOUND


def take_state(graph: SearchedGraph) -> State:
    """A state for a search on a graph; when it is over, to be given back."""
    return _pool.take(graph.size, graph.max_degree)


def give_back(state: State) -> None:
    """Keep a state for another search."""
    _pool.give_back(state)


def _clock() -> float:
    """The time in seconds, without what this thread spent waiting for kernels to load."""
    return time.perf_counter() - loading_seconds()


def named(given: Any, graph: SearchedGraph, result: Result) -> Result[Any]:
    """The result for the user, whose graph is `given`: with ids if it is the one searched.

    The nodes of an implicit graph, and of a networkx graph, have no ids that the user would know.
    """
    if given is graph:
        return result
    own: Result[Any] = result
    nodes = given.nodes if graph.is_known else graph.nodes

    def names(ids: NDArray[np.int64] | None) -> tuple[Any, ...] | None:
        return None if ids is None else tuple(nodes[k] for k in ids.tolist())

    return replace(
        own,
        graph=graph if graph.is_known else given,
        path=names(result.path),
        trace=names(result.trace),
        path_by_parents=names(result.path_by_parents),
    )


def scores(guide: Guide, expansion: Expansion) -> NDArray[np.float64]:
    """A guide's values of V_new; raises `InputError` if there is not one number per node."""
    given = guide.score(expansion)
    try:
        values = np.asarray(given)
        if values.dtype.kind == "c":
            raise TypeError("complex numbers have no order")
        values = values.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(
            f"the heuristic gave no numbers for the {expansion.new.size} new nodes of expansion "
            f"{expansion.count} (node {expansion.node}): {error}"
        ) from error
    if values.shape != expansion.new.shape:
        raise InputError(
            f"the heuristic gave values of shape {values.shape} for the {expansion.new.size} new "
            f"nodes of expansion {expansion.count} (node {expansion.node})"
        )
    return values
