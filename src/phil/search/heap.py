"""A priority queue of nodes, compiled.

An entry is a key and a tag. The tag combines the order of insertion and the node in one number, so
that entries with equal keys leave first in, first out. Entries are not moved when a node gets a new
key or is expanded from another queue: the node's record holds the order of its latest tag, and
entries with another order are stale and dropped when they reach the top. Measured on A*, this is
faster than an indexed heap.
"""

from __future__ import annotations

import numpy as np

from phil.compiled import Array1, Struct, primitive

NODE_BITS = 31
NODE_MASK = 2**NODE_BITS - 1
MOST_ORDERS = 2**32 - 1
LAST_TAG = 2**63 - 1

CHILDREN = 4  # per entry: half the levels of a binary heap, and siblings share a cache line
PADDING = CHILDREN  # entries after the last one, so that every entry has all its children


class Heap(Struct):
    """The entries in heap order; the first `size[0]` are in use."""

    keys: Array1[np.float64]
    tags: Array1[np.int64]
    size: Array1[np.int64]


def allocate_heap(room: int) -> Heap:
    """An empty heap with room for `room` entries."""
    keys = np.full(room + PADDING, np.inf)
    return Heap(keys, np.full(room + PADDING, LAST_TAG), np.zeros(1, np.int64))


def room_of(heap: Heap) -> int:
    """The number of entries that a heap can hold."""
    return heap.keys.size - PADDING


def with_room(heap: Heap, room: int) -> Heap:
    """The same entries with room for `room` entries; the heap itself if it is large enough."""
    if room_of(heap) >= room:
        return heap
    larger = allocate_heap(room)
    used = heap.size[0]
    larger.keys[:used] = heap.keys[:used]
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
def _before(key: float, tag: int, other_key: float, other_tag: int) -> bool:
    # No short-circuiting: which entry comes first is unpredictable, so a branch would cost more.
    return (key < other_key) | ((key == other_key) & (tag < other_tag))


@primitive
def _sift_up(heap: Heap, hole: int, key: float, tag: int) -> None:
    keys, tags = heap.keys, heap.tags
    at = hole
    while at > 0:
        above = (at - 1) // CHILDREN
        if _before(keys[above], tags[above], key, tag):
            break
        keys[at] = keys[above]
        tags[at] = tags[above]
        at = above
    keys[at] = key
    tags[at] = tag


@primitive
def put(heap: Heap, key: float, tag: int) -> None:
    """Insert an entry; there must be room."""
    heap.size[0] += 1
    _sift_up(heap, heap.size[0] - 1, key, tag)


@primitive
def drop(heap: Heap) -> None:
    """Remove the first entry: the hole sinks to a leaf, which the last entry then fills."""
    keys, tags = heap.keys, heap.tags
    size = heap.size[0] - 1
    heap.size[0] = size
    key, tag = keys[size], tags[size]
    keys[size] = np.inf  # padding must never come first
    tags[size] = LAST_TAG
    hole = 0
    child = 1
    while child < size:
        left = _before(keys[child + 1], tags[child + 1], keys[child], tags[child])
        right = _before(keys[child + 3], tags[child + 3], keys[child + 2], tags[child + 2])
        one = child + left
        two = child + 2 + right
        least = two if _before(keys[two], tags[two], keys[one], tags[one]) else one
        keys[hole] = keys[least]
        tags[hole] = tags[least]
        hole = least
        child = CHILDREN * hole + 1
    if size > 0:
        _sift_up(heap, hole, key, tag)


@primitive
def clear(heap: Heap) -> None:
    """Remove all entries."""
    for position in range(heap.size[0]):
        heap.keys[position] = np.inf
        heap.tags[position] = LAST_TAG
    heap.size[0] = 0
