"""The queues of MHA*, one per heuristic, and its two ways of choosing the next node, compiled.

The queues share the records of `State`: a node has the same tag in all of them, so its entries
become stale in all of them when it is expanded from one, or gets a better path.

In turn: several greedy searches that share what they discover, which is the MHA* that the SaIL
paper compares with. A new node enters the queue of every heuristic by that heuristic's value. The
queues take turns to expand one node each, and a node expanded from one leaves all.

Within a bound: SMHA* of Aine et al. (2016). The anchor queue is `State.open`, by
g + w1 * lower bound; its lowest key never exceeds w1 times the optimal cost. Each heuristic has a
queue by g + w1 * value. On a queue's turn, its first node is expanded if its key is at most w2
times the anchor's lowest key, and the anchor's first node otherwise. The search ends when the path
to the goal costs no more than the next key, hence at most w1 * w2 times the optimal cost. A node
expanded from a heuristic's queue (CLOSED) re-enters only the anchor if it gets a better path; one
expanded from the anchor (FINAL) never does. So no node is expanded more than twice.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from phil.compiled import Array1, Array2, Struct, kernel, primitive
from phil.graphs.arrays import GraphArrays, degree_of, place_of_node, target_of
from phil.graphs.lower_bound import least_cost
from phil.memory import check_memory
from phil.search.expand import insert, once_known, try_close
from phil.search.heap import (
    PADDING,
    Heap,
    allocate_heap,
    key_at,
    make_tag,
    node_of,
    put,
    room_of,
    with_room,
)
from phil.search.open import best, drop_stale, key_of
from phil.search.state import (
    BAD_NODE,
    EMPTY,
    EVALUATIONS,
    FINAL,
    FIRST_ROOM,
    FULL,
    LOWEST,
    NONE,
    NOT_A_NUMBER,
    OPEN,
    ORDER,
    PENDING,
    State,
    is_open,
    stage_stamp,
)


class Queues(Struct):
    """One queue per heuristic, and the heuristics' values."""

    heaps: tuple[Heap, ...]
    values: Array2[np.float64]  # (heuristics, degree): of V_new
    known: Array2[np.float64]  # (nodes, heuristics): of all nodes; empty if keys never change
    turn: Array1[np.int64]  # [0]: the queue whose turn it is
    w2: float  # a key may be this many times the anchor's lowest key


def allocate_queues(count: int, nodes: int, degree: int, w2: float) -> Queues:
    """Empty queues, with room for the values of `nodes` nodes."""
    check_memory(8 * count * nodes, f"{count} heuristics on a graph of {nodes:,} nodes")
    return Queues(
        heaps=tuple(allocate_heap(FIRST_ROOM + degree) for _ in range(count)),
        values=np.empty((count, degree)),
        known=np.empty((nodes, count)),
        turn=np.zeros(1, np.int64),
        w2=w2,
    )


def make_longer(queues: Queues) -> None:
    """Double the room of all queues."""
    queues.heaps = tuple(with_room(heap, 2 * room_of(heap)) for heap in queues.heaps)


def make_room_for_values(queues: Queues, nodes: int, degree: int) -> None:
    """Make room for more nodes, or nodes with more neighbours; no V_new may be pending."""
    count = len(queues.values)
    if queues.values.shape[1] < degree:
        queues.values = np.empty((count, degree))
    met = len(queues.known)
    if 0 < met < nodes:
        known = np.empty((nodes, count))
        known[:met] = queues.known
        queues.known = known


@primitive
def tag_of(state: State, node: int) -> int:
    """The tag of a node's valid entries."""
    order: Any = np.int64(state.nodes[node].order)  # shifted, the 32 bits of the record overflow
    return make_tag(order, node)


@primitive
def pass_turn(queues: Queues) -> None:
    """Pass the turn to the next queue."""
    queues.turn[0] = (queues.turn[0] + 1) % len(queues.heaps)


@primitive
def are_full(state: State, queues: Queues) -> bool:
    """Whether a queue might lack room for all that one expansion can insert."""
    for number in range(len(queues.heaps)):
        heap = queues.heaps[number]
        if heap.size[0] + state.new.size > heap.tags.size - PADDING:
            return True
    return False


@kernel
def enter_start(state: State, queues: Queues, start: int) -> None:
    """Insert the start into every queue."""
    tag = tag_of(state, start)
    for number in range(len(queues.heaps)):
        put(queues.heaps[number], 0.0, tag)


@primitive
def enter_in_turn(state: State, queues: Queues, count: int) -> None:
    """Insert the first `count` nodes of V_new into all queues by the values there."""
    counters = state.counters
    counters[EVALUATIONS] += count * len(queues.heaps)
    for k in range(count):
        node = state.new[k]
        counters[ORDER] += 1
        state.nodes[node].stamp = stage_stamp(state, OPEN)
        state.nodes[node].order = counters[ORDER]
        tag = tag_of(state, node)
        for number in range(len(queues.heaps)):
            value = queues.values[number, k]
            if value != value:
                counters[BAD_NODE] = node + 1
            put(queues.heaps[number], value, tag)


@primitive
def expand_in_turn(state: State, queues: Queues, graph: GraphArrays, goal: int, budget: int) -> int:
    """Expand the first node of the queue whose turn it is (see `expand`)."""
    if state.counters[BAD_NODE] != 0:
        return NOT_A_NUMBER
    if are_full(state, queues):
        return FULL
    queue = queues.heaps[queues.turn[0]]
    drop_stale(state, queue)
    if queue.size[0] == 0:  # then all are empty
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
    enter_in_turn(state, queues, given)
    count = int(state.counters[PENDING])
    if count == 0:
        count = expand_in_turn(state, queues, graph, goal, budget)
    return once_known(state, graph, count, ahead)


@primitive
def _offer(state: State, queues: Queues, node: int) -> None:
    """Insert a node, which has its tag, into every queue that may expand it by the anchor's key."""
    record = state.nodes[node]
    tag = tag_of(state, node)
    highest = queues.w2 * key_of(state, node)
    for number in range(len(queues.heaps)):
        key = record.g + state.weights[1] * queues.known[node, number]
        if key <= highest:
            put(queues.heaps[number], key, tag)


@primitive
def enter_within_bound(
    state: State, queues: Queues, graph: GraphArrays, goal: int, count: int
) -> None:
    """Insert the first `count` nodes of V_new into the anchor, and into queues by their values."""
    for k in range(count):
        node = state.new[k]
        state.values[k] = least_cost(graph, state.lower, node)
        for number in range(len(queues.heaps)):
            value = queues.values[number, k]
            if value != value:
                state.counters[BAD_NODE] = node + 1
            # Nothing remains at the goal, so its key is the cost of its path.
            queues.known[node, number] = 0.0 if node == goal else value
    insert(state, graph, count)
    state.counters[EVALUATIONS] += count * (len(queues.heaps) - 1)
    for k in range(count):
        _offer(state, queues, state.new[k])


@primitive
def expand_within_bound(
    state: State, queues: Queues, graph: GraphArrays, goal: int, budget: int
) -> int:
    """Expand the first node of a queue or of the anchor (see `expand`)."""
    if state.counters[BAD_NODE] != 0:
        return NOT_A_NUMBER
    if are_full(state, queues):
        return FULL
    node = best(state)
    if node == NONE:  # a node in any queue is in the anchor too
        return EMPTY
    key = key_at(state.open, 0)
    state.bounds[LOWEST] = max(state.bounds[LOWEST], key / state.weights[1])
    queue = queues.heaps[queues.turn[0]]
    drop_stale(state, queue)
    by_anchor = queue.size[0] == 0 or key_at(queue, 0) > queues.w2 * key
    if not by_anchor:
        node = node_of(queue.tags[0])
        key = key_at(queue, 0)
    if is_open(state, goal) and state.nodes[goal].g <= key:
        node = goal
    before = state.counters[ORDER]
    count = try_close(state, graph, node, goal, budget)
    if count >= 0:
        pass_turn(queues)
        if by_anchor:
            state.nodes[node].stamp = stage_stamp(state, FINAL)
        place = place_of_node(graph, node)
        for edge in range(degree_of(graph, node)):
            near = target_of(graph, node, place, edge)
            if near < 0:
                continue
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
    enter_within_bound(state, queues, graph, goal, given)
    count = int(state.counters[PENDING])
    if count == 0:
        count = expand_within_bound(state, queues, graph, goal, budget)
    return once_known(state, graph, count, ahead)
