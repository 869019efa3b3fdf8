"""A compiled lower bound on the cost to the goal, with which a bounded search proves its bound.

On a grid, it is the path cost if all cells were free. On other graphs, it is the distance between
features times the least edge cost per unit of that distance, found in one pass over all edges; 0 if
that yields nothing. The costs to landmarks may raise it, and so may values that a user's heuristic
gives as nodes are met. The bound is admissible, and consistent unless there are such values.
"""

from __future__ import annotations

from math import ceil
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from phil.compiled import Array1, Array2, Struct, kernel, primitive
from phil.graphs import AnyGraph, Graph, SearchedGraph
from phil.graphs.arrays import GraphArrays, coordinates, place_in_space

NOTHING, FREE_WAY, STRAIGHT_LINE, FREE_SPACE = 0, 1, 2, 3

# Lowers the cost per distance by more than the rounding of distances and path costs.
A_HAIR_LESS = 1.0 - 1e-9

EXACT_COORDINATES = 2**24  # features are float32

# Computing the costs to landmarks, once per graph, takes seconds beyond so many nodes.
MOST_FOR_LANDMARKS = 2**18
# Times the costs that a landmark compares: more than the rounding of sums of a million weights.
LANDMARK_ROUNDING = 1e-10


class LowerBound(Struct):
    """The parameters of a lower bound on the cost from a node to one goal."""

    kind: int
    goal: Array1[np.float64]  # the goal's features; (x, y) or (x, y, z) on a grid
    straight: float  # FREE_WAY: least cost of a straight step; STRAIGHT_LINE: cost per distance
    diagonal: float  # FREE_WAY: least cost of a diagonal step
    gaps: Array2[np.float64]  # FREE_SPACE: see `_costs_of_gaps`
    # The costs to landmarks, which may raise the bound of any kind; empty without them.
    landmarks: Array2[np.float64]
    goal_row: Array1[np.float64]  # those of the goal
    one_way: bool
    given: Array1[np.float64]  # values by node that raise the bound; those of others are 0


NO_GAPS = np.zeros((0, 3))
NO_BOUND = LowerBound(
    NOTHING,
    np.zeros(0),
    0.0,
    0.0,
    NO_GAPS,
    landmarks=np.zeros((0, 0)),
    goal_row=np.zeros(0),
    one_way=False,
    given=np.zeros(0),
)

# What depends on the graph alone is computed once; the weak keys do not keep graphs alive.
_costs_per_distance: WeakKeyDictionary[Graph, float] = WeakKeyDictionary()
_free_ways: WeakKeyDictionary[SearchedGraph, LowerBound] = WeakKeyDictionary()  # without a goal
_cheapest_edges: WeakKeyDictionary[Graph, float] = WeakKeyDictionary()


def lower_bound_of(graph: SearchedGraph, goal: int) -> LowerBound:
    """The best lower bound on the cost to a goal that needs no search.

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
        # A subnormal quotient has lost its precision; without an edge between different features
        # it is infinite.
        if np.finfo(np.float64).tiny < cost < np.inf:
            there = graph.features[goal].astype(np.float64)
            return NO_BOUND.replace(kind=STRAIGHT_LINE, goal=there, straight=cost)
    return NO_BOUND


def best_lower_bound(graph: SearchedGraph, goal: int, *, landmarks: bool) -> LowerBound:
    """`lower_bound_of`, raised by landmarks on graphs where they are cheap, or if `landmarks`.

    That is on graphs known in full, other than maps, of at most `MOST_FOR_LANDMARKS` nodes. There
    they are computed once per graph.

    >>> from phil.graphs import Graph
    >>> line = Graph.from_edges(4, [(0, 1), (1, 2), (2, 3)])
    >>> round(least_cost(line.arrays, best_lower_bound(line, 3, landmarks=False), 0), 6)
    3.0
    """
    lower = lower_bound_of(graph, goal)
    if not graph.is_known:
        return lower
    cheap = not graph.is_grid and graph.num_nodes <= MOST_FOR_LANDMARKS
    return with_landmarks(lower, graph, goal) if cheap or landmarks else lower


def with_landmarks(lower: LowerBound, graph: AnyGraph, goal: int) -> LowerBound:
    """A lower bound on a graph that is known in full, raised by landmarks."""
    from phil.graphs.landmarks import landmark_table  # imports features, which few searches need

    table = landmark_table(graph)
    return lower.replace(landmarks=table, goal_row=table[goal].copy(), one_way=graph.directed)


def fewest_moves(graph: SearchedGraph, start: int, goal: int) -> int:
    """A lower bound on the number of moves of a path: on a grid, as if all cells were free.

    >>> from phil.graphs import GridGraph
    >>> free = [[True] * 6] * 4
    >>> [fewest_moves(GridGraph(free, connectivity=moves), 0, 23) for moves in (4, 8)]
    [8, 5]
    """
    if start == goal:
        return 0
    arrays = graph.arrays
    if arrays.moves.size == 0 or arrays.shape.max() > EXACT_COORDINATES:
        return 1
    gaps = np.abs(np.subtract(coordinates(arrays, start), coordinates(arrays, goal)))
    # A move changes each coordinate by at most 1, and only so many of them.
    at_once = int(np.count_nonzero(arrays.moves, axis=1).max())
    return max(int(gaps.max()), ceil(float(gaps.sum()) / at_once))


def cheapest_edge(graph: AnyGraph) -> float:
    """The least weight of any edge; inf without edges.

    >>> from phil.graphs import Graph
    >>> cheapest_edge(Graph.from_edges(3, [(0, 1), (1, 2)], weights=[2.0, 0.5]))
    0.5
    """
    if graph.is_grid:
        return float(graph.arrays.move_costs.min(initial=np.inf))
    if graph.weights is None:
        return 1.0
    if graph not in _cheapest_edges:
        _cheapest_edges[graph] = float(graph.weights.min(initial=np.inf))
    return _cheapest_edges[graph]


def _free_way_to(grid: SearchedGraph, goal: int) -> LowerBound:
    arrays = grid.arrays
    if grid.is_known and grid.is_grid:
        cell = grid.cell(goal)
        place = cell if len(cell) == 3 else (cell[1], grid.shape[0] - 1 - cell[0])
        there = np.array(place, np.float64)
    elif arrays.shape.max() > EXACT_COORDINATES:
        return NO_BOUND
    else:
        there = arrays.features[goal].astype(np.float64)
    if grid not in _free_ways:
        _free_ways[grid] = _free_way_on(arrays)
    return _free_ways[grid].replace(goal=there)


def _free_way_on(arrays: GraphArrays) -> LowerBound:
    """The lower bound on a grid, without a goal."""
    if arrays.moves.shape[1] == 3:
        return NO_BOUND.replace(kind=FREE_SPACE, gaps=_costs_of_gaps(arrays))
    straight, across = _cost_over(arrays, 1), _cost_over(arrays, 2)
    # If diagonal moves are cheaper than straight ones, a zigzag replaces straight moves; if they
    # are more expensive than two straight moves, those replace them.
    return NO_BOUND.replace(
        kind=FREE_WAY, straight=min(straight, across), diagonal=min(across, 2 * straight)
    )


def _cost_over(arrays: GraphArrays, axes: int) -> float:
    """The least cost of a move along this many axes; inf if there is none."""
    return float(
        arrays.move_costs[np.count_nonzero(arrays.moves, axis=1) == axes].min(initial=np.inf)
    )


def _costs_of_gaps(arrays: GraphArrays) -> NDArray[np.float64]:
    """Least costs per cell of the longest, middle and shortest gap; the larger row is the bound.

    The bound is the largest norm in which no move is longer than its cost. In it, moves along 1, 2
    and 3 axes have lengths a <= b <= c with b <= 2a and a + c <= 2b; if a and c cannot both be as
    large as the moves allow, one row has the largest a and the other the largest c. (With 18 moves,
    three moves along two axes each reach (2, 2, 2) at a lower cost than two straight and two
    diagonal ones.)
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
def aim(graph: GraphArrays, lower: LowerBound, goal: int) -> None:
    """Direct a lower bound on a graph that is known in full at another goal."""
    if lower.kind == STRAIGHT_LINE:
        for column in range(lower.goal.size):
            lower.goal[column] = graph.features[goal, column]
    elif lower.kind == FREE_SPACE:
        lower.goal[0], lower.goal[1], lower.goal[2] = place_in_space(graph, goal)
    elif lower.kind == FREE_WAY:
        row = goal // graph.shape[1]
        lower.goal[0] = goal - row * graph.shape[1]
        lower.goal[1] = graph.shape[0] - 1 - row


@primitive
def straight_line(graph: GraphArrays, node: int, there: NDArray[np.float64]) -> float:
    """The Euclidean distance between a node's features and `there`."""
    total = 0.0
    for column in range(there.size):
        gap = np.float64(graph.features[node, column]) - there[column]
        total += gap * gap
    return np.sqrt(total)


@primitive
def highest_gap(
    table: NDArray[np.float64],
    goal_row: NDArray[np.float64],
    one_way: bool,
    node: int,
    rounding: float,
) -> float:
    """The highest of the bounds from landmarks; inf if one proves that there is no path.

    Each is lowered by `rounding` times the costs that it compares.
    """
    best = 0.0
    half = goal_row.size // 2
    for column in range(goal_row.size):
        # If neither end has a path, the gap is NaN, which is never greater and so ignored.
        gap = table[node, column] - goal_row[column]
        if not one_way:
            gap = abs(gap)
        elif column >= half:  # costs from the landmark
            gap = -gap
        if gap < np.inf:
            gap -= rounding * (table[node, column] + goal_row[column])
        if gap > best:
            best = gap
    return best


@primitive
def least_cost(graph: GraphArrays, lower: LowerBound, node: int) -> float:
    """A lower bound on the cost from a node to the goal."""
    least = _way(graph, lower, node)
    if lower.goal_row.size > 0:
        table, goal_row = lower.landmarks, lower.goal_row
        known = highest_gap(table, goal_row, lower.one_way, node, LANDMARK_ROUNDING)
        least = max(least, known)
    if node < lower.given.size:
        least = max(least, lower.given[node])
    return least


@primitive
def _way(graph: GraphArrays, lower: LowerBound, node: int) -> float:
    """The lower bound from coordinates or features."""
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
    """The least edge cost per distance between its ends; inf if all edges have length 0."""
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
