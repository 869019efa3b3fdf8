"""A cost that no path to the goal can beat, compiled: what a bounded search proves its bound with.

On a grid it is the cost of the way through free cells alone, which is exact where nothing stands in
it. On other graphs: the distance of features times the least cost of an edge per unit of that
distance, found by one look at every edge. Where that says nothing, it is 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phil.compiled import primitive
from phil.graphs.arrays import GraphArrays

NOTHING, FREE_WAY, STRAIGHT_LINE = 0, 1, 2


class LowerBound(NamedTuple):
    """How the least cost from a node to one goal is computed."""

    kind: int
    goal: NDArray[np.float32]  # its features
    straight: float  # FREE_WAY: cost of a straight move; STRAIGHT_LINE: cost per unit of distance
    diagonal: float  # FREE_WAY: cost of a diagonal move


NO_BOUND = LowerBound(NOTHING, np.zeros(0, np.float32), 0.0, 0.0)


@primitive
def free_way(across: float, up: float, straight: float, diagonal: float) -> float:
    """The least cost of moves over so many columns and rows."""
    less = min(across, up)
    return (max(across, up) - less) * min(straight, diagonal) + less * min(diagonal, 2 * straight)


@primitive
def least_cost(graph: GraphArrays, lower: LowerBound, node: int) -> float:
    """A lower bound of the cost from a node to the goal."""
    if lower.kind == NOTHING:
        return 0.0
    if lower.kind == FREE_WAY:
        if graph.free.size > 0:
            columns = graph.shape[1]
            row = node // columns
            across = abs(np.float64(node - row * columns) - lower.goal[0])
            up = abs(np.float64(graph.shape[0] - 1 - row) - lower.goal[1])
        else:
            across = abs(np.float64(graph.features[node, 0]) - lower.goal[0])
            up = abs(np.float64(graph.features[node, 1]) - lower.goal[1])
        return free_way(across, up, lower.straight, lower.diagonal)
    total = 0.0
    for column in range(lower.goal.size):
        gap = np.float64(graph.features[node, column]) - np.float64(lower.goal[column])
        total += gap * gap
    return lower.straight * np.sqrt(total)
