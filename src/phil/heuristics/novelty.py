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
from phil.graphs.arrays import GraphArrays, node_features
from phil.search.guide import Expansion, Guide, Heuristic, close
from phil.search.method import Method, NamedSearch
from phil.search.state import GREEDY

# This is added to the value of a node that is not novel. So absolute values must be less than half
# of it, and values of such nodes that differ by less than 2 ** -20 may become equal.
BEHIND = 2.0**31
MOST = BEHIND / 2

FIRST_SLOTS = 1024
EMPTY_SLOT = -1


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


@kernel
def _rank(
    seen: Seen,
    graph: GraphArrays,
    here: NDArray[np.float32],
    new: NDArray[np.int32],
    values: NDArray[np.float64],
) -> None:
    """Move nodes of V_new that are not novel back; infinite values stay as they are."""
    on_grid = graph.moves.size > 0
    for k in range(new.size):
        if not np.isfinite(values[k]):
            continue
        bucket: Any = np.int64(np.floor(values[k]))
        node_features(graph, new[k], here)
        novel = False
        for column in range(here.size):
            value = np.float64(here[column])
            place: Any = np.int64(column)
            if on_grid:  # every value of a coordinate is a place of its own
                place += here.size * np.int64(value)
            if _see(seen, bucket, place, value):
                novel = True
        if not novel:
            values[k] += BEHIND


class NoveltyGuide:
    """Guides one search by novelty, then by another guide's values."""

    def __init__(self, inner: Guide, name: str, graph: SearchedGraph) -> None:
        self.looks_ahead = bool(getattr(inner, "looks_ahead", False))
        self._inner = inner
        self._name = name
        self._graph = graph
        self._seen = allocate_seen(FIRST_SLOTS)
        self._here = np.empty(graph.arrays.features.shape[1], np.float32)

    def close(self) -> None:
        """Close the wrapped guide."""
        close(self._inner)

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """The wrapped guide's values, plus `BEHIND` for nodes that are not novel."""
        values = np.array(self._inner.score(expansion), np.float64)
        large = np.isfinite(values) & (np.abs(values) >= MOST)
        if large.any():
            raise InputError(
                f"{self._name} gave {values[large][0]:g}: novelty needs values below {MOST:g}"
            )
        self._seen = with_slots(self._seen, values.size * self._here.size)
        new = np.ascontiguousarray(expansion.new)
        _rank(self._seen, self._graph.arrays, self._here, new, values)
        return values


class Novelty:
    """A heuristic with novel nodes before all others: greedy search with it is BFWS.

    >>> import phil
    >>> grid = phil.GridGraph([[True] * 9] * 9)
    >>> phil.search(grid, (8, 0), (0, 8), Novelty(phil.load("euclidean"))).solved
    True
    """

    def __init__(self, inner: Heuristic) -> None:
        self.name = f"novelty({inner.name})"
        self._inner = inner

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> NoveltyGuide:
        """A guide for one search."""
        return NoveltyGuide(self._inner.begin(graph, start, goal), self._inner.name, graph)


def _novel(text: str, heuristics: Sequence[Heuristic], numbers: Sequence[float]) -> Method:
    return Method(text, GREEDY, Novelty(heuristics[0]))


BFWS = NamedSearch("bfws", "bfws(euclidean)", "best-first width search: novel nodes first", _novel)
