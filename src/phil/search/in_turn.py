"""Several greedy searches that take turns and share what they uncover, compiled.

This is MHA* as SaIL's authors compare with it: a new node enters the queue of every heuristic by
its value there; the queues expand one node each in turn, and a node expanded from one leaves all.
"""

from __future__ import annotations

from phil.compiled import kernel, primitive
from phil.graphs.arrays import GraphArrays
from phil.search.expand import once_known, try_close
from phil.search.heap import node_of, put
from phil.search.open import drop_stale
from phil.search.queues import Queues, are_full, pass_turn, queue_of, tag_of
from phil.search.state import (
    BAD_NODE,
    EMPTY,
    EVALUATIONS,
    FULL,
    NOT_A_NUMBER,
    OPEN,
    ORDER,
    PENDING,
    State,
    stage_stamp,
)


@primitive
def _enter(state: State, queues: Queues, count: int) -> None:
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
def _expand(state: State, queues: Queues, graph: GraphArrays, goal: int, budget: int) -> int:
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
    """Take in the values given for V_new, if any, and expand the next node (see `uncover`)."""
    _enter(state, queues, given)
    count = int(state.counters[PENDING])
    if count == 0:
        count = _expand(state, queues, graph, goal, budget)
    return once_known(state, graph, count, ahead)
