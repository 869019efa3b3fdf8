"""The search of Neural A*, compiled: A* in which entering a cell costs what the encoder predicts.

A node's value is G + h: G is the sum of the guidance costs of the cells on the path to it, h the
number of moves on a map without walls, plus a little of the straight-line distance to break ties.
(The paper's f is half of this, which does not change the order.) G is kept here, since the search's
own path cost is that of the graph; a node of OPEN gets a lower value when a better path is found.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import Array1, Struct, kernel, primitive
from phil.graphs.arrays import GraphArrays, neighbors
from phil.search.expand import IMPROVEMENT, expand, insert, revise
from phil.search.state import EXPANDED, State

STRAIGHT_SHARE = 0.001  # weight of the straight-line distance in h


class GuidanceWorkspace(Struct):
    """The guidance costs of one search so far, and buffers for one expansion."""

    total: Array1[np.float64]  # G by node; infinite for nodes not yet discovered
    closed: Array1[np.uint8]
    near: Array1[np.int32]
    edges: Array1[np.int64]
    costs: Array1[np.float64]
    revised: Array1[np.int32]
    values: Array1[np.float64]  # of the revised ones


def allocate(size: int, degree: int, start: int) -> GuidanceWorkspace:
    """A workspace for one search."""
    total = np.full(size, np.inf)
    total[start] = 0.0
    return GuidanceWorkspace(
        total=total,
        closed=np.zeros(size, np.uint8),
        near=np.empty(degree, np.int32),
        edges=np.empty(degree, np.int64),
        costs=np.empty(degree),
        revised=np.empty(degree, np.int32),
        values=np.empty(degree),
    )


@primitive
def optimistic(graph: GraphArrays, node: int, goal: int) -> float:
    """h: the moves to the goal on a map without walls; the straight line breaks ties."""
    columns = graph.shape[1]
    row, goal_row = node // columns, goal // columns
    down = abs(row - goal_row)
    right = abs((node - row * columns) - (goal - goal_row * columns))
    straight = np.sqrt(np.float64(down * down + right * right))
    return max(down, right) + STRAIGHT_SHARE * straight


@primitive
def guidance_of(graph: GraphArrays, guidance: NDArray[np.float32], block: int, node: int) -> float:
    """The cost of entering a node, which is that of its block."""
    row = node // graph.shape[1]
    column = node - row * graph.shape[1]
    return np.float64(guidance[row // block, column // block])


@primitive
def evaluate(
    work: GuidanceWorkspace,
    graph: GraphArrays,
    guidance: NDArray[np.float32],
    block: int,
    goal: int,
    node: int,
    new: NDArray[np.int32],
    count: int,
    values: NDArray[np.float64],
) -> int:
    """Write the values of V_new; return how many nodes of OPEN got a better path (in `work`)."""
    total = work.total
    so_far = total[node]
    work.closed[node] = 1
    for k in range(count):
        total[new[k]] = so_far + guidance_of(graph, guidance, block, new[k])
        values[k] = total[new[k]] + optimistic(graph, new[k], goal)
    revised = 0
    for k in range(neighbors(graph, node, work.near, work.edges, work.costs)):
        other = work.near[k]
        if work.closed[other] == 0:
            through = so_far + guidance_of(graph, guidance, block, other)
            if through < IMPROVEMENT * total[other]:
                total[other] = through
                work.revised[revised] = other
                work.values[revised] = through + optimistic(graph, other, goal)
                revised += 1
    return revised


@kernel
def score(
    work: GuidanceWorkspace,
    graph: GraphArrays,
    guidance: NDArray[np.float32],
    block: int,
    goal: int,
    node: int,
    new: NDArray[np.int32],
    values: NDArray[np.float64],
) -> int:
    """`evaluate` for searches in Python."""
    return evaluate(work, graph, guidance, block, goal, node, new, new.size, values)


@kernel
def run(
    state: State,
    work: GuidanceWorkspace,
    graph: GraphArrays,
    guidance: NDArray[np.float32],
    block: int,
    goal: int,
    budget: int,
) -> int:
    """The whole search."""
    while True:
        count = expand(state, graph, goal, budget)
        if count < 0:
            return count
        node = state.counters[EXPANDED]
        revised = evaluate(work, graph, guidance, block, goal, node, state.new, count, state.values)
        insert(state, graph, count)
        for k in range(revised):
            revise(state, graph, work.revised[k], work.values[k])
