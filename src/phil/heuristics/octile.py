"""The least cost between two cells of a grid without obstacles: what A* on grids wants.

It is exact where nothing is in the way, so it is closer than the straight line and A* expands less.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel, primitive
from phil.errors import InputError
from phil.graphs import GridGraph, SearchedGraph
from phil.graphs.arrays import GraphArrays
from phil.search.expand import expand, insert
from phil.search.guide import Expansion
from phil.search.state import State


@primitive
def _distance(columns: int, node: int, goal: int, straight: float, diagonal: float) -> float:
    row = node // columns
    goal_row = goal // columns
    down = abs(row - goal_row)
    right = abs((node - row * columns) - (goal - goal_row * columns))
    return straight * abs(down - right) + diagonal * min(down, right)


@kernel
def _run(
    state: State, graph: GraphArrays, goal: int, straight: float, diagonal: float, budget: int
) -> int:
    while True:
        count = expand(state, graph, goal, budget)
        if count < 0:
            return count
        for k in range(count):
            state.values[k] = _distance(graph.shape[1], state.new[k], goal, straight, diagonal)
        insert(state, graph, count)


class OctileGuide:
    """Guides one search on a grid by the cost of the way to the goal without obstacles."""

    def __init__(self, grid: GridGraph, goal: int) -> None:
        self._grid = grid
        self._goal = goal
        # Cheaper than straight moves, diagonal ones in a zigzag replace them; dearer than two
        # straight moves, they are replaced.
        moves = grid.diagonal_cost if grid.connectivity == 8 else 2.0
        self._straight, self._diagonal = min(1.0, moves), min(2.0, moves)

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """The distance of each new node."""
        columns = self._grid.shape[1]
        values = [
            _distance(columns, node, self._goal, self._straight, self._diagonal)
            for node in expansion.new
        ]
        return np.array(values, np.float64)

    def run(self, state: State, budget: int) -> int:
        """The whole search, compiled."""
        return _run(state, self._grid.arrays, self._goal, self._straight, self._diagonal, budget)


class OctileHeuristic:
    """The cost of the way to the goal on a grid without obstacles, for its moves and their costs.

    With diagonal moves of cost 1 this is the Chebyshev distance, with 4 moves the Manhattan one.

    >>> import phil
    >>> grid = phil.GridGraph([[True] * 9] * 9)
    >>> ends = (8, 0), (0, 5)
    >>> phil.search(grid, *ends, phil.load("octile"), key=phil.ASTAR).cost
    10.071067811865476
    """

    name = "octile"

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> OctileGuide:
        """A guide for one search; an `InputError` if the graph is no grid."""
        if not isinstance(graph, GridGraph):
            raise InputError("octile is a distance between cells of a grid, this graph is none")
        return OctileGuide(graph, goal)


Octile = OctileHeuristic()
