"""OPEN: which node is expanded next, compiled.

Plainly, the node of least key. With a bound on the path's cost (focal search): of the open nodes
through which a path may cost at most FACTOR times LOWEST, the least that any path can cost, the one
of least key; the others wait. LOWEST is the least of g + lower bound over all open nodes, so it
never exceeds the cost of the best path, and the goal, once chosen, costs at most FACTOR times that.
CEILING is the cost of a path that is known already: nodes that cannot better it are left out.
"""

from __future__ import annotations

import numpy as np

from phil.compiled import kernel, primitive
from phil.graphs.arrays import GraphArrays
from phil.graphs.lower_bound import least_cost
from phil.search.heap import (
    LAST_TAG,
    MOST_ORDERS,
    PADDING,
    Heap,
    clear,
    drop,
    make_tag,
    node_of,
    order_of,
    put,
)
from phil.search.state import (
    CEILING,
    COUNTERS,
    FACTOR,
    GENERATED,
    LOWEST,
    NONE,
    OPEN,
    OPEN_NODES,
    ORDER,
    SEARCH,
    State,
    stage_stamp,
)

# Sums of the same edge costs differ by rounding: what is equal but for it counts as equal.
ROUNDING = 1.0 + 1e-12


@primitive
def key_of(state: State, node: int) -> float:
    """The key of a node: the weighted sum of g, h and depth."""
    record = state.nodes[node]
    key = state.weights[0] * record.g
    if state.weights[2] != 0.0:
        key += state.weights[2] * record.depth
    if state.weights[1] != 0.0:  # an infinite value times 0 would be NaN
        key += state.weights[1] * record.h
    return key


@primitive
def push(state: State, graph: GraphArrays, node: int) -> None:
    """Put a node into OPEN by its key, behind all nodes with an equal one.

    An entry that the node has in OPEN already becomes stale.
    """
    counters = state.counters
    counters[ORDER] += 1
    order = counters[ORDER]
    tag = make_tag(order, node)
    record = state.nodes[node]
    record.stamp = max(record.stamp, stage_stamp(state, OPEN))  # OPEN_AGAIN stays what it is
    record.order = order
    if state.bounds[FACTOR] == 0.0:
        put(state.open, key_of(state, node), tag)
        return
    total = record.g + least_cost(graph, state.lower, node)
    if total * ROUNDING >= state.bounds[CEILING]:
        return
    put(state.floor, total, tag)
    if total <= state.bounds[FACTOR] * state.bounds[LOWEST] * ROUNDING:
        put(state.open, key_of(state, node), tag)
    else:
        put(state.waiting, total, tag)


@primitive
def _drop_stale(state: State, heap: Heap) -> None:
    while heap.size[0] > 0:
        tag = heap.tags[0]
        if state.nodes[node_of(tag)].order == order_of(tag):
            return
        drop(heap)


@primitive
def best(state: State) -> int:
    """The node to expand next, left in OPEN; NONE if there is none."""
    if state.bounds[FACTOR] != 0.0:
        _admit(state)
    _drop_stale(state, state.open)
    if state.open.size[0] == 0:
        return NONE
    return node_of(state.open.tags[0])


@primitive
def _admit(state: State) -> None:
    """Raise LOWEST to what is proven now, and admit the waiting nodes that it allows."""
    _drop_stale(state, state.floor)
    if state.floor.size[0] == 0:
        return
    bounds = state.bounds
    bounds[LOWEST] = max(bounds[LOWEST], state.floor.keys[0])
    waiting = state.waiting
    while waiting.size[0] > 0 and waiting.keys[0] <= bounds[FACTOR] * bounds[LOWEST] * ROUNDING:
        tag = waiting.tags[0]
        drop(waiting)
        if state.nodes[node_of(tag)].order == order_of(tag):
            put(state.open, key_of(state, node_of(tag)), tag)


@primitive
def is_full(state: State) -> bool:
    """Whether OPEN may have no room for all that one expansion can put into it."""
    needed = state.new.size
    if state.counters[ORDER] + needed > MOST_ORDERS:
        return True
    # A waiting node may enter OPEN at any time.
    entries = state.open.size[0] + state.waiting.size[0]
    if state.bounds[FACTOR] != 0.0:
        entries = max(entries, state.floor.size[0])
    return entries + needed > state.open.keys.size - PADDING


@primitive
def is_proven(state: State) -> bool:
    """Whether the path that is known already is within the bound."""
    bounds = state.bounds
    return bounds[CEILING] <= bounds[FACTOR] * bounds[LOWEST] * ROUNDING


@kernel
def refocus(state: State, graph: GraphArrays, factor: float, ceiling: float) -> None:
    """Go on with another bound: admit or turn back the nodes of OPEN accordingly."""
    state.bounds[FACTOR] = factor
    state.bounds[CEILING] = ceiling
    heap = state.open
    entries = heap.size[0]
    heap.size[0] = 0
    for position in range(entries):
        # The heap built so far is never longer than what has been read of it.
        key, tag = heap.keys[position], heap.tags[position]
        heap.keys[position], heap.tags[position] = np.inf, LAST_TAG
        node = node_of(tag)
        if state.nodes[node].order != order_of(tag):
            continue
        total = state.nodes[node].g + least_cost(graph, state.lower, node)
        if total * ROUNDING >= ceiling:
            continue
        if total <= factor * state.bounds[LOWEST] * ROUNDING:
            put(heap, key, tag)
        else:
            put(state.waiting, total, tag)


@kernel
def begin(state: State, graph: GraphArrays, start: int) -> None:
    """Start a new search with OPEN = {start}."""
    search = state.counters[SEARCH] + 1
    for row in range(COUNTERS):
        state.counters[row] = 0
    state.counters[SEARCH] = search
    clear(state.open)
    clear(state.floor)
    clear(state.waiting)
    state.bounds[LOWEST] = least_cost(graph, state.lower, start)
    state.bounds[CEILING] = np.inf
    record = state.nodes[start]
    record.g = 0.0
    record.h = 0.0
    record.depth = 0
    record.parent = NONE
    state.counters[GENERATED] = 1
    state.counters[OPEN_NODES] = 1
    push(state, graph, start)
