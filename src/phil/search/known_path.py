"""The cheapest path inside what a search knows, compiled.

A greedy search does not ask what a path costs, so its parents zigzag. When it has reached the goal,
it has seen more edges than it followed: those of every node that it expanded. The cheapest path
over these edges is found by A*, with the cost through free cells as lower bound on a grid and none
elsewhere. No neighbours are computed for it and nothing is expanded, so no counter changes.

If the search is over, this happens in its own state: `g` and `parent` become those of the cheapest
path, a negative `depth` marks what has been reached, and OPEN becomes the queue. A search that goes
on lends its stamps, and another state is worked in.
"""

from __future__ import annotations

import numpy as np

from phil.compiled import kernel, primitive
from phil.graphs.arrays import GraphArrays, cost_of, degree_of, place_of_node, target_of
from phil.graphs.lower_bound import least_cost
from phil.search.expand import IMPROVEMENT
from phil.search.heap import PADDING, clear, drop, key_at, node_of, put
from phil.search.state import CLOSED, FULL, NEW, NONE, ROUNDING, State, is_shared, stage_stamp

# Which edges a search has seen: none that matter, those that lead away from expanded nodes, those
# at either end of expanded nodes, or (of a search from both ends of a directed graph) those that
# lead away from nodes expanded from the start, and to nodes expanded from the goal.
UNSEEN, AWAY, EITHER_END, FROM_BOTH_ENDS = 0, 1, 2, 3

REACHED, SETTLED = -1, -2  # in place of the depth


@kernel
def find_known_path(
    known: State, state: State, graph: GraphArrays, start: int, goal: int, cost: float, seen: int
) -> int:
    """Look for a path that costs less than `cost` over the edges that the search `known` has seen.

    Returns 1 if the parents in `state` now lead along the cheapest one, 0 if there is none, or FULL
    if OPEN must have more room there before the next call, which continues.
    """
    enough = IMPROVEMENT * cost
    queue = state.open
    if state.nodes[start].depth >= 0:
        clear(queue)
        _reach(state, start, NONE, 0.0)
        put(queue, least_cost(graph, state.lower, start), start)
    # On a graph without weights, every edge costs 1.
    unit = 1.0 if graph.free.size == 0 and graph.weights.size == 0 else 0.0
    current = stage_stamp(state, NEW)
    while queue.size[0] > 0:
        node = node_of(queue.tags[0])
        if queue.size[0] + degree_of(graph, node) > queue.tags.size - PADDING:
            return FULL
        if key_at(queue, 0) >= enough:
            return 0
        if node == goal:
            return 1
        drop(queue)
        record = state.nodes[node]
        if record.depth == SETTLED:
            continue  # it has left the queue before, with a lower key
        record.depth = SETTLED
        all_seen = _is_own(known, node, goal) or (seen != FROM_BOTH_ENDS and is_shared(known, node))
        place = place_of_node(graph, node)
        for edge in range(degree_of(graph, node)):
            near = target_of(graph, node, place, edge)
            if near < 0:
                continue
            other = state.nodes[np.uintp(near)]
            through = record.g + cost_of(graph, place, edge)
            if other.stamp >= current and (
                other.depth == SETTLED
                or (other.depth == REACHED and through >= IMPROVEMENT * other.g)
            ):
                continue
            if not all_seen and not _is_seen_at(known, near, goal, seen):
                continue
            left = least_cost(graph, state.lower, near)
            if near != goal:
                if seen == AWAY and not _is_expanded(known, near, goal):
                    continue  # nothing is known to lead away from it
                if through + max(left, unit) >= enough:
                    continue
            _reach(state, near, node, through)
            # Of equal sums, the one closest to the goal comes first.
            put(queue, through + ROUNDING * left, near)
    return 0


@primitive
def _reach(state: State, node: int, parent: int, g: float) -> None:
    record = state.nodes[node]
    record.stamp = max(record.stamp, stage_stamp(state, NEW))  # perhaps only the twin knew it
    record.depth = REACHED
    record.parent = parent
    record.g = g


@primitive
def _is_seen_at(known: State, near: int, goal: int, seen: int) -> bool:
    """Whether the search has seen the edges that lead to a node."""
    if seen == FROM_BOTH_ENDS:
        return is_shared(known, near)
    return seen == EITHER_END and _is_expanded(known, near, goal)


@primitive
def _is_expanded(known: State, node: int, goal: int) -> bool:
    """Whether the search, or its twin, has computed a node's neighbours to expand it."""
    return _is_own(known, node, goal) or is_shared(known, node)


@primitive
def _is_own(known: State, node: int, goal: int) -> bool:
    # The search ends with the goal, whose neighbours it does not compute.
    return bool(node != goal and known.nodes[node].stamp >= stage_stamp(known, CLOSED))
