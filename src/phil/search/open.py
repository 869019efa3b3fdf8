"""OPEN: which node is expanded next, compiled.

Without a suboptimality bound, the node with the lowest key. With one, a search has two parts. While
SEEKING, it does the same until it reaches the goal. While PROVING, it proves that the path to the
goal is good enough, or finds a better one. No path costs less than LOWEST, the minimum of g + lower
bound over all open nodes; a path is good enough when CEILING, its cost, is at most BOUND times
LOWEST. To raise LOWEST, nodes that do not exceed it are expanded by their keys; the others wait.

A closed node with a better path waits too, unless the key includes the path cost. When LOWEST
reaches it, its path is optimal, so it is expanded again only once. (Measured: if all nodes below
BOUND times LOWEST are expanded by their keys, and closed nodes again as soon as they have a better
path, most of the search can go into expanding the same nodes again.)
"""

from __future__ import annotations

import numpy as np

from phil.compiled import kernel, primitive
from phil.graphs.arrays import GraphArrays
from phil.graphs.lower_bound import least_cost
from phil.search.heap import (
    LAST_RANK,
    LAST_TAG,
    MOST_ORDERS,
    PADDING,
    Heap,
    clear,
    drop,
    key_at,
    make_tag,
    node_of,
    order_of,
    put,
)
from phil.search.state import (
    BOUND,
    CEILING,
    COUNTERS,
    EMPTY,
    GENERATED,
    LOWEST,
    MET,
    NONE,
    OPEN,
    OPEN_NODES,
    ORDER,
    PART,
    PROVEN,
    PROVING,
    ROUNDING,
    SEARCH,
    SEEKING,
    State,
    is_open,
    stage_stamp,
    was_closed,
)


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
    """Insert a node into OPEN by its key, after all nodes with an equal key.

    Its previous entry in OPEN, if any, becomes stale. If the key does not include the path cost, a
    node in OPEN that gets a better path keeps its place.
    """
    record = state.nodes[node]
    part = state.bounds[PART]
    record.stamp = max(record.stamp, stage_stamp(state, OPEN))  # OPEN_AGAIN stays what it is
    again = was_closed(state, node)
    order = state.counters[ORDER] + 1
    if record.order == 0 or state.weights[0] != 0.0:
        state.counters[ORDER] = order
        record.order = order
    elif part == SEEKING and not again:
        return
    else:
        order = np.int64(record.order)
    tag = make_tag(order, node)
    if part == PROVING or (part == SEEKING and again and state.weights[0] == 0.0):
        total = record.g + least_cost(graph, state.lower, node)
        if part == SEEKING or total > state.bounds[LOWEST] * ROUNDING:
            put(state.waiting, total, tag)
            return
    put(state.open, key_of(state, node), tag)


@primitive
def drop_stale(state: State, heap: Heap) -> None:
    """Remove stale entries from the top."""
    while heap.size[0] > 0:
        tag = heap.tags[0]
        if state.nodes[node_of(tag)].order == order_of(tag):
            return
        drop(heap)


@primitive
def best(state: State) -> int:
    """The node with the lowest key, left in OPEN; NONE if OPEN is empty."""
    drop_stale(state, state.open)
    return node_of(state.open.tags[0]) if state.open.size[0] > 0 else NONE


@primitive
def choose(state: State, goal: int) -> int:
    """The node to expand next, left in OPEN, or a code: EMPTY, MET or PROVEN."""
    if state.bounds[PART] == PROVING:
        return _choose_to_prove(state, goal)
    node = best(state)
    if node == NONE:
        return EMPTY
    return MET if node == goal and state.bounds[PART] == SEEKING else node


@primitive
def _choose_to_prove(state: State, goal: int) -> int:
    bounds = state.bounds
    cost = state.nodes[goal].g
    unclosed = is_open(state, goal) and not was_closed(state, goal)
    if unclosed:
        bounds[CEILING] = min(bounds[CEILING], cost)
    elif was_closed(state, goal) and cost * ROUNDING < bounds[CEILING]:
        # The goal was closed, so a path was returned already: a better one follows at once.
        return goal
    node = best(state)
    if node == NONE:
        _raise_lowest(state)
        node = best(state)
    # An infinite bound times a LOWEST of 0 would be NaN.
    if bounds[BOUND] == np.inf or bounds[CEILING] <= bounds[BOUND] * bounds[LOWEST] * ROUNDING:
        return goal if unclosed else PROVEN
    return node


@primitive
def _raise_lowest(state: State) -> None:
    """Raise LOWEST to the lowest waiting node, and move the nodes it reaches into OPEN.

    Without waiting nodes it becomes infinite, like the key after the last entry of a heap.
    """
    waiting = state.waiting
    drop_stale(state, waiting)
    state.bounds[LOWEST] = max(state.bounds[LOWEST], key_at(waiting, 0))
    while waiting.size[0] > 0 and key_at(waiting, 0) <= state.bounds[LOWEST] * ROUNDING:
        tag = waiting.tags[0]
        drop(waiting)
        if state.nodes[node_of(tag)].order == order_of(tag):
            put(state.open, key_of(state, node_of(tag)), tag)


@primitive
def is_full(state: State) -> bool:
    """Whether OPEN might lack room for all that one expansion can insert."""
    needed = state.new.size
    if state.counters[ORDER] + needed > MOST_ORDERS:
        return True
    # A waiting node may enter OPEN at any time.
    entries = state.open.size[0] + state.waiting.size[0]
    return entries + needed > state.open.tags.size - PADDING


@kernel
def lowest(state: State, graph: GraphArrays) -> float:
    """A lower bound on the cost of a path through any open node; inf if there is none."""
    least = np.inf
    for heap in (state.open, state.waiting):
        for position in range(heap.size[0]):
            tag = heap.tags[position]
            node = node_of(tag)
            if state.nodes[node].order == order_of(tag):
                least = min(least, state.nodes[node].g + least_cost(graph, state.lower, node))
    return least


@kernel
def prove(state: State, graph: GraphArrays, bound: float, ceiling: float) -> None:
    """Start proving that a path is good enough: all but the lowest nodes of OPEN wait."""
    bounds = state.bounds
    bounds[PART] = PROVING
    bounds[BOUND] = bound
    bounds[CEILING] = ceiling
    bounds[LOWEST] = max(bounds[LOWEST], lowest(state, graph))
    heap = state.open
    entries = heap.size[0]
    heap.size[0] = 0
    for position in range(entries):
        # The heap rebuilt in place is never longer than what has been read.
        key, tag = key_at(heap, position), heap.tags[position]
        heap.ranks[position], heap.tags[position] = LAST_RANK, LAST_TAG
        node = node_of(tag)
        if state.nodes[node].order != order_of(tag):
            continue
        total = state.nodes[node].g + least_cost(graph, state.lower, node)
        if total <= bounds[LOWEST] * ROUNDING:
            put(heap, key, tag)
        else:
            put(state.waiting, total, tag)


@kernel
def begin(state: State, start: int) -> None:
    """Start a new search with OPEN = {start}."""
    search = state.counters[SEARCH] + 1
    for row in range(COUNTERS):
        state.counters[row] = 0
    state.counters[SEARCH] = search
    clear(state.open)
    clear(state.waiting)
    state.bounds[LOWEST] = 0.0
    record = state.nodes[start]
    record.g = 0.0
    record.h = 0.0
    record.depth = 0
    record.parent = NONE
    state.counters[GENERATED] = 1
    state.counters[OPEN_NODES] = 1
    state.counters[ORDER] = 1
    record.order = 1
    record.stamp = stage_stamp(state, OPEN)
    put(state.open, 0.0, make_tag(1, start))
