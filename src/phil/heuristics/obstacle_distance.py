"""The distance to the closest blocked cell that the search has uncovered: a queue of MHA*."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel, primitive
from phil.graphs import GridGraph, SearchedGraph
from phil.graphs.arrays import GraphArrays
from phil.heuristics.bits import NONE
from phil.heuristics.obstacles import (
    Obstacles,
    ObstaclesPool,
    check_known_grid,
    nearest,
    uncover_around,
)
from phil.search.expand import expand, insert
from phil.search.guide import Expansion
from phil.search.state import EXPANDED, State


@primitive
def _distance(obstacles: Obstacles, columns: int, node: int) -> float:
    """In cells; 0 while nothing is uncovered."""
    row = node // columns
    column = node - row * columns
    cell = nearest(obstacles, row, column)
    if cell == NONE:
        return 0.0
    down = row - cell // columns
    right = column - cell % columns
    return math.hypot(down, right)


@kernel
def _evaluate(
    obstacles: Obstacles,
    graph: GraphArrays,
    expanded: int,
    new: NDArray[np.int32],
    count: int,
    values: NDArray[np.float64],
) -> None:
    uncover_around(obstacles, graph, expanded)
    for k in range(count):
        values[k] = _distance(obstacles, graph.shape[1], new[k])


@kernel
def _run(state: State, graph: GraphArrays, goal: int, obstacles: Obstacles, budget: int) -> int:
    while True:
        count = expand(state, graph, goal, budget)
        if count < 0:
            return count
        _evaluate(obstacles, graph, state.counters[EXPANDED], state.new, count, state.values)
        insert(state, graph, count)


class ObstacleGuide:
    """Guides one search on a grid towards the blocked cells that it meets."""

    def __init__(self, pool: ObstaclesPool, grid: GridGraph, goal: int) -> None:
        self._pool = pool
        self._grid = grid
        self._goal = goal
        self._obstacles = pool.take(grid)

    def close(self) -> None:
        """Give the set of obstacles back, for the next search."""
        self._pool.give_back(self._obstacles)

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """The distance of each new node to the closest blocked cell."""
        values = np.empty(expansion.new.size)
        arrays = self._grid.arrays
        new = np.ascontiguousarray(expansion.new)
        _evaluate(self._obstacles, arrays, expansion.node, new, new.size, values)
        return values

    def run(self, state: State, budget: int) -> int:
        """The whole search, compiled."""
        return _run(state, self._grid.arrays, self._goal, self._obstacles, budget)


class ObstacleDistanceHeuristic:
    """The distance to the closest blocked cell next to a node expanded so far; 0 while none is.

    Alone it guides nowhere; SaIL's MHA* has it beside two distances to the goal.

    >>> import phil
    >>> grid = phil.GridGraph([[True, True, True], [True, False, True], [True, True, True]])
    >>> phil.search(grid, (2, 0), (0, 2), phil.load("obstacles")).solved
    True
    """

    name = "obstacles"

    def __init__(self) -> None:
        self._pool = ObstaclesPool()

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> ObstacleGuide:
        """A guide for one search; an `InputError` if the graph is no grid."""
        return ObstacleGuide(self._pool, check_known_grid(graph, self.name), goal)


ObstacleDistance = ObstacleDistanceHeuristic()
