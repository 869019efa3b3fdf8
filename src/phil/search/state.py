"""The compiled primitives of every best-first search: OPEN, CLOSE, expand and insert.

A search alternates `expand`, which moves the best node of OPEN to CLOSE and uncovers its new
neighbours (V_new), and `insert`, which puts them into OPEN with the values that a guide gave them.
The state is a bundle of arrays indexed by node id. Nothing is cleared between searches: a node's
`stamp` says whether what is written about it belongs to the search at hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel, primitive

# What `expand` and the compiled loops return instead of a number of new nodes.
EMPTY = -1  # OPEN ran empty
FOUND = -2  # the goal was moved to CLOSE
PAUSED = -3  # the budget of expansions is used up

# Rows of `State.counters`.
SEARCH, ORDER, OPEN_SIZE, EXPANSIONS, REOPENED = 0, 1, 2, 3, 4
GENERATED, EVALUATIONS, NEIGHBOR_CALLS, TRACED, EXPANDED = 5, 6, 7, 8, 9
COUNTERS = 10

NOT_PLACED = -1  # in `State.place`: of a node of V_new, which waits for its value

# Two sums of the same edge costs differ by rounding: a path must be better by more than that.
IMPROVEMENT = 1.0 - 1e-12


@dataclass(frozen=True)
class Key:
    """The order of OPEN, least first: `g * path cost + h * heuristic value + depth * moves`.

    Equal keys leave OPEN in the order in which they entered it.
    """

    g: float
    h: float
    depth: float = 0.0


GREEDY = Key(g=0.0, h=1.0)
ASTAR = Key(g=1.0, h=1.0)
BFS = Key(g=0.0, h=0.0)


class State(NamedTuple):
    """The arrays of one search; `size` node ids, at most `degree` neighbours."""

    # OPEN: a binary heap over (key, order); `place` is where a node stands in it.
    keys: NDArray[np.float64]
    orders: NDArray[np.int64]
    heap: NDArray[np.int32]
    place: NDArray[np.int32]
    # What is known of a node; `stamp` is 2 * search while open, 2 * search + 1 when closed.
    stamp: NDArray[np.int64]
    g: NDArray[np.float64]
    h: NDArray[np.float64]
    depth: NDArray[np.int32]
    parent: NDArray[np.int32]
    # V_new of the last expansion, and room for its values.
    new: NDArray[np.int32]
    values: NDArray[np.float64]
    # Room for the neighbours of one node.
    near: NDArray[np.int32]
    edges: NDArray[np.int64]
    costs: NDArray[np.float64]
    trace: NDArray[np.int32]
    weights: NDArray[np.float64]
    counters: NDArray[np.int64]


def allocate(size: int, degree: int) -> State:
    """A state for graphs of up to `size` node ids."""
    return State(
        keys=np.empty(size),
        orders=np.empty(size, np.int64),
        heap=np.empty(size, np.int32),
        place=np.empty(size, np.int32),
        stamp=np.zeros(size, np.int64),
        # Zero, not empty: a key of weight 0 still multiplies them, and 0 * NaN is NaN.
        g=np.zeros(size),
        h=np.zeros(size),
        depth=np.zeros(size, np.int32),
        parent=np.empty(size, np.int32),
        new=np.empty(degree, np.int32),
        values=np.empty(degree),
        near=np.empty(degree, np.int32),
        edges=np.empty(degree, np.int64),
        costs=np.empty(degree),
        trace=np.empty(0, np.int32),
        weights=np.zeros(3),
        counters=np.zeros(COUNTERS, np.int64),
    )


class StatePool:
    """Lends states out and takes them back, so that a query allocates nothing in the long run."""

    KEPT = 4

    def __init__(self) -> None:
        self._free: list[State] = []
        self._lock = Lock()

    def take(self, size: int, degree: int) -> State:
        """A state that is large enough; its arrays may be longer than asked for."""
        with self._lock:
            for position, state in enumerate(self._free):
                if state.stamp.size >= size and state.new.size >= degree:
                    return self._free.pop(position)
        return allocate(size, degree)

    def give_back(self, state: State) -> None:
        """Keep a state for the next search; the smallest one goes when there are too many."""
        with self._lock:
            self._free.append(state)
            if len(self._free) > self.KEPT:
                self._free.sort(key=lambda kept: kept.stamp.size)
                self._free.pop(0)


@primitive
def _before(state: State, left: int, right: int) -> bool:
    if state.keys[left] != state.keys[right]:
        return state.keys[left] < state.keys[right]
    return state.orders[left] < state.orders[right]


@primitive
def _swap(state: State, left: int, right: int) -> None:
    key, order, node = state.keys[left], state.orders[left], state.heap[left]
    state.keys[left], state.orders[left], state.heap[left] = (
        state.keys[right],
        state.orders[right],
        state.heap[right],
    )
    state.keys[right], state.orders[right], state.heap[right] = key, order, node
    state.place[state.heap[left]] = left
    state.place[state.heap[right]] = right


@primitive
def _sift_up(state: State, at: int) -> None:
    while at > 0:
        above = (at - 1) // 2
        if not _before(state, at, above):
            return
        _swap(state, at, above)
        at = above


@primitive
def _sift_down(state: State, at: int) -> None:
    size = state.counters[OPEN_SIZE]
    while True:
        least = at
        for child in (2 * at + 1, 2 * at + 2):
            if child < size and _before(state, child, least):
                least = child
        if least == at:
            return
        _swap(state, at, least)
        at = least


@primitive
def push(state: State, node: int) -> None:
    """Put a node into OPEN by its key, behind all nodes with an equal one."""
    at = state.counters[OPEN_SIZE]
    state.counters[OPEN_SIZE] = at + 1
    state.heap[at] = node
    _set_key(state, node, at)
    state.place[node] = at
    _sift_up(state, at)


@primitive
def _set_key(state: State, node: int, at: int) -> None:
    key = state.weights[0] * state.g[node] + state.weights[2] * state.depth[node]
    if state.weights[1] != 0.0:  # an infinite value times 0 would be NaN
        key += state.weights[1] * state.h[node]
    state.keys[at] = key
    state.orders[at] = state.counters[ORDER]
    state.counters[ORDER] += 1


@primitive
def remove(state: State, at: int) -> int:
    """Take the node at a place of OPEN's heap out of it."""
    node = state.heap[at]
    last = state.counters[OPEN_SIZE] - 1
    state.counters[OPEN_SIZE] = last
    if at != last:
        _swap(state, at, last)
        _sift_up(state, at)
        _sift_down(state, at)
    return node


@kernel
def begin(state: State, start: int) -> None:
    """Start a new search with OPEN = {start}."""
    search = state.counters[SEARCH] + 1
    for row in range(COUNTERS):
        state.counters[row] = 0
    state.counters[SEARCH] = search
    state.stamp[start] = 2 * search
    state.g[start] = 0.0
    state.h[start] = 0.0
    state.depth[start] = 0
    state.parent[start] = -1
    state.counters[GENERATED] = 1
    push(state, start)


@primitive
def is_closed(state: State, node: int) -> bool:
    """Whether this search has expanded the node."""
    return state.stamp[node] == 2 * state.counters[SEARCH] + 1
