"""A lower bound of the cost to the goal, compiled: what a bounded search proves its bound with.

On a grid it is the cost of the path if all cells were free. On other graphs it is the distance
between features times the least cost of an edge per unit of that distance, found by one pass over
all edges; 0 where that says nothing. The bound is admissible and consistent.
"""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel, primitive
from phil.graphs import Graph, SearchedGraph
from phil.graphs.arrays import GraphArrays, place_in_space

NOTHING, FREE_WAY, STRAIGHT_LINE, FREE_SPACE = 0, 1, 2, 3

# Distances and sums of edge costs are rounded; the cost per distance is lowered by more than that.
A_HAIR_LESS = 1.0 - 1e-9

EXACT_COORDINATES = 2**24  # features are float32


class LowerBound(NamedTuple):
    """How a lower bound of the cost from a node to one goal is computed."""

    kind: int
    goal: NDArray[np.float64]  # its features, (x, y) or (x, y, z) on a grid
    straight: float  # FREE_WAY: least cost of a step along a row; STRAIGHT_LINE: cost per distance
    diagonal: float  # FREE_WAY: least cost of a diagonal step
    gaps: NDArray[np.float64]  # FREE_SPACE: see `_costs_of_gaps`


NO_GAPS = np.zeros((0, 3))
NO_BOUND = LowerBound(NOTHING, np.zeros(0), 0.0, 0.0, NO_GAPS)

# A graph never changes, so every edge is looked at once; a graph is not kept alive for it.
_costs_per_distance: WeakKeyDictionary[Graph, float] = WeakKeyDictionary()


def lower_bound_of(graph: SearchedGraph, goal: int) -> LowerBound:
    """The best lower bound of the cost to a goal that takes no search.

    >>> from phil.graphs import GridGraph
    >>> grid = GridGraph([[True] * 4] * 4)
    >>> round(least_cost(grid.arrays, lower_bound_of(grid, 0), grid.node(3, 1)), 3)
    3.414
    """
    if graph.arrays.moves.size > 0:
        return _free_way_to(graph, goal)
    if graph.is_known and not graph.is_grid:
        cost = _costs_per_distance.get(graph)
        if cost is None:
            cost = A_HAIR_LESS * _cost_per_distance(graph.arrays, np.empty(graph.features.shape[1]))
            _costs_per_distance[graph] = cost
        # Below the least normal number a quotient has lost its precision; without any edge between
        # different features it is infinite.
        if np.finfo(np.float64).tiny < cost < np.inf:
            there = graph.features[goal].astype(np.float64)
            return LowerBound(STRAIGHT_LINE, there, cost, 0.0, NO_GAPS)
    return NO_BOUND


def _free_way_to(grid: SearchedGraph, goal: int) -> LowerBound:
    arrays = grid.arrays
    if grid.is_known and grid.is_grid:
        there = np.array(grid.cell(goal), np.float64)
        if there.size == 2:
            there = np.array([there[1], grid.shape[0] - 1 - there[0]])
    elif arrays.shape.max() > EXACT_COORDINATES:
        return NO_BOUND
    else:
        there = arrays.features[goal].astype(np.float64)
    if there.size == 3:
        return LowerBound(FREE_SPACE, there, 0.0, 0.0, _costs_of_gaps(arrays))
    straight, across = _cost_over(arrays, 1), _cost_over(arrays, 2)
    # Cheaper than straight moves, diagonal ones in a zigzag replace them; dearer than two straight
    # moves, they are replaced.
    costs = min(straight, across), min(across, 2 * straight)
    return LowerBound(FREE_WAY, there, *costs, NO_GAPS)


def _cost_over(arrays: GraphArrays, axes: int) -> float:
    """The least cost of a move over so many axes; inf if there is none."""
    return float(
        arrays.move_costs[np.count_nonzero(arrays.moves, axis=1) == axes].min(initial=np.inf)
    )


def _costs_of_gaps(arrays: GraphArrays) -> NDArray[np.float64]:
    """What a cell of the longest, the middle and the shortest gap costs at least: the dearer row.

    The bound is the largest norm that no move is cheaper than. In it, moves over 1, 2 and 3 axes
    have lengths a <= b <= c with b <= 2a and a + c <= 2b; where a and c cannot both be as large as
    the moves allow, one row has the largest a and the other the largest c. (With 18 moves, three
    moves over two axes each go (2, 2, 2) for less than two straight ones and two diagonal ones.)
    """
    cheapest = [_cost_over(arrays, axes) for axes in (1, 2, 3)]
    most_a, most_b, most_c = (min(cheapest[axes:]) for axes in range(3))
    b = min(most_b, 2 * most_a)
    rows = []
    for a in (most_a, min(most_a, 2 * b - min(most_c, 1.5 * b))):
        c = min(most_c, 2 * b - a)
        rows.append((a, b - a, c - b))
    costs: NDArray[np.float64] = np.unique(rows, axis=0)
    return costs


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
        if graph.free.size > 0:
            row = node // graph.shape[1]
            x = np.float64(node - row * graph.shape[1])
            y = np.float64(graph.shape[0] - 1 - row)
        else:
            x = np.float64(graph.features[node, 0])
            y = np.float64(graph.features[node, 1])
        across = abs(x - lower.goal[0])
        up = abs(y - lower.goal[1])
        return lower.straight * abs(across - up) + lower.diagonal * min(across, up)
    if lower.kind == FREE_SPACE:
        if graph.free.size > 0:
            x_cell, y_cell, z_cell = place_in_space(graph, node)
            x, y, z = np.float64(x_cell), np.float64(y_cell), np.float64(z_cell)
        else:
            x = np.float64(graph.features[node, 0])
            y = np.float64(graph.features[node, 1])
            z = np.float64(graph.features[node, 2])
        first = abs(x - lower.goal[0])
        second = abs(y - lower.goal[1])
        third = abs(z - lower.goal[2])
        longest = max(first, second, third)
        shortest = min(first, second, third)
        middle = first + second + third - longest - shortest
        least = 0.0
        for row in range(lower.gaps.shape[0]):
            costs = lower.gaps[row]
            least = max(least, costs[0] * longest + costs[1] * middle + costs[2] * shortest)
        return least
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
