"""The least cost between two cells of a grid without obstacles: what A* on grids wants.

It is exact where nothing is in the way, so it is closer than the straight line and A* expands less.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel
from phil.errors import InputError
from phil.graphs import SearchedGraph
from phil.graphs.arrays import GraphArrays
from phil.graphs.lower_bound import LowerBound, least_cost, lower_bound_of
from phil.search.expand import expand, insert
from phil.search.guide import Expansion
from phil.search.state import State


@kernel
def _score(
    graph: GraphArrays,
    lower: LowerBound,
    new: NDArray[np.int32],
    values: NDArray[np.float64],
) -> None:
    for k in range(new.size):
        values[k] = least_cost(graph, lower, new[k])


@kernel
def _run(state: State, graph: GraphArrays, goal: int, lower: LowerBound, budget: int) -> int:
    while True:
        count = expand(state, graph, goal, budget)
        if count < 0:
            return count
        for k in range(count):
            state.values[k] = least_cost(graph, lower, state.new[k])
        insert(state, graph, count)


class OctileGuide:
    """Guides one search on a grid by the cost of the way to the goal without obstacles."""

    def __init__(self, grid: SearchedGraph, goal: int) -> None:
        self._grid = grid
        self._goal = goal
        self._lower = lower_bound_of(grid, goal)

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """The distance of each new node."""
        values = np.empty(expansion.new.size)
        new = np.ascontiguousarray(expansion.new)
        _score(self._grid.arrays, self._lower, new, values)
        return values

    def run(self, state: State, budget: int) -> int:
        """The whole search, compiled."""
        return _run(state, self._grid.arrays, self._goal, self._lower, budget)


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
        if graph.arrays.moves.size == 0:
            raise InputError("octile is a distance between cells of a grid, this graph is none")
        return OctileGuide(graph, goal)


Octile = OctileHeuristic()
