"""What a multi-layer perceptron reads of a node, compiled.

On grids these are SaIL's 17 features: coordinates of the node, path cost, Euclidean and Manhattan
distance to the goal, depth, coordinates of the goal; and of the blocked cells uncovered so far the
coordinates and distance of the closest one, of the one closest by |dx| and of the one closest by
|dy|. Coordinates and lengths are scaled to the map (see `phil.heuristics.phil.scaling`); while no
blocked cell is uncovered, the last nine are -1.

Other graphs have no blocked cells: there it is the features of node and goal, path cost, depth, and
the Euclidean distance of the features.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel, primitive
from phil.graphs.arrays import GraphArrays, node_features
from phil.heuristics.bits import NONE
from phil.heuristics.obstacles import Obstacles, nearest, nearest_by_column, nearest_by_row
from phil.heuristics.phil.scaling import Frame

GRID, GRAPH, NODES = 0, 1, 2  # which inputs
NOTHING = np.float32(-1.0)

Floats = NDArray[np.float32]


@primitive
def write_goal(graph: GraphArrays, frame: Frame, goal: int, out: Floats) -> None:
    """The scaled features of the goal."""
    node_features(graph, goal, out)
    for k in range(frame.centre.size):
        out[k] = (out[k] - frame.centre[k]) / frame.spread[k]


@kernel
def write_features(
    kind: int,
    graph: GraphArrays,
    frame: Frame,
    obstacles: Obstacles,
    goal: Floats,
    node: int,
    g: float,
    depth: int,
    out: Floats,
) -> None:
    """All inputs of a node at this moment of a search; `goal` are the goal's scaled features."""
    if kind == GRID:
        _write_grid(graph, frame, obstacles, goal, node, g, depth, out)
        return
    size = goal.size
    node_features(graph, node, out)
    square = np.float32(0.0)
    for k in range(size):
        out[k] = (out[k] - frame.centre[k]) / frame.spread[k]
        out[size + k] = goal[k]
        square += (out[k] - goal[k]) * (out[k] - goal[k])
    if kind == GRAPH:
        out[2 * size] = g / frame.distance
        out[2 * size + 1] = depth / frame.distance
        out[2 * size + 2] = np.sqrt(square)


@primitive
def _write_grid(
    graph: GraphArrays,
    frame: Frame,
    obstacles: Obstacles,
    goal: Floats,
    node: int,
    g: float,
    depth: int,
    out: Floats,
) -> None:
    columns = graph.shape[1]
    row = node // columns
    column = node - row * columns
    node_features(graph, node, out)
    for k in range(2):
        out[k] = (out[k] - frame.centre[k]) / frame.spread[k]
        out[6 + k] = goal[k]
    # In cells: the two coordinates are scaled alike, by half the longer side.
    right = (goal[0] - out[0]) * frame.spread[0]
    up = (goal[1] - out[1]) * frame.spread[1]
    out[2] = g / frame.distance
    out[3] = np.sqrt(right * right + up * up) / frame.distance
    out[4] = (abs(right) + abs(up)) / frame.distance
    out[5] = depth / frame.distance
    cell = nearest(obstacles, row, column)
    if cell == NONE:
        for k in range(8, 17):
            out[k] = NOTHING
        return
    down = row - cell // columns
    aside = column - cell % columns
    _write_cell(graph, frame, cell, math.hypot(down, aside), out[8:11])
    cell = nearest_by_column(obstacles, row, column)
    _write_cell(graph, frame, cell, float(abs(column - cell % columns)), out[11:14])
    cell = nearest_by_row(obstacles, row, column)
    _write_cell(graph, frame, cell, float(abs(row - cell // columns)), out[14:17])


@primitive
def _write_cell(graph: GraphArrays, frame: Frame, cell: int, distance: float, out: Floats) -> None:
    node_features(graph, cell, out)
    for k in range(2):
        out[k] = (out[k] - frame.centre[k]) / frame.spread[k]
    out[2] = distance / frame.distance
