"""The two halves of a step of best-first search, compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel, primitive
from phil.graphs.arrays import GraphArrays, neighbors
from phil.search.state import (
    EMPTY,
    EVALUATIONS,
    EXPANDED,
    EXPANSIONS,
    FOUND,
    GENERATED,
    IMPROVEMENT,
    NEIGHBOR_CALLS,
    NOT_PLACED,
    OPEN_SIZE,
    PAUSED,
    REOPENED,
    SEARCH,
    TRACED,
    State,
    push,
    remove,
)


@primitive
def expand(state: State, graph: GraphArrays, goal: int, budget: int) -> int:
    """Move the best node of OPEN to CLOSE and uncover its neighbours.

    Returns the number of new nodes (V_new, in `state.new`), or EMPTY, FOUND, or PAUSED when
    `budget` nodes have been expanded since the search began.
    """
    counters = state.counters
    if counters[OPEN_SIZE] == 0:
        return EMPTY
    if counters[EXPANSIONS] >= budget:
        return PAUSED
    return close(state, graph, remove(state, 0), goal)


@primitive
def close(state: State, graph: GraphArrays, node: int, goal: int) -> int:
    """Move a node, already out of OPEN, to CLOSE and uncover its neighbours (see `expand`)."""
    counters = state.counters
    opened = 2 * counters[SEARCH]
    state.stamp[node] = opened + 1
    counters[EXPANDED] = node
    counters[EXPANSIONS] += 1
    if counters[TRACED] < state.trace.size:
        state.trace[counters[TRACED]] = node
        counters[TRACED] += 1
    if node == goal:
        return FOUND
    counters[NEIGHBOR_CALLS] += 1
    fresh = 0
    for k in range(neighbors(graph, node, state.near, state.edges, state.costs)):
        other = state.near[k]
        through = state.g[node] + state.costs[k]
        seen = state.stamp[other] >= opened
        if seen and (state.weights[0] == 0.0 or through >= IMPROVEMENT * state.g[other]):
            continue
        state.g[other] = through
        state.depth[other] = state.depth[node] + 1
        state.parent[other] = node
        if not seen:
            state.stamp[other] = opened
            state.place[other] = NOT_PLACED
            state.new[fresh] = other
            fresh += 1
        elif state.stamp[other] == opened:
            # A parallel edge may improve a node of V_new, which is not in the heap yet.
            if state.place[other] != NOT_PLACED:
                remove(state, state.place[other])
                push(state, other)
        else:
            # A closed node has a better path now: with a heuristic that is not consistent this
            # happens, and without re-opening the path found would not be the best.
            state.stamp[other] = opened
            counters[REOPENED] += 1
            push(state, other)
    counters[GENERATED] += fresh
    return fresh


@primitive
def insert(state: State, count: int) -> None:
    """Put the first `count` nodes of V_new into OPEN with the values written in `state.values`."""
    state.counters[EVALUATIONS] += count
    for k in range(count):
        node = state.new[k]
        state.h[node] = state.values[k]
        push(state, node)


@kernel
def path_cost(state: State, graph: GraphArrays, path: NDArray[np.int64]) -> float:
    """The sum of a path's edge costs; of parallel edges the cheapest counts.

    The goal's g is not it: a better way to a node on the path may have been found, but not followed
    on to the goal, before the goal was moved to CLOSE.
    """
    total = 0.0
    for step in range(path.size - 1):
        least = np.inf
        for k in range(neighbors(graph, path[step], state.near, state.edges, state.costs)):
            if state.near[k] == path[step + 1]:
                least = min(least, state.costs[k])
        total += least
    return total
