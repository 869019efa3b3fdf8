"""A cost that no path to the goal can beat, compiled: what a bounded search proves its bound with.

On a grid it is the cost of the way through free cells alone. On other graphs it is the distance of
features times the least cost of an edge per unit of that distance, found by one look at every edge.
Where that says nothing, it is 0. It never falls along an edge by more than the edge costs.
"""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel, primitive
from phil.graphs import AnyGraph
from phil.graphs.arrays import GraphArrays
from phil.graphs.graph import Graph
from phil.graphs.grid import GridGraph

NOTHING, FREE_WAY, STRAIGHT_LINE = 0, 1, 2

# Distances and sums of edge costs are rounded: the cost per distance is less by more than that.
A_HAIR_LESS = 1.0 - 1e-9


class LowerBound(NamedTuple):
    """How the least cost from a node to one goal is computed."""

    kind: int
    goal: NDArray[np.float64]  # its features, (x, y) on a grid
    straight: float  # FREE_WAY: cost of a straight move; STRAIGHT_LINE: cost per unit of distance
    diagonal: float  # FREE_WAY: cost of a diagonal move


NO_BOUND = LowerBound(NOTHING, np.zeros(0), 0.0, 0.0)

# A graph never changes, so every edge is looked at once; a graph is not kept alive for it.
_costs_per_distance: WeakKeyDictionary[Graph, float] = WeakKeyDictionary()


def lower_bound_of(graph: AnyGraph, goal: int) -> LowerBound:
    """What no path to the goal can cost less than, as far as it can be told without a search.

    >>> grid = GridGraph([[True] * 4] * 4)
    >>> round(least_cost(grid.arrays, lower_bound_of(grid, 0), grid.node(3, 1)), 3)
    3.414
    """
    if isinstance(graph, GridGraph):
        row, column = graph.cell(goal)
        there = np.array([column, graph.shape[0] - 1 - row], np.float64)
        diagonal = graph.diagonal_cost if graph.connectivity == 8 else np.inf
        return LowerBound(FREE_WAY, there, 1.0, diagonal)
    if isinstance(graph, Graph):
        cost = _costs_per_distance.get(graph)
        if cost is None:
            cost = A_HAIR_LESS * _cost_per_distance(graph.arrays, np.empty(graph.features.shape[1]))
            _costs_per_distance[graph] = cost
        # Below the least normal number a quotient has lost its precision; without any edge between
        # different features it is infinite.
        if np.finfo(np.float64).tiny < cost < np.inf:
            there = graph.features[goal].astype(np.float64)
            return LowerBound(STRAIGHT_LINE, there, cost, 0.0)
    return NO_BOUND


@primitive
def free_way(across: float, up: float, straight: float, diagonal: float) -> float:
    """The least cost of moves over so many columns and rows."""
    less = min(across, up)
    return (max(across, up) - less) * min(straight, diagonal) + less * min(diagonal, 2 * straight)


@primitive
def straight_line(graph: GraphArrays, node: int, there: NDArray[np.float64]) -> float:
    """The distance of a node's features from others."""
    total = 0.0
    for column in range(there.size):
        gap = np.float64(graph.features[node, column]) - there[column]
        total += gap * gap
    return np.sqrt(total)


@primitive
def least_cost(graph: GraphArrays, lower: LowerBound, node: int) -> float:
    """A lower bound of the cost from a node to the goal."""
    if lower.kind == NOTHING:
        return 0.0
    if lower.kind == FREE_WAY:
        columns = graph.shape[1]
        row = node // columns
        across = abs(np.float64(node - row * columns) - lower.goal[0])
        up = abs(np.float64(graph.shape[0] - 1 - row) - lower.goal[1])
        return free_way(across, up, lower.straight, lower.diagonal)
    return lower.straight * straight_line(graph, node, lower.goal)


@kernel
def _cost_per_distance(graph: GraphArrays, here: NDArray[np.float64]) -> float:
    """The least cost of an edge per distance of its ends; inf if no edge joins different ones."""
    least = np.inf
    for node in range(graph.first.size):
        for column in range(here.size):
            here[column] = graph.features[node, column]
        for edge in range(graph.first[node], graph.last[node]):
            distance = straight_line(graph, graph.indices[edge], here)
            if distance > 0.0:
                weight = 1.0 if graph.weights.size == 0 else graph.weights[edge]
                least = min(least, weight / distance)
    return least
