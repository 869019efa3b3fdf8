"""The queues of MHA*, one per heuristic, and its two ways of choosing the next node, compiled.

The queues share the records of `State`: a node has one tag in all of them, so that its entries are
stale in all of them when it is expanded from one, or gets a better path.

In turn: several greedy searches that share what they discover, which is MHA* as SaIL's authors
compare with it. A new node enters the queue of every heuristic by its value there; the queues
expand one node each in turn, and a node expanded from one leaves all.

Within a bound: SMHA* of Aine et al. (2016). The anchor is `State.open`, by g + w1 * lower bound:
its least key is never above w1 times the least cost of a path. Each heuristic has a queue by
g + w1 * value. When the turn of a queue comes, its first node is expanded if its key is at most w2
times the anchor's least key, else the anchor's first. The search ends when the path to the goal
costs no more than the key that stands next, hence at most w1 * w2 times the least cost. A node
expanded from a queue of a heuristic (CLOSED) enters only the anchor again if it gets a better path;
expanded from the anchor (FINAL), it never does. So none is expanded more than twice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel, primitive
from phil.graphs.arrays import GraphArrays
from phil.graphs.lower_bound import least_cost
from phil.memory import check_memory
from phil.search.expand import insert, once_known, try_close
from phil.search.heap import LAST_TAG, PADDING, Heap, make_tag, node_of, put
from phil.search.open import best, drop_stale, key_of
from phil.search.state import (
    BAD_NODE,
    EMPTY,
    EVALUATIONS,
    FINAL,
    FIRST_ROOM,
    FULL,
    LOWEST,
    NEAR,
    NONE,
    NOT_A_NUMBER,
    OPEN,
    ORDER,
    PENDING,
    State,
    is_open,
    stage_stamp,
)


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
    longest: Any = 0
    for number in range(queues.sizes.size):
        longest = max(longest, queues.sizes[number])
    return bool(longest + state.new.size > queues.keys.shape[1] - PADDING)


@kernel
def enter_start(state: State, queues: Queues, start: int) -> None:
    """Put the start into every queue."""
    tag = tag_of(state, start)
    for number in range(queues.sizes.size):
        put(queue_of(queues, number), 0.0, tag)


@primitive
def _enter_all(state: State, queues: Queues, count: int) -> None:
    """Put the first `count` nodes of V_new into all queues by their values there."""
    counters = state.counters
    counters[EVALUATIONS] += count * queues.sizes.size
    for k in range(count):
        node = state.new[k]
        counters[ORDER] += 1
        state.nodes[node].stamp = stage_stamp(state, OPEN)
        state.nodes[node].order = counters[ORDER]
        tag = tag_of(state, node)
        for number in range(queues.sizes.size):
            value = queues.values[number, k]
            if value != value:
                counters[BAD_NODE] = node + 1
            put(queue_of(queues, number), value, tag)


@primitive
def _expand_next(state: State, queues: Queues, graph: GraphArrays, goal: int, budget: int) -> int:
    if state.counters[BAD_NODE] != 0:
        return NOT_A_NUMBER
    if are_full(state, queues):
        return FULL
    queue = queue_of(queues, queues.turn[0])
    drop_stale(state, queue)
    if queue.size[0] == 0:  # then they all are empty
        return EMPTY
    count = try_close(state, graph, node_of(queue.tags[0]), goal, budget)
    if count >= 0:
        pass_turn(queues)
    return count


@kernel
def advance_in_turn(
    state: State,
    queues: Queues,
    graph: GraphArrays,
    goal: int,
    budget: int,
    ahead: bool,
    given: int,
) -> int:
    """Take in the values given for V_new, if any, and expand the next node (see `discover`)."""
    _enter_all(state, queues, given)
    count = int(state.counters[PENDING])
    if count == 0:
        count = _expand_next(state, queues, graph, goal, budget)
    return once_known(state, graph, count, ahead)


@primitive
def _offer(state: State, queues: Queues, node: int) -> None:
    """Put a node into every queue that may expand it by the anchor's key; it has its tag."""
    record = state.nodes[node]
    tag = tag_of(state, node)
    highest = queues.w2 * key_of(state, node)
    for number in range(queues.sizes.size):
        key = record.g + state.weights[1] * queues.known[node, number]
        if key <= highest:
            put(queue_of(queues, number), key, tag)


@primitive
def _enter_bounded(state: State, queues: Queues, graph: GraphArrays, goal: int, count: int) -> None:
    """Put the first `count` nodes of V_new into the anchor, and into queues by the values given."""
    for k in range(count):
        node = state.new[k]
        state.values[k] = least_cost(graph, state.lower, node)
        for number in range(queues.sizes.size):
            value = queues.values[number, k]
            if value != value:
                state.counters[BAD_NODE] = node + 1
            # What is left to go at the goal is known: then its key is the cost of its path.
            queues.known[node, number] = 0.0 if node == goal else value
    insert(state, graph, count)
    state.counters[EVALUATIONS] += count * (queues.sizes.size - 1)
    for k in range(count):
        _offer(state, queues, state.new[k])


@primitive
def _expand_bounded(
    state: State, queues: Queues, graph: GraphArrays, goal: int, budget: int
) -> int:
    if state.counters[BAD_NODE] != 0:
        return NOT_A_NUMBER
    if are_full(state, queues):
        return FULL
    node = best(state)
    if node == NONE:  # a node in any queue is in the anchor too
        return EMPTY
    key = state.open.keys[0]
    state.bounds[LOWEST] = max(state.bounds[LOWEST], key / state.weights[1])
    queue = queue_of(queues, queues.turn[0])
    drop_stale(state, queue)
    by_anchor = queue.size[0] == 0 or queue.keys[0] > queues.w2 * key
    if not by_anchor:
        node = node_of(queue.tags[0])
        key = queue.keys[0]
    if is_open(state, goal) and state.nodes[goal].g <= key:
        node = goal
    before = state.counters[ORDER]
    count = try_close(state, graph, node, goal, budget)
    if count >= 0:
        pass_turn(queues)
        if by_anchor:
            state.nodes[node].stamp = stage_stamp(state, FINAL)
        for k in range(state.counters[NEAR]):
            near = state.near[k]
            known = state.nodes[near]
            if known.order > before and known.stamp == stage_stamp(state, OPEN):
                _offer(state, queues, near)
    return count


@kernel
def advance_within_bound(
    state: State,
    queues: Queues,
    graph: GraphArrays,
    goal: int,
    budget: int,
    ahead: bool,
    given: int,
) -> int:
    """Take in the values given for V_new, if any, and expand the next node (see `discover`)."""
    _enter_bounded(state, queues, graph, goal, given)
    count = int(state.counters[PENDING])
    if count == 0:
        count = _expand_bounded(state, queues, graph, goal, budget)
    return once_known(state, graph, count, ahead)
