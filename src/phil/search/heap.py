"""A priority queue of nodes, compiled.

An entry is a key and a tag. The tag combines the order of insertion and the node in one number, so
that entries with equal keys leave first in, first out. Entries are not moved when a node gets a new
key or is expanded from another queue: the node's record holds the order of its latest tag, and
entries with another order are stale and dropped when they reach the top. Measured on A*, this is
faster than an indexed heap.

A key is kept as its rank, an integer, so that rank and tag are compared at once, as one number.
Half of the time of A* went into comparing keys, and then tags.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numpy.typing import NDArray

from phil.compiled import Array1, Struct, primitive
from phil.compiled.jit import instruction

NODE_BITS = 31
NODE_MASK = 2**NODE_BITS - 1
MOST_ORDERS = 2**32 - 1
LAST_TAG = 2**63 - 1
LAST_RANK = 0x7FF << 52  # of an infinite key
ALL_BUT_SIGN = 2**63 - 1
PAIR = ir.IntType(128)

CHILDREN = 4  # per entry: half the levels of a binary heap, and siblings share a cache line
PADDING = CHILDREN  # entries after the last one, so that every entry has all its children


class Heap(Struct):
    """The entries in heap order; the first `size[0]` are in use."""

    ranks: Array1[np.int64]
    tags: Array1[np.int64]
    size: Array1[np.int64]


def allocate_heap(room: int) -> Heap:
    """An empty heap with room for `room` entries."""
    ranks = np.full(room + PADDING, LAST_RANK)
    return Heap(ranks, np.full(room + PADDING, LAST_TAG), np.zeros(1, np.int64))


def room_of(heap: Heap) -> int:
    """The number of entries that a heap can hold."""
    return heap.ranks.size - PADDING


def with_room(heap: Heap, room: int) -> Heap:
    """The same entries with room for `room` entries; the heap itself if it is large enough."""
    if room_of(heap) >= room:
        return heap
    larger = allocate_heap(room)
    used = heap.size[0]
    larger.ranks[:used] = heap.ranks[:used]
    larger.tags[:used] = heap.tags[:used]
    larger.size[0] = used
    return larger


@primitive
def make_tag(order: int, node: int) -> int:
    """The tag of an entry."""
    return (order << NODE_BITS) | node


@primitive
def node_of(tag: int) -> int:
    """The node of an entry."""
    return tag & NODE_MASK


@primitive
def order_of(tag: int) -> int:
    """The order in which an entry was inserted."""
    return tag >> NODE_BITS


@primitive
def rank_of(key: float) -> np.int64:
    """The rank of a key: an integer in the order of keys, which is compared faster."""
    bits = np.float64(key + 0.0).view(np.int64)  # adding 0 makes a negative 0 an ordinary one
    return np.int64(bits ^ (bits >> 63 & ALL_BUT_SIGN))  # negative floats: in reverse order


@primitive
def key_at(heap: Heap, position: int) -> float:
    """The key of an entry; infinite after the last one."""
    rank = heap.ranks[position]
    return np.int64(rank ^ (rank >> 63 & ALL_BUT_SIGN)).view(np.float64)


@instruction
def _before(context: Any, rank: Any, tag: Any, other_rank: Any, other_tag: Any) -> Any:
    return types.boolean(*[types.int64] * 4), _compare


def _compare(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    # As numbers of 128 bits: which entry comes first is unpredictable, so a branch would cost more.
    rank, tag, other_rank, other_tag = arguments
    entry, other = (
        builder.or_(builder.shl(builder.sext(upper, PAIR), PAIR(64)), builder.zext(lower, PAIR))
        for upper, lower in ((rank, tag), (other_rank, other_tag))
    )
    return builder.icmp_signed("<", entry, other)


# Positions are unsigned, since Numba lets negative ones count from the end.


@primitive
def _sift_up(heap: Heap, hole: np.uintp, rank: np.int64, tag: int) -> None:
    ranks, tags = heap.ranks, heap.tags
    at = hole
    while at > 0:
        above = (at - np.uintp(1)) // np.uintp(CHILDREN)
        if _before(ranks[above], tags[above], rank, tag):
            break
        ranks[at] = ranks[above]
        tags[at] = tags[above]
        at = above
    ranks[at] = rank
    tags[at] = tag


@primitive
def put(heap: Heap, key: float, tag: int) -> None:
    """Insert an entry; there must be room."""
    heap.size[0] += 1
    _sift_up(heap, np.uintp(heap.size[0] - 1), rank_of(key), tag)


@primitive
def drop(heap: Heap) -> None:
    """Remove the first entry: the hole sinks to a leaf, which the last entry then fills."""
    ranks, tags = heap.ranks, heap.tags
    size = np.uintp(heap.size[0] - 1)
    heap.size[0] = size
    rank, tag = ranks[size], tags[size]
    ranks[size] = LAST_RANK  # padding must never come first
    tags[size] = LAST_TAG
    hole = np.uintp(0)
    child = np.uintp(1)
    while child < size:
        least = _least_of_four(ranks, tags, child)
        ranks[hole] = ranks[least]
        tags[hole] = tags[least]
        hole = least
        child = np.uintp(CHILDREN) * hole + np.uintp(1)
    if size > 0:
        _sift_up(heap, hole, rank, tag)


@primitive
def _least_of_four(ranks: NDArray[np.int64], tags: NDArray[np.int64], child: np.uintp) -> np.uintp:
    """The position of the entry that comes first, of four from a position on."""
    a, b, c, d = child, child + np.uintp(1), child + np.uintp(2), child + np.uintp(3)
    left = _before(ranks[b], tags[b], ranks[a], tags[a])
    right = _before(ranks[d], tags[d], ranks[c], tags[c])
    one_rank, one_tag = ranks[b] if left else ranks[a], tags[b] if left else tags[a]
    two_rank, two_tag = ranks[d] if right else ranks[c], tags[d] if right else tags[c]
    if _before(two_rank, two_tag, one_rank, one_tag):
        return c + np.uintp(right)
    return a + np.uintp(left)


@primitive
def clear(heap: Heap) -> None:
    """Remove all entries."""
    for position in range(heap.size[0]):
        heap.ranks[position] = LAST_RANK
        heap.tags[position] = LAST_TAG
    heap.size[0] = 0
