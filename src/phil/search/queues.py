"""Several queues over the nodes of one search, compiled: what MHA* keeps of each heuristic.

The queues share the records of `State`: a node has one tag in all of them, so that its entries are
stale in all of them when it is expanded from one, or gets a better path.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel, primitive
from phil.memory import check_memory
from phil.search.heap import LAST_TAG, PADDING, Heap, make_tag, put
from phil.search.state import FIRST_ROOM, State


class Queues(NamedTuple):
    """One queue per heuristic, each a row of the arrays (see `Heap`)."""

    keys: NDArray[np.float64]
    tags: NDArray[np.int64]
    sizes: NDArray[np.int64]
    values: NDArray[np.float64]  # (heuristics, degree): of V_new
    known: NDArray[np.float64]  # (nodes, heuristics): of all nodes met; empty if keys never change
    turn: NDArray[np.int64]  # [0]: the queue whose turn it is
    w2: float  # how many times the anchor's least key a key may be


def allocate_queues(count: int, nodes: int, degree: int, w2: float) -> Queues:
    """Empty queues, with room for the values of so many nodes."""
    check_memory(8 * count * nodes, f"{count} heuristics on a graph of {nodes:,} nodes")
    room = FIRST_ROOM + degree + PADDING
    return Queues(
        keys=np.full((count, room), np.inf),
        tags=np.full((count, room), LAST_TAG),
        sizes=np.zeros(count, np.int64),
        values=np.empty((count, degree)),
        known=np.empty((nodes, count)),
        turn=np.zeros(1, np.int64),
        w2=w2,
    )


def with_longer_queues(queues: Queues) -> Queues:
    """The same queues with twice the room."""
    count, room = queues.keys.shape
    keys, tags = np.full((count, 2 * room), np.inf), np.full((count, 2 * room), LAST_TAG)
    keys[:, :room] = queues.keys
    tags[:, :room] = queues.tags
    return queues._replace(keys=keys, tags=tags)


def with_values_of_more(queues: Queues, nodes: int, degree: int) -> Queues:
    """The same queues for more nodes, or nodes with more neighbours; no V_new may be waiting."""
    count = len(queues.values)
    if queues.values.shape[1] < degree:
        queues = queues._replace(values=np.empty((count, degree)))
    met = len(queues.known)
    if 0 < met < nodes:
        known = np.empty((nodes, count))
        known[:met] = queues.known
        queues = queues._replace(known=known)
    return queues


@primitive
def queue_of(queues: Queues, number: int) -> Heap:
    """One of the queues."""
    return Heap(queues.keys[number], queues.tags[number], queues.sizes[number : number + 1])


@primitive
def tag_of(state: State, node: int) -> int:
    """The tag of all of a node's entries that count."""
    order: Any = np.int64(state.nodes[node].order)  # shifted, the 32 bits of the record overflow
    return make_tag(order, node)


@primitive
def pass_turn(queues: Queues) -> None:
    """The next queue's turn comes."""
    queues.turn[0] = (queues.turn[0] + 1) % queues.sizes.size


@primitive
def are_full(state: State, queues: Queues) -> bool:
    """Whether a queue may have no room for all that one expansion can put into it."""
    longest = 0
    for number in range(queues.sizes.size):
        longest = max(longest, queues.sizes[number])
    return longest + state.new.size > queues.keys.shape[1] - PADDING


@kernel
def enter_start(state: State, queues: Queues, start: int) -> None:
    """Put the start into every queue."""
    tag = tag_of(state, start)
    for number in range(queues.sizes.size):
        put(queue_of(queues, number), 0.0, tag)
