"""Which node is expanded next by a search with a suboptimality bound, compiled.

While SEEKING, a search with a bound expands the node with the lowest key until it reaches the goal.
From then on it has a path, whose cost is CEILING, and a lower bound on the cost of any path,
LOWEST: the minimum of g + lower bound over all open nodes. It is over when CEILING is at most BOUND
times LOWEST. Both sides are worked on.

While IMPROVING, it lowers CEILING in passes: it expands the open nodes on the path and those beside
it, which gives a better path, and so on until that gains little or has cost enough. The paths of
greedy searches zigzag, and most of that is mended one step beside the path.

While PROVING, it raises LOWEST. Only nodes whose g + lower bound is below CEILING / BOUND stand in
the way; they are expanded in the order of weighted A*, which may find a better path, after which
fewer do. From time to time the search looks for a cheaper path over all edges that it has seen
(`phil.search.known_path`), which takes no expansion.

All along, g is the least cost over the edges that lead away from closed nodes: when a closed node
gets a better path, it passes it on to its neighbours, which are known
(`phil.search.expand.pass_on`). So no node is expanded twice, and LOWEST is a lower bound even if
that of the nodes is inconsistent.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel, primitive, routine
from phil.graphs.arrays import GraphArrays, degree_of, is_known, place_of_node, target_of
from phil.graphs.lower_bound import least_cost
from phil.search.heap import clear, drop, key_at, make_tag, node_of, order_of, put
from phil.search.open import best, drop_stale, proof_key
from phil.search.state import (
    BOUND,
    CEILING,
    EMPTY,
    EXPANSIONS,
    IMPROVING,
    LAST_PASS,
    LOWEST,
    MET,
    NEXT_LOOK,
    NONE,
    OPEN,
    PART,
    PASS_CEILING,
    PROVEN,
    PROVING,
    ROUNDING,
    SEEKING,
    State,
    stage_stamp,
    was_closed,
)

# MOST_IMPROVING was chosen on validation problems of a city and of families of maps.
GAIN = 1e-3  # another pass follows one that lowers the cost by this share,
MOST_IMPROVING = 5  # as long as fewer expansions were made than this many times those of SEEKING
LOOK_AFTER = 1.1  # times the expansions at the last look for a cheaper path


@primitive
def choose(state: State, graph: GraphArrays, goal: int) -> int:
    """The node to expand next, left in OPEN, or a code: EMPTY, MET or PROVEN."""
    if state.bounds[PART] >= IMPROVING:
        return _choose_to_prove(state, graph, goal)
    node = best(state)
    if node == NONE:
        return EMPTY
    return MET if node == goal and state.bounds[PART] == SEEKING else node


@routine
def _choose_to_prove(state: State, graph: GraphArrays, goal: int) -> int:
    bounds = state.bounds
    cost = state.nodes[goal].g
    unclosed = state.nodes[goal].stamp == stage_stamp(state, OPEN)
    if unclosed:
        bounds[CEILING] = min(bounds[CEILING], cost)
    elif was_closed(state, goal) and cost * ROUNDING < bounds[CEILING]:
        # The goal was closed, so a path was returned already: a better one follows at once.
        return goal
    waiting = state.waiting
    drop_stale(state, waiting)
    # Without waiting nodes it becomes infinite, like the key after the last entry of a heap.
    bounds[LOWEST] = max(bounds[LOWEST], key_at(waiting, 0))
    # An infinite bound times a LOWEST of 0 would be NaN.
    if bounds[BOUND] == np.inf or bounds[CEILING] <= bounds[BOUND] * bounds[LOWEST] * ROUNDING:
        return goal if unclosed else PROVEN
    heap = state.open
    if bounds[PART] == IMPROVING:
        while heap.size[0] > 0 and state.counters[EXPANSIONS] < bounds[LAST_PASS]:
            node = node_of(heap.tags[0])
            is_open = state.nodes[node].stamp == stage_stamp(state, OPEN)
            if is_open and _total(state, graph, node) < bounds[CEILING]:
                return node
            drop(heap)
        return MET
    if unclosed and state.counters[EXPANSIONS] >= bounds[NEXT_LOOK]:
        return MET
    while True:
        node = best(state)
        if node == NONE or _total(state, graph, node) * bounds[BOUND] < bounds[CEILING]:
            break
        drop(heap)
    if node == NONE:  # nothing stands in the way
        return goal if unclosed else PROVEN
    return node


@primitive
def _total(state: State, graph: GraphArrays, node: int) -> float:
    """A lower bound on the cost of a path through a node."""
    return float(state.nodes[node].g) + least_cost(graph, state.lower, node)


@kernel
def lowest(state: State, graph: GraphArrays) -> float:
    """A lower bound on the cost of a path through any open node; inf if there is none."""
    least = np.inf
    for heap in (state.open, state.waiting):
        for position in range(heap.size[0]):
            tag = heap.tags[position]
            if state.nodes[node_of(tag)].order == order_of(tag):
                least = min(least, _total(state, graph, node_of(tag)))
    for position in range(state.again.size[0]):
        least = min(least, _total(state, graph, node_of(state.again.tags[position])))
    return least


@kernel
def room_for_pass(graph: GraphArrays, path: NDArray[np.int64]) -> int:
    """The most entries that a pass along a path can put into OPEN."""
    total = path.size
    for position in range(path.size - 1):
        if is_known(graph, path[position]):
            total += degree_of(graph, path[position])
    return total


@kernel
def improve(state: State, graph: GraphArrays, bound: float, ceiling: float) -> None:
    """Prove that a path to the goal, of cost `ceiling`, is good enough, or find a better one."""
    bounds = state.bounds
    bounds[BOUND] = bound
    bounds[CEILING] = ceiling
    if bounds[PART] == SEEKING:
        bounds[PART] = IMPROVING
        bounds[LAST_PASS] = MOST_IMPROVING * state.counters[EXPANSIONS]
        heap = state.open
        for position in range(heap.size[0]):
            tag = heap.tags[position]
            node = node_of(tag)
            if state.nodes[node].order != order_of(tag):
                continue
            if was_closed(state, node):
                put(state.again, state.nodes[node].g, make_tag(0, node))
                state.nodes[node].order = 0
            else:
                put(state.waiting, _total(state, graph, node), tag)
        clear(heap)
        bounds[PASS_CEILING] = np.inf  # the first pass begins once better paths were passed on


@kernel
def go_on(state: State, graph: GraphArrays, path: NDArray[np.int64], ceiling: float) -> None:
    """Continue after a look for a cheaper path, which found this one.

    If IMPROVING, a pass is over: begin another one, or start PROVING.
    """
    bounds = state.bounds
    bounds[CEILING] = min(bounds[CEILING], ceiling)
    bounds[NEXT_LOOK] = LOOK_AFTER * state.counters[EXPANSIONS]
    if bounds[PART] == PROVING:
        return
    worth = bounds[CEILING] < (1.0 - GAIN) * bounds[PASS_CEILING]
    if worth and state.counters[EXPANSIONS] < bounds[LAST_PASS]:
        _begin_pass(state, graph, path)
        if state.open.size[0] > 0:
            return
    bounds[PART] = PROVING
    clear(state.open)
    for position in range(state.waiting.size[0]):
        tag = state.waiting.tags[position]
        node = node_of(tag)
        if state.nodes[node].order != order_of(tag):
            continue
        total = _total(state, graph, node)
        if total * bounds[BOUND] < bounds[CEILING]:
            put(state.open, proof_key(state, node, total), tag)


@primitive
def _begin_pass(state: State, graph: GraphArrays, path: NDArray[np.int64]) -> None:
    """Put the open nodes on a path, and those beside two nodes of it, into OPEN.

    They are ordered by the lower bound of paths through them. What lies beside one node of the path
    only, such as a side road, leads away from it.
    """
    bounds = state.bounds
    bounds[PASS_CEILING] = bounds[CEILING]
    clear(state.open)
    beside = state.again  # empty, and sorts what is beside the path: equal entries come together
    goal = path[path.size - 1]
    for position in range(path.size - 1):
        node = path[position]
        if _may_join(state, graph, node, goal):
            put(state.open, _total(state, graph, node), _tag_of(state, node))
            continue
        place = place_of_node(graph, node)
        for edge in range(degree_of(graph, node) if is_known(graph, node) else 0):
            near = target_of(graph, node, place, edge)
            if near >= 0 and _may_join(state, graph, near, goal):
                put(beside, _total(state, graph, near), _tag_of(state, near))
    last, times = 0, 0
    while beside.size[0] > 0:
        tag = beside.tags[0]
        times = times + 1 if tag == last else 1
        last = tag
        if times == 2:
            put(state.open, key_at(beside, 0), tag)
        drop(beside)


@primitive
def _may_join(state: State, graph: GraphArrays, node: int, goal: int) -> bool:
    is_open = node != goal and state.nodes[node].stamp == stage_stamp(state, OPEN)
    return is_open and _total(state, graph, node) < state.bounds[CEILING]


@primitive
def _tag_of(state: State, node: int) -> int:
    return make_tag(int(state.nodes[node].order), node)
