"""OPEN: the nodes that may be expanded next, compiled.

Without a suboptimality bound, the node with the lowest key comes first; with one, see
`phil.search.proof`.
"""

from __future__ import annotations

from phil.compiled import kernel, primitive
from phil.graphs.arrays import GraphArrays
from phil.graphs.lower_bound import least_cost
from phil.search.heap import (
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
    BOUND,
    CEILING,
    COUNTERS,
    GENERATED,
    LOWEST,
    NONE,
    OPEN,
    OPEN_NODES,
    ORDER,
    PART,
    PLAIN,
    PROVING,
    ROUNDING,
    SEARCH,
    SEEKING,
    State,
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
def proof_key(state: State, node: int, total: float) -> float:
    """The key of weighted A* with the lower bound: `total` is g + lower bound.

    Of nodes with equal keys, those with the least lower bound come first.
    """
    weight = state.bounds[BOUND] * ROUNDING
    return weight * total - (weight - 1.0) * state.nodes[node].g


@primitive
def push(state: State, graph: GraphArrays, node: int) -> None:
    """Insert a node into OPEN by its key, after all nodes with an equal key.

    Its previous entry in OPEN, if any, becomes stale. If the key does not include the path cost, a
    node in OPEN that gets a better path keeps its place. With a bound, a closed node with a better
    path is not put into OPEN, unless the key asks for it: see `phil.search.expand.pass_on`.
    """
    record = state.nodes[node]
    part = state.bounds[PART]
    record.stamp = max(record.stamp, stage_stamp(state, OPEN))  # OPEN_AGAIN stays what it is
    if part != PLAIN and (part != SEEKING or state.weights[0] == 0.0):
        if was_closed(state, node):
            put(state.again, record.g, make_tag(0, node))
            return
        if part == SEEKING and record.order != 0:
            return
    order = state.counters[ORDER] + 1
    state.counters[ORDER] = order
    record.order = order
    tag = make_tag(order, node)
    if part <= SEEKING:
        put(state.open, key_of(state, node), tag)
        return
    total = record.g + least_cost(graph, state.lower, node)
    put(state.waiting, total, tag)
    if part == PROVING and total * state.bounds[BOUND] < state.bounds[CEILING]:
        put(state.open, proof_key(state, node, total), tag)


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
def is_full(state: State) -> bool:
    """Whether OPEN might lack room for all that one expansion can insert."""
    needed = state.new.size
    if state.counters[ORDER] + needed > MOST_ORDERS:
        return True
    # Every node that waits may enter OPEN.
    entries = state.open.size[0] + state.waiting.size[0] + state.again.size[0]
    return entries + needed > state.open.tags.size - PADDING


@kernel
def begin(state: State, start: int) -> None:
    """Start a new search with OPEN = {start}."""
    search = state.counters[SEARCH] + 1
    for row in range(COUNTERS):
        state.counters[row] = 0
    state.counters[SEARCH] = search
    clear(state.open)
    clear(state.waiting)
    clear(state.again)
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
