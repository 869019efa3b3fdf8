"""MHA* with a bound on the path's cost, compiled: SMHA* of Aine et al. (2016).

The anchor is `State.open`, by g + w1 * lower bound: its least key is never above w1 times the least
cost of a path. Each heuristic has a queue by g + w1 * value. When the turn of a queue comes, its
first node is expanded if its key is at most w2 times the anchor's least key, else the anchor's
first. The search ends when the path to the goal costs no more than the key that stands next, hence
at most w1 * w2 times the least cost.

A node expanded from a queue of a heuristic (CLOSED) enters only the anchor again if it gets a
better path; expanded from the anchor (FINAL), it never does. So none is expanded more than twice.
"""

from __future__ import annotations

from phil.compiled import kernel, primitive
from phil.graphs.arrays import GraphArrays
from phil.graphs.lower_bound import least_cost
from phil.search.expand import insert, once_known, try_close
from phil.search.heap import node_of, put
from phil.search.open import best, drop_stale, key_of
from phil.search.queues import Queues, are_full, pass_turn, queue_of, tag_of
from phil.search.state import (
    BAD_NODE,
    EMPTY,
    EVALUATIONS,
    FINAL,
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
def _enter(state: State, queues: Queues, graph: GraphArrays, goal: int, count: int) -> None:
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
def _expand(state: State, queues: Queues, graph: GraphArrays, goal: int, budget: int) -> int:
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
    """Take in the values given for V_new, if any, and expand the next node (see `uncover`)."""
    _enter(state, queues, graph, goal, given)
    count = int(state.counters[PENDING])
    if count == 0:
        count = _expand(state, queues, graph, goal, budget)
    return once_known(state, graph, count, ahead)
