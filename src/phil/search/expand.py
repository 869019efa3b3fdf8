"""The two halves of a step of best-first search, compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel, primitive, routine
from phil.compiled.prefetch import prefetch_row
from phil.graphs.arrays import (
    GraphArrays,
    cost_of,
    degree_of,
    is_known,
    place_of_node,
    target_of,
)
from phil.search.heap import drop, node_of
from phil.search.open import best, is_full, push
from phil.search.proof import choose
from phil.search.state import (
    AHEAD,
    BAD_NODE,
    CLOSED,
    EVALUATIONS,
    EXPANDED,
    EXPANSIONS,
    FINAL,
    FOUND,
    FULL,
    GENERATED,
    IMPROVING,
    NEIGHBOR_CALLS,
    NEW,
    NONE,
    NOT_A_NUMBER,
    OPEN,
    OPEN_AGAIN,
    OPEN_NODES,
    PART,
    PAUSED,
    PENDING,
    PLAIN,
    REOPENED,
    SHARED,
    TRACED,
    UNGUIDED,
    UNGUIDED_CALLS,
    UNKNOWN,
    UNKNOWN_NEW,
    State,
    is_shared,
    stage_stamp,
    was_closed,
)

# Two sums of the same edge weights differ by rounding: a path must be better by more than that.
IMPROVEMENT = 1.0 - 1e-12


@primitive
def expand(state: State, graph: GraphArrays, goal: int, budget: int) -> int:
    """Move the best node of OPEN to CLOSE and discover its neighbours.

    Returns the number of new nodes (V_new, in `state.new`), or a negative code of
    `phil.search.state` that says why nothing was expanded (FOUND: the goal was moved to CLOSE).
    """
    if state.counters[BAD_NODE] != 0:
        return NOT_A_NUMBER
    if state.again.size[0] > 0:
        code = pass_on(state, graph, goal)
        if code < 0:
            return code
    node = choose(state, graph, goal)
    return node if node < 0 else try_close(state, graph, node, goal, budget)


@primitive
def try_close(state: State, graph: GraphArrays, node: int, goal: int, budget: int) -> int:
    """`close` the chosen node, or return a code that says why this must wait."""
    counters = state.counters
    if counters[EXPANSIONS] >= budget and not is_shared(state, node):
        return PAUSED
    if is_full(state):
        return FULL
    if node != goal and not is_known(graph, node):
        counters[EXPANDED] = node
        return UNKNOWN
    if node_of(state.open.tags[0]) == node:
        drop(state.open)
    return close(state, graph, node, goal)


@primitive
def discover(state: State, graph: GraphArrays, goal: int, budget: int, ahead: bool) -> int:
    """`expand` for guides that may look ahead at the neighbours of V_new.

    With `ahead`, V_new is only returned once these are known. Until then the result is UNKNOWN_NEW,
    and the next call continues with the same V_new.
    """
    count = int(state.counters[PENDING])
    if count == 0:
        count = expand(state, graph, goal, budget)
    if graph.features.shape[0] > 0:
        # The guide reads these next; the rows of a large table are in no cache.
        for k in range(count):
            prefetch_row(graph.features, state.new[k])
    return once_known(state, graph, count, ahead)


@primitive
def once_known(state: State, graph: GraphArrays, count: int, ahead: bool) -> int:
    """The size of V_new, or UNKNOWN_NEW if a guide needs to look ahead but cannot yet."""
    counters = state.counters
    if count > 0 and ahead:
        counters[PENDING] = count
        for k in range(count):
            if not is_known(graph, state.new[k]):
                return UNKNOWN_NEW
    counters[PENDING] = 0
    return count


@primitive
def close(state: State, graph: GraphArrays, node: int, goal: int) -> int:
    """Move a node of OPEN to CLOSE and discover its neighbours (see `expand`)."""
    counters = state.counters
    record = state.nodes[node]
    again = record.stamp == stage_stamp(state, OPEN_AGAIN)
    record.stamp = stage_stamp(state, CLOSED)
    record.order = 0
    counters[EXPANDED] = node
    counters[OPEN_NODES] -= 1
    if is_shared(state, node):
        counters[SHARED] += 1
    else:
        counters[EXPANSIONS] += 1
        if again:
            counters[REOPENED] += 1
        if node != goal and not again:
            counters[NEIGHBOR_CALLS] += 1
        if counters[TRACED] < state.trace.size:
            _trace(state, node)
        if node == goal:
            return FOUND
    fresh = _reach(state, graph, node)
    counters[GENERATED] += fresh
    counters[OPEN_NODES] += fresh
    return fresh


@routine
def _trace(state: State, node: int) -> None:
    """Record the expansion of a node."""
    counters, record = state.counters, state.nodes[node]
    seen = state.trace[counters[TRACED]]
    seen.node = node
    seen.parent = record.parent
    seen.depth = record.depth
    seen.g = record.g
    seen.h = record.h
    seen.called = counters[NEIGHBOR_CALLS] + counters[AHEAD]
    seen.shown = counters[GENERATED] - counters[UNGUIDED] + counters[UNGUIDED_CALLS]
    counters[TRACED] += 1


@primitive
def _reach(state: State, graph: GraphArrays, node: int) -> int:
    """Give the neighbours of a node that is being closed their paths.

    Returns the number of new ones: V_new, in `state.new`.
    """
    counters = state.counters
    nodes = state.nodes
    fresh_stamp = stage_stamp(state, NEW)
    closed_stamp = stage_stamp(state, CLOSED)
    again_stamp = stage_stamp(state, OPEN_AGAIN)
    final_stamp = stage_stamp(state, FINAL)
    record = nodes[node]
    g = record.g
    depth = record.depth + 1
    better_counts = state.weights[0] != 0.0 or state.bounds[PART] != PLAIN
    # Proving a suboptimality bound requires following every better path.
    reopens = state.weights[3] != 0.0 or state.bounds[PART] != PLAIN
    fresh = 0
    place = place_of_node(graph, node)
    for edge in range(degree_of(graph, node)):
        near = target_of(graph, node, place, edge)
        if near < 0:
            continue
        other = nodes[np.uintp(near)]
        stamp = other.stamp
        through = g + cost_of(graph, place, edge)
        if stamp >= fresh_stamp and not (better_counts and through < IMPROVEMENT * other.g):
            continue
        if stamp == closed_stamp and not reopens:
            continue
        other.g = through
        other.depth = depth
        other.parent = node
        if stamp < fresh_stamp:
            other.stamp = fresh_stamp
            other.order = 0
            state.new[fresh] = near
            fresh += 1
        elif fresh_stamp < stamp < final_stamp:  # parallel edges to a new node: the better counts
            if stamp == closed_stamp:
                # A better path to a closed node, as inconsistent heuristics cause: without
                # reopening the node, the path found might not be optimal.
                other.stamp = again_stamp
                counters[OPEN_NODES] += 1
            push(state, graph, near)
    return fresh


@routine
def pass_on(state: State, graph: GraphArrays, goal: int) -> int:
    """Give better paths of closed nodes to their neighbours, which are known: it is no expansion.

    The node with the least cost comes first. Returns 0, or FULL if OPEN might lack room.
    """
    heap = state.again
    while heap.size[0] > 0:
        node = node_of(heap.tags[0])
        if node == goal or not was_closed(state, node):
            drop(heap)
            continue
        if is_full(state):
            return FULL
        drop(heap)
        state.nodes[node].stamp = stage_stamp(state, CLOSED)
        state.counters[OPEN_NODES] -= 1
        _reach(state, graph, node)
    return 0


@primitive
def insert(state: State, graph: GraphArrays, count: int) -> None:
    """Insert the first `count` nodes of V_new into OPEN with the values in `state.values`."""
    state.counters[EVALUATIONS] += count
    for k in range(count):
        node = state.new[k]
        value = state.values[k]
        if value != value:
            state.counters[BAD_NODE] = node + 1
        state.nodes[node].h = value
        push(state, graph, node)


@primitive
def insert_unguided(state: State, graph: GraphArrays, count: int) -> None:
    """Insert the first `count` nodes of V_new into OPEN without values, which a proof needs not."""
    counters = state.counters
    counters[UNGUIDED] += count
    expanded = state.nodes[counters[EXPANDED]]
    if expanded.h != expanded.h:
        counters[UNGUIDED_CALLS] += 1
    for k in range(count):
        node = state.new[k]
        state.nodes[node].h = np.nan  # never read, but here
        push(state, graph, node)


@kernel
def prove(state: State, graph: GraphArrays, goal: int, budget: int) -> int:
    """Search without a guide, once the goal was reached; return the code that says why it ended."""
    while True:
        count = expand(state, graph, goal, budget)
        if count < 0:
            return count
        insert_unguided(state, graph, count)


@primitive
def to_settle(state: State, graph: GraphArrays, goal: int, budget: int) -> int:
    """The best node of OPEN, if a guide may evaluate it again before it is expanded.

    NONE if it may not, or a code if that must wait, as it would for expanding the node.
    """
    counters = state.counters
    if counters[BAD_NODE] != 0 or counters[EXPANSIONS] >= budget or state.bounds[PART] >= IMPROVING:
        return NONE
    node = best(state)
    if node in (NONE, goal) or state.nodes[node].parent < 0 or was_closed(state, node):
        return NONE
    if is_full(state):
        return FULL
    if not is_known(graph, node):
        counters[EXPANDED] = node
        return UNKNOWN
    return node


@primitive
def reorder(state: State, graph: GraphArrays, node: int, value: float) -> None:
    """Give a node of OPEN a new value."""
    if value != value:
        state.counters[BAD_NODE] = node + 1
    state.nodes[node].h = value
    state.nodes[node].order = 0  # makes its entry stale, so that a new one is added
    push(state, graph, node)


@primitive
def revise(state: State, graph: GraphArrays, node: int, value: float) -> None:
    """Give a neighbour of the node just expanded, if it is in OPEN, a new value.

    Its path then leads through the expanded node (see `phil.search.guide.RevisingGuide`).
    """
    record = state.nodes[node]
    own_parents = state.weights[0] == 0.0 and state.bounds[PART] == PLAIN
    if not own_parents or record.stamp != stage_stamp(state, OPEN):
        return
    parent = state.counters[EXPANDED]
    place = place_of_node(graph, parent)
    for edge in range(degree_of(graph, parent)):
        if target_of(graph, parent, place, edge) == node:
            record.g = state.nodes[parent].g + cost_of(graph, place, edge)
            record.depth = state.nodes[parent].depth + 1
            record.parent = parent
            reorder(state, graph, node, value)
            return


@kernel
def path_cost(graph: GraphArrays, path: NDArray[np.int64]) -> float:
    """The sum of a path's edge weights; among parallel edges the cheapest counts.

    This may be less than the goal's g: a better path to a node on the way may have been found, but
    not yet propagated to the goal, when the goal was moved to CLOSE.
    """
    total = 0.0
    for step in range(path.size - 1):
        least = np.inf
        place = place_of_node(graph, path[step])
        for edge in range(degree_of(graph, path[step])):
            if target_of(graph, path[step], place, edge) == path[step + 1]:
                least = min(least, cost_of(graph, place, edge))
        total += least
    return total


@kernel
def next_new(state: State, graph: GraphArrays, goal: int, budget: int, ahead: bool) -> int:
    """`discover`, for guides in Python."""
    return discover(state, graph, goal, budget, ahead)


@kernel
def insert_new(state: State, graph: GraphArrays, count: int) -> None:
    """`insert`, for guides in Python."""
    insert(state, graph, count)


@kernel
def insert_new_unguided(state: State, graph: GraphArrays, count: int) -> None:
    """`insert_unguided`, for a lower bound in Python."""
    insert_unguided(state, graph, count)
