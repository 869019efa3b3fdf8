"""Novelty, by which best-first width search (BFWS) ranks nodes before their values.

Nodes whose values have the same integer part share a bucket. A node is novel if one of its features
is new in its bucket: on a grid, a coordinate that no node of the bucket had; on other graphs, a
feature outside the interval of those in the bucket (boundary extension). Novel nodes come first;
otherwise nodes are ordered by value. (Lipovetzky and Geffner 2017; Teichteil-Koenigsbuch et al.
2021. Row and column identify a cell, so there is no novelty above 2 on a map.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.compiled import Array1, Struct, kernel, primitive
from phil.errors import InputError
from phil.graphs import SearchedGraph
from phil.graphs.arrays import GraphArrays, position, position_size
from phil.heuristics.classical_value import ClassicalValue, classical_value, evaluate
from phil.search.expand import expand, insert
from phil.search.guide import Expansion, Guide, Heuristic, close
from phil.search.loop import HEURISTIC, scores
from phil.search.method import Method, NamedSearch
from phil.search.state import GREEDY, PENDING, State

# This is added to the value of a node that is not novel. So absolute values must be less than half
# of it, and values of such nodes that differ by less than 2 ** -20 may become equal.
BEHIND = 2.0**31
MOST = BEHIND / 2

FIRST_SLOTS = 1024
EMPTY_SLOT = -1

# Codes of the compiled loop besides those of `phil.search.state`; V_new then is pending.
CROWDED = -101  # there is no room for what V_new may add
TOO_LARGE = -102  # a value is not below MOST


class Seen(Struct):
    """A hash table of what was seen by (bucket, place), with open addressing."""

    buckets: Array1[np.int64]
    places: Array1[np.int64]  # a feature, on a grid with its value; EMPTY_SLOT if unused
    least: Array1[np.float64]  # the interval of a feature
    most: Array1[np.float64]
    used: Array1[np.int64]  # [0]: the number of slots in use


def allocate_seen(slots: int) -> Seen:
    """An empty table; `slots` must be a power of two."""
    return Seen(
        buckets=np.empty(slots, np.int64),
        places=np.full(slots, EMPTY_SLOT, np.int64),
        least=np.empty(slots),
        most=np.empty(slots),
        used=np.zeros(1, np.int64),
    )


@primitive
def _slot(seen: Seen, bucket: int, place: int) -> int:
    """The slot of (bucket, place), or the empty one where it belongs."""
    mixed = (np.uint64(bucket) * np.uint64(0x9E3779B97F4A7C15)) ^ np.uint64(place)
    mixed = (mixed ^ (mixed >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    last = seen.places.size - 1
    slot: Any = np.int64(mixed >> np.uint64(33)) & last
    while seen.places[slot] != EMPTY_SLOT and (
        seen.places[slot] != place or seen.buckets[slot] != bucket
    ):
        slot = (slot + 1) & last
    return slot


@primitive
def _see(seen: Seen, bucket: int, place: int, value: float) -> bool:
    """Record a value at a place of a bucket; return whether it is outside those seen there."""
    slot = _slot(seen, bucket, place)
    if seen.places[slot] == EMPTY_SLOT:
        seen.buckets[slot] = bucket
        seen.places[slot] = place
        seen.least[slot] = seen.most[slot] = value
        seen.used[0] += 1
        return True
    beyond = value < seen.least[slot] or value > seen.most[slot]
    seen.least[slot] = min(seen.least[slot], value)
    seen.most[slot] = max(seen.most[slot], value)
    return beyond


@kernel
def _copy(seen: Seen, larger: Seen) -> None:
    for old in range(seen.places.size):
        if seen.places[old] != EMPTY_SLOT:
            slot = _slot(larger, seen.buckets[old], seen.places[old])
            larger.buckets[slot] = seen.buckets[old]
            larger.places[slot] = seen.places[old]
            larger.least[slot] = seen.least[old]
            larger.most[slot] = seen.most[old]
    larger.used[0] = seen.used[0]


def with_slots(seen: Seen, new: int) -> Seen:
    """The same table with room for `new` more entries, at least half of it empty."""
    slots = seen.places.size
    while slots < 2 * (seen.used[0] + new):
        slots *= 2
    if slots == seen.places.size:
        return seen
    larger = allocate_seen(slots)
    _copy(seen, larger)
    return larger


@primitive
def _ranked(
    seen: Seen, graph: GraphArrays, here: NDArray[np.float32], node: int, value: float
) -> float:
    """A node's value, moved back if the node is not novel; infinite values stay as they are."""
    if not np.isfinite(value):
        return value
    bucket: Any = np.int64(np.floor(value))
    position(graph, node, here)
    on_grid = graph.moves.size > 0
    novel = False
    for column in range(here.size):
        feature = np.float64(here[column])
        place: Any = np.int64(column)
        if on_grid:  # every value of a coordinate is a place of its own
            place += here.size * np.int64(feature)
        if _see(seen, bucket, place, feature):
            novel = True
    return value if novel else value + BEHIND


@kernel
def _rank(
    seen: Seen,
    graph: GraphArrays,
    here: NDArray[np.float32],
    new: NDArray[np.int32],
    values: NDArray[np.float64],
) -> None:
    for k in range(new.size):
        values[k] = _ranked(seen, graph, here, new[k], values[k])


@kernel
def _run(
    state: State,
    seen: Seen,
    value: ClassicalValue,
    graph: GraphArrays,
    here: NDArray[np.float32],
    goal: int,
    budget: int,
) -> int:
    counters = state.counters
    while True:
        count = int(counters[PENDING])
        if count == 0:
            count = expand(state, graph, goal, budget)
        if count < 0:
            return count
        counters[PENDING] = count
        if seen.places.size < 2 * (seen.used[0] + count * here.size):
            return CROWDED
        evaluate(value, state, graph, count, state.values)
        for k in range(count):
            if MOST <= abs(state.values[k]) < np.inf:
                return TOO_LARGE
        for k in range(count):
            state.values[k] = _ranked(seen, graph, here, state.new[k], state.values[k])
        counters[PENDING] = 0
        insert(state, graph, count)


class NoveltyGuide:
    """Guides one search by novelty, then by another guide's values."""

    def __init__(self, inner: Guide, name: str, graph: SearchedGraph) -> None:
        self.looks_ahead = bool(getattr(inner, "looks_ahead", False))
        self._inner = inner
        self._name = name
        self._graph = graph
        self._seen = allocate_seen(FIRST_SLOTS)
        self._here = np.empty(position_size(graph.arrays), np.float32)

    def close(self) -> None:
        """Close the wrapped guide."""
        close(self._inner)

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """The wrapped guide's values, plus `BEHIND` for nodes that are not novel."""
        new = expansion.new.copy()
        values = scores(self._inner, expansion).copy()
        self._check(values)
        self._make_room(values.size)
        _rank(self._seen, self._graph.arrays, self._here, new, values)
        return values

    def _check(self, values: NDArray[np.float64]) -> None:
        large = np.isfinite(values) & (np.abs(values) >= MOST)
        if large.any():
            raise InputError(
                f"{self._name} gave {values[large][0]:g}: novelty needs values below {MOST:g}"
            )

    def _make_room(self, nodes: int) -> None:
        self._seen = with_slots(self._seen, nodes * self._here.size)


class CompiledNoveltyGuide(NoveltyGuide):
    """Novelty before the values of a classical heuristic, in a compiled loop."""

    def __init__(
        self, inner: Guide, value: ClassicalValue, name: str, graph: SearchedGraph, goal: int
    ) -> None:
        super().__init__(inner, name, graph)
        self._value = value
        self._goal = goal

    def run(self, state: State, budget: int) -> int:
        """The whole search, compiled."""
        while True:
            code = _run(
                state, self._seen, self._value, self._graph.arrays, self._here, self._goal, budget
            )
            pending = int(state.counters[PENDING])
            if code == CROWDED:
                self._make_room(pending)
            elif code == TOO_LARGE:
                self._check(state.values[:pending])
            else:
                return code


class Novelty:
    """A heuristic with novel nodes before all others: greedy search with it is BFWS.

    >>> import phil
    >>> grid = phil.GridGraph([[True] * 9] * 9)
    >>> phil.search(grid, (8, 0), (0, 8), Novelty(phil.load("euclidean"))).solved
    True
    """

    def __init__(self, inner: Heuristic) -> None:
        HEURISTIC.check(inner, "the heuristic of novelty")
        self.name = f"novelty({inner.name})"
        self._inner = inner

    def __repr__(self) -> str:
        return f"Novelty({self._inner!r})"

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> NoveltyGuide:
        """A guide for one search."""
        inner, name = self._inner.begin(graph, start, goal), self._inner.name
        value = classical_value(inner)
        if value is None:
            return NoveltyGuide(inner, name, graph)
        return CompiledNoveltyGuide(inner, value, name, graph, goal)


def _novel(text: str, heuristics: Sequence[Heuristic], numbers: Sequence[float]) -> Method:
    return Method(text, GREEDY, Novelty(heuristics[0]))


BFWS = NamedSearch("bfws", "bfws(euclidean)", "best-first width search: novel nodes first", _novel)
