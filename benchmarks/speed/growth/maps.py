"""Grids of any size that are the same around their middle, where the query is."""

from __future__ import annotations

import numpy as np

from phil.graphs import GridGraph

PATCH = 100  # side of the part that all grids share
DISTANCE = 60  # cells between start and goal
BLOCKED = 0.3

Cell = tuple[int, int]


def grid_around(side: int, seed: int) -> tuple[GridGraph, Cell, Cell]:
    """A grid with a start and a goal in its middle; the seed chooses the shared patch."""
    around = np.random.default_rng([seed, side])
    free = around.random((side, side), np.float32) >= BLOCKED
    patch = np.random.default_rng([seed, 0]).random((PATCH, PATCH)) >= BLOCKED
    middle = PATCH // 2
    ends = (middle, middle - DISTANCE // 2), (middle, middle + DISTANCE // 2)
    for row, column in ends:
        patch[row - 1 : row + 2, column - 1 : column + 2] = True
    corner = (side - PATCH) // 2
    free[corner : corner + PATCH, corner : corner + PATCH] = patch
    start, goal = ((row + corner, column + corner) for row, column in ends)
    return GridGraph(free), start, goal
