"""Hedged search: any heuristic, with a bound on the expansions relative to those of another one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from math import inf
from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray

from phil.arguments import FLAG, takes
from phil.compiled import kernel, primitive
from phil.errors import InputError
from phil.graphs import AnyGraph, ImplicitGraph, SearchedGraph
from phil.graphs.callbacks import N
from phil.graphs.checks import SEARCHED
from phil.graphs.lower_bound import fewest_moves
from phil.problems.problem import Problem
from phil.search.best_first import BestFirst
from phil.search.guide import AnyHeuristic, Heuristic
from phil.search.heap import node_of, order_of
from phil.search.loop import HEURISTIC, LIMITS, UNLIMITED, named
from phil.search.method import NamedSearch, ShownByText, no_better_paths
from phil.search.result import Limits, Result
from phil.search.state import (
    AHEAD,
    CLOSED,
    EVALUATIONS,
    EXPANSIONS,
    GREEDY,
    NEIGHBOR_CALLS,
    NEW,
    NO_TWIN,
    PAUSED,
    PENDING,
    SEARCH,
    STAGES,
    TWIN_CLOSED,
    State,
)

LEAD = 2  # times the fewest nodes of a path: the expansions of the heuristic before the fallback's
TURNS = 8  # a turn of the fallback is a fraction of its expansions so far: one in this many


@overload
def search_hedge(
    graph: AnyGraph,
    start: Hashable,
    goal: Hashable,
    heuristic: AnyHeuristic,
    fallback: AnyHeuristic,
    *,
    limits: Limits | None = None,
    trace: bool = False,
) -> Result: ...


@overload
def search_hedge(
    graph: ImplicitGraph[N],
    start: N,
    goal: N,
    heuristic: AnyHeuristic,
    fallback: AnyHeuristic,
    *,
    limits: Limits | None = None,
    trace: bool = False,
) -> Result[tuple[N, ...]]: ...


@overload
def search_hedge(
    graph: Any,
    start: Any,
    goal: Any,
    heuristic: AnyHeuristic,
    fallback: AnyHeuristic,
    *,
    limits: Limits | None = None,
    trace: bool = False,
) -> Result[Any]: ...


@takes(graph=SEARCHED, heuristic=HEURISTIC, fallback=HEURISTIC, limits=LIMITS, trace=FLAG)
def search_hedge(
    graph: Any,
    start: Any,
    goal: Any,
    heuristic: Any,
    fallback: Any,
    *,
    limits: Limits | None = None,
    trace: bool = False,
) -> Result[Any]:
    """Search greedily with a heuristic, never much worse than greedily with the fallback.

    Two greedy searches solve the same problem. Each has its own OPEN, which holds only what it has
    discovered itself, so each expands nodes in the same order as it would alone. A node that one
    has expanded costs the other nothing: CLOSE is the union of both, and every node in it counts
    once. The heuristic first runs alone, for 2 L expansions, where L is the least number of nodes
    that a path can have: on a grid as if all cells were free, elsewhere 2 (1 if the start is the
    goal). Then the fallback and the heuristic take turns with equally many expansions, the fallback
    first, until one of them reaches the goal.

    If greedy search with the fallback expands G nodes, this search expands at most 2 G + 2 L nodes.
    Since L is at most G, that is never more than 4 G, on any graph and whatever the heuristic's
    values. If there is no path, both expand the same nodes, and it is at most G. The same holds for
    `neighbor_calls`; what a heuristic's look-ahead computes comes on top.

    Parameters
    ----------
    graph, start, goal
        As for `search`.
    heuristic
        The heuristic to hedge, such as a learned one.
    fallback
        The heuristic to compare with, such as `phil.load("euclidean")`.
    limits : Limits, optional
        When to give up.
    trace : bool
        Whether to record the expanded nodes, in order, as `result.trace`.

    Returns
    -------
    Result
        The result, also if there is no path or a limit was reached: see `result.outcome`. The path
        is the cheapest one over the edges that the two searches have seen.

    Raises
    ------
    InputError
        If a node does not exist, or a heuristic does not fit the graph.

    Examples
    --------
    >>> import phil
    >>> grid = phil.GridGraph([[True] * 99] * 99)
    >>> ends = (98, 0), (0, 98)
    >>> blind, euclidean = phil.load("zero"), phil.load("euclidean")
    >>> [phil.search(grid, *ends, each).expansions for each in (blind, euclidean)]
    [9605, 99]
    >>> phil.search_hedge(grid, *ends, blind, euclidean).expansions
    365
    """
    searched, source, target = graph.between(start, goal)
    with HedgedSearch(
        searched, source, target, heuristic, fallback, limits=limits or Limits(), trace=trace
    ) as running:
        return named(graph, searched, running.result())


class HedgedSearch:
    """Two greedy searches that take turns; a context that returns their states to the pool."""

    def __init__(
        self,
        graph: SearchedGraph,
        start: int,
        goal: int,
        heuristic: Heuristic,
        fallback: Heuristic,
        *,
        limits: Limits,
        trace: bool,
    ) -> None:
        self._graph = graph
        self._lead = LEAD * (1 + fewest_moves(graph, start, goal))
        self._most = UNLIMITED if limits.expansions is None else limits.expansions
        with ExitStack() as opened:
            self._guided, self._plain = (
                opened.enter_context(
                    Side(graph, start, goal, each, key=GREEDY, limits=limits, trace=trace)
                )
                for each in (heuristic, fallback)
            )
            self._opened = opened.pop_all()
        self._plain.join_trace_of(self._guided)
        self.calls_shown = 0  # to a watcher
        self._guided.both = self._plain.both = self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def result(self) -> Result:
        """Search until a side reaches the goal or has an empty OPEN, or a limit is reached."""
        side, code = self._run()
        guided, plain = self._guided, self._plain
        guided.know(plain)
        plain.know(guided)
        expansions = self._sum(EXPANSIONS)
        # CLOSE, and what is open on one side, or on both: before the path is looked for in them.
        generated = expansions + guided.open_but_for(CLOSED) + plain.open_but_for(NEW)
        ahead = self._lookahead_calls()
        return replace(
            side.result(code),
            expansions=expansions,
            generated=generated,
            evaluations=self._sum(EVALUATIONS),
            neighbor_calls=self._sum(NEIGHBOR_CALLS),
            lookahead_calls=ahead,
            seconds=guided.seconds,
        )

    def calls(self) -> int:
        """The calls of both sides so far."""
        self._guided.know(self._plain)
        self._plain.know(self._guided)
        return self._sum(NEIGHBOR_CALLS) + self._lookahead_calls()

    def _run(self) -> tuple[Side, int]:
        """Run both in turn; return the side that ended the search, and why it did."""
        guided, plain = self._guided, self._plain
        side, code = guided, self._turn(guided, plain, self._lead)
        while code == PAUSED and self._left() > 0 and not guided.is_late:
            # The fallback goes first, so the other is never ahead by more than its lead, however
            # long the turns are; as they grow, there are few of them.
            turn = 1 + plain.count(EXPANSIONS) // TURNS
            side, code = plain, self._turn(plain, guided, turn)
            if code == PAUSED and self._left() > 0:
                side, code = guided, self._turn(guided, plain, turn)
        return side, code

    def _turn(self, side: Side, other: Side, expansions: int) -> int:
        """Let a side make at most this many expansions that the other has not made."""
        side.know(other)
        return side.run_until(side.count(EXPANSIONS) + min(expansions, self._left()))

    def _left(self) -> int:
        return self._most - self._sum(EXPANSIONS)

    def _sum(self, counter: int) -> int:
        return self._guided.count(counter) + self._plain.count(counter)

    def _lookahead_calls(self) -> int:
        calls, guided, plain = self._sum(NEIGHBOR_CALLS), self._guided, self._plain
        if not self._graph.is_known:
            return self._graph.calls - calls
        if calls == 0:  # nobody looks ahead at the start
            return 0
        ahead = guided.called_ahead() + plain.called_ahead()
        if guided.looks_ahead:
            ahead += guided.open_but_for(CLOSED)
        if plain.looks_ahead:
            ahead += plain.open_but_for(NEW if guided.looks_ahead else CLOSED)
        # The neighbours of an expanded goal are not computed, but those of a discovered one are.
        at_goal = any(side.looks_ahead and side.has_discovered_goal for side in (guided, plain))
        return ahead + int(at_goal and (guided.has_closed_goal or plain.has_closed_goal))


class Side(BestFirst):
    """One of two searches on the same problem, which knows what the other has expanded."""

    both: HedgedSearch

    def __exit__(self, *_: object) -> None:
        self.state.twin = NO_TWIN  # from now on, it belongs to another search
        super().__exit__()

    @property
    def looks_ahead(self) -> bool:
        """Whether its guide reads the neighbours of new nodes."""
        return self._looks_ahead

    @property
    def seconds(self) -> float:
        """The time since it began."""
        return self._elapsed()

    @property
    def is_late(self) -> bool:
        """Whether its time is over."""
        return self._late()

    @property
    def has_discovered_goal(self) -> bool:
        """Whether it has discovered the goal."""
        return self._has_reached(NEW)

    @property
    def has_closed_goal(self) -> bool:
        """Whether it has moved the goal to CLOSE."""
        return self._has_reached(CLOSED)

    def join_trace_of(self, other: Side) -> None:
        """Record the nodes expanded from now on in the trace of the other."""
        self._pieces = other._pieces

    def know(self, other: Side) -> None:
        """Take note of what the other has expanded and, on an implicit graph, discovered."""
        self.state.twin = other.state.nodes
        self.state.counters[TWIN_CLOSED] = other.stamp(CLOSED)
        if not self._graph.is_known:
            self._make_room_for_nodes()
            if self._looks_ahead:
                self._graph.write_tokens()

    def count(self, counter: int) -> int:
        """The value of a counter."""
        return int(self.state.counters[counter])

    def stamp(self, stage: int) -> int:
        """The stamp of nodes at a stage of this search."""
        return STAGES * self.count(SEARCH) + stage

    def open_but_for(self, stage: int) -> int:
        """The number of nodes of OPEN that have not reached a stage in the search that it knows."""
        known = self.count(TWIN_CLOSED) - CLOSED + stage
        return int(count_open(self.state, known))

    def called_ahead(self) -> int:
        """The nodes that lazy look-ahead has called, and that neither side has expanded."""
        ahead = self.count(AHEAD)
        if self._lazy is None:
            return ahead
        nodes = np.empty(self.state.open.size[0], np.int32)
        count = write_closed_by_twin(self.state, self.count(TWIN_CLOSED), nodes)
        return ahead - self._lazy.called(nodes[:count])

    def _calls_now(self) -> int:
        return self.both.calls()

    def _calls_along(self, trace: NDArray[np.void]) -> NDArray[np.int64]:
        self._calls_shown = self.both.calls_shown
        calls = super()._calls_along(trace)
        self.both.calls_shown = self._calls_shown
        return calls

    def _has_reached(self, stage: int) -> bool:
        return bool(self.state.nodes[self._goal]["stamp"] >= self.stamp(stage))


@kernel
def count_open(state: State, stamp: int) -> int:
    """The number of nodes of OPEN, or pending, with a lower stamp in the other search."""
    count = 0
    for k in range(state.counters[PENDING]):
        count += _is_below(state, state.new[k], stamp)
    for position in range(state.open.size[0]):
        tag = state.open.tags[position]
        node = node_of(tag)
        if state.nodes[node].order == order_of(tag):  # else the entry is stale
            count += _is_below(state, node, stamp)
    return count


@kernel
def write_closed_by_twin(state: State, stamp: int, nodes: NDArray[np.int32]) -> int:
    """Write the nodes of OPEN that the other search has expanded; return their number."""
    count = 0
    for position in range(state.open.size[0]):
        tag = state.open.tags[position]
        node = node_of(tag)
        if state.nodes[node].order == order_of(tag) and not _is_below(state, node, stamp):
            nodes[count] = node
            count += 1
    return count


@primitive
def _is_below(state: State, node: int, stamp: int) -> int:
    return 1 if node >= state.twin.size or state.twin[node].stamp < stamp else 0


@dataclass(frozen=True, repr=False)
class HedgedMethod(ShownByText):
    """Hedged search with a heuristic and its fallback.

    Parameters
    ----------
    text
        Its name in tables.
    heuristic
        The heuristic to hedge.
    fallback
        The heuristic to compare with.
    """

    text: str
    heuristic: Heuristic
    fallback: Heuristic

    @property
    def heuristics(self) -> tuple[Heuristic, ...]:
        """The heuristic and the fallback."""
        return self.heuristic, self.fallback

    @property
    def bound(self) -> None:
        """None: the bound is on expansions, not on the path's cost."""
        return None

    def promise(self, graphs: Iterable[AnyGraph]) -> float:
        """No bound on the path's cost."""
        return inf

    def search(
        self, problem: Problem, limits: Limits | None = None, *, trace: bool = False
    ) -> Result:
        """Search one problem."""
        return search_hedge(
            problem.graph,
            problem.start,
            problem.goal,
            self.heuristic,
            self.fallback,
            limits=limits,
            trace=trace,
        )

    def anytime(
        self, problem: Problem, limits: Limits | None = None, *, trace: bool = False
    ) -> Iterator[Result]:
        """Not supported."""
        raise no_better_paths(self.text)

    def with_bound(self, bound: float) -> HedgedMethod:
        """Not supported."""
        raise InputError(
            f"'{self.text}' bounds the expansions and takes no bound on the path's cost; use a "
            f"search with one heuristic, such as bounded(euclidean, {bound:g})"
        )


def _hedged(text: str, heuristics: Sequence[Heuristic], numbers: Sequence[float]) -> HedgedMethod:
    heuristic, fallback = heuristics
    return HedgedMethod(text, heuristic, fallback)


HEDGE = NamedSearch(
    "hedge",
    "hedge(manhattan)",
    "greedy(H), and greedy(euclidean) as a safety net: at most 4 times the expansions of "
    "greedy(euclidean)",
    _hedged,
    also=("euclidean",),
)
