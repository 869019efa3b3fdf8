"""The compiled forward pass of a multi-layer perceptron: its inputs, layers and search loop.

On grids the inputs are SaIL's 17 features: coordinates of the node, path cost, Euclidean and
Manhattan distance to the goal, depth, coordinates of the goal; and coordinates and distance of
three of the blocked cells discovered so far: the closest one, the closest by |dx| and the closest
by |dy|. Coordinates and lengths are scaled to the map (see `phil.heuristics.scaling`); until a
blocked cell is discovered, the last nine are -1.

On other graphs, which have no blocked cells, they are the features of node and goal, path cost,
depth, and the Euclidean distance of the features, or the distances of each group of them.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from phil.compiled import Array1, Array2, Struct, kernel, primitive
from phil.compiled.dense import affine
from phil.compiled.tiles import dot
from phil.compiled.vectors import LANES, aligned_zeros
from phil.graphs.arrays import GraphArrays
from phil.heuristics.bits import NONE
from phil.heuristics.feature_distances import write_distances
from phil.heuristics.mlp.specification import GRAPH, GRID, NODES, MlpWeights
from phil.heuristics.obstacles import (
    Obstacles,
    clear,
    discover_around,
    nearest,
    nearest_by_column,
    nearest_by_row,
)
from phil.heuristics.scaling import Frame, scaled_features
from phil.search.batch import QUERY, Batch, begins, record
from phil.search.expand import expand, insert
from phil.search.state import EXPANDED, State

BLOCK = 64  # nodes evaluated together, since a node may have any number of neighbours
NOTHING = np.float32(-1.0)

Floats = NDArray[np.float32]


class MlpWorkspace(Struct):
    """What one search needs besides the weights."""

    inputs: Array2[np.float32]  # (BLOCK, inputs)
    left: Array2[np.float32]  # (BLOCK, widest layer)
    right: Array2[np.float32]
    goal: Array1[np.float32]  # its scaled features
    g: Array1[np.float64]  # of a block
    depth: Array1[np.int32]
    obstacles: Obstacles
    kept: Array2[np.float32]  # (nodes, inputs) as evaluated; empty if they are not kept


def allocate(weights: MlpWeights, features: int, obstacles: Obstacles) -> MlpWorkspace:
    """A workspace for searches on graphs with `features` features per node."""
    widest = weights.biases.shape[1]
    return MlpWorkspace(
        inputs=aligned_zeros(BLOCK, int(weights.sizes[0])),
        left=aligned_zeros(BLOCK, widest),
        right=aligned_zeros(BLOCK, widest),
        goal=np.zeros(features, np.float32),
        g=np.zeros(BLOCK),
        depth=np.zeros(BLOCK, np.int32),
        obstacles=obstacles,
        kept=np.zeros((0, 0), np.float32),
    )


@kernel
def write_features(
    kind: int,
    ends: NDArray[np.int64],
    graph: GraphArrays,
    frame: Frame,
    obstacles: Obstacles,
    goal: Floats,
    node: int,
    g: float,
    depth: int,
    out: Floats,
) -> None:
    """Write the inputs of a node at this point of a search; `goal` is the goal, scaled.

    `ends` are those of the groups of features whose distances are inputs, if there are any.
    """
    if kind == GRID:
        _write_grid(graph, frame, obstacles, goal, node, g, depth, out)
        return
    size = goal.size
    scaled_features(graph, frame, node, out)
    square = np.float32(0.0)
    for k in range(size):
        out[size + k] = goal[k]
        square += (out[k] - goal[k]) * (out[k] - goal[k])
    after = 2 * size
    if kind == GRAPH:
        out[after] = g / frame.distance[0]
        out[after + 1] = depth / frame.distance[0]
        after += 2
    if ends.size > 0:
        write_distances(out, goal, ends, True, after)
    elif kind == GRAPH:
        out[after] = np.sqrt(square)


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
    scaled_features(graph, frame, node, out)
    for k in range(2):
        out[6 + k] = goal[k]
    # In cells: both coordinates are scaled by half the longer side.
    right = (goal[0] - out[0]) * frame.spread[0]
    up = (goal[1] - out[1]) * frame.spread[1]
    out[2] = g / frame.distance[0]
    out[3] = np.sqrt(right * right + up * up) / frame.distance[0]
    out[4] = (abs(right) + abs(up)) / frame.distance[0]
    out[5] = depth / frame.distance[0]
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
    scaled_features(graph, frame, cell, out)
    out[2] = distance / frame.distance[0]


@kernel
def set_goal(work: MlpWorkspace, graph: GraphArrays, frame: Frame, goal: int) -> None:
    """Prepare the workspace for a search to a goal."""
    scaled_features(graph, frame, goal, work.goal)


@kernel
def write_rows(
    ends: NDArray[np.int64],
    graph: GraphArrays,
    frame: Frame,
    obstacles: Obstacles,
    goal: Floats,
    nodes: NDArray[np.int64],
    out: Floats,
) -> None:
    """Write what is read of nodes outside of a search; `goal` is the goal, scaled."""
    for k in range(nodes.size):
        write_features(NODES, ends, graph, frame, obstacles, goal, nodes[k], 0.0, 0, out[k])


@primitive
def show(weights: MlpWeights, work: MlpWorkspace, graph: GraphArrays, node: int) -> None:
    """Record the blocked cells that expanding a node discovers."""
    if weights.kind == GRID:
        discover_around(work.obstacles, graph, node)


@kernel
def forward(
    weights: MlpWeights, work: MlpWorkspace, count: int, scale: float, values: NDArray[np.float64]
) -> None:
    """The values of the first `count` rows of `work.inputs`."""
    x, y = work.left, work.right
    bias = weights.biases[0, : _padded(weights.sizes[1])]
    affine(work.inputs, 0, count, weights.sizes[0], weights.matrices[0], bias, x, 0)
    _rectify(x, count, bias.size)
    for layer in range(1, weights.biases.shape[0]):
        bias = weights.biases[layer, : _padded(weights.sizes[layer + 1])]
        affine(x, 0, count, weights.sizes[layer], weights.matrices[layer], bias, y, 0)
        _rectify(y, count, bias.size)
        x, y = y, x
    for row in range(count):
        values[row] = scale * np.float64(dot(x[row], weights.last) + np.float32(weights.last_bias))


@primitive
def _padded(size: int) -> int:
    return (size + LANES - 1) // LANES * LANES


@primitive
def _rectify(x: Floats, rows: int, size: int) -> None:
    for row in range(rows):
        for j in range(size):
            x[row, j] = max(x[row, j], np.float32(0.0))


@kernel
def evaluate_block(
    weights: MlpWeights,
    work: MlpWorkspace,
    graph: GraphArrays,
    frame: Frame,
    nodes: NDArray[np.int32],
    values: NDArray[np.float64],
) -> None:
    """The values of at most BLOCK nodes, whose g and depth are in the workspace."""
    for k in range(nodes.size):
        write_features(
            weights.kind,
            weights.ends,
            graph,
            frame,
            work.obstacles,
            work.goal,
            nodes[k],
            work.g[k],
            work.depth[k],
            work.inputs[k],
        )
        if work.kept.size > 0:
            for j in range(work.kept.shape[1]):
                work.kept[nodes[k], j] = work.inputs[k, j]
    forward(weights, work, nodes.size, frame.distance[0], values)


@kernel
def evaluate(
    weights: MlpWeights,
    work: MlpWorkspace,
    graph: GraphArrays,
    frame: Frame,
    expanded: int,
    new: NDArray[np.int32],
    g: NDArray[np.float64],
    depth: NDArray[np.int32],
    values: NDArray[np.float64],
) -> None:
    """The values of V_new, given g and depth of its nodes."""
    show(weights, work, graph, expanded)
    for first in range(0, new.size, BLOCK):
        last = min(first + BLOCK, new.size)
        for k in range(first, last):
            work.g[k - first] = g[k]
            work.depth[k - first] = depth[k]
        evaluate_block(weights, work, graph, frame, new[first:last], values[first:last])


@primitive
def evaluate_new(
    weights: MlpWeights,
    work: MlpWorkspace,
    graph: GraphArrays,
    frame: Frame,
    state: State,
    count: int,
) -> None:
    """Write the values of a search's V_new to its state."""
    show(weights, work, graph, state.counters[EXPANDED])
    for first in range(0, count, BLOCK):
        last = min(first + BLOCK, count)
        for k in range(first, last):
            record = state.nodes[state.new[k]]
            work.g[k - first] = record.g
            work.depth[k - first] = record.depth
        evaluate_block(weights, work, graph, frame, state.new[first:last], state.values[first:last])


@kernel
def run(
    state: State,
    weights: MlpWeights,
    work: MlpWorkspace,
    graph: GraphArrays,
    frame: Frame,
    goal: int,
    budget: int,
) -> int:
    """The whole search."""
    while True:
        count = expand(state, graph, goal, budget)
        if count < 0:
            return count
        evaluate_new(weights, work, graph, frame, state, count)
        insert(state, graph, count)


@kernel
def run_batch(
    batch: Batch,
    state: State,
    weights: MlpWeights,
    work: MlpWorkspace,
    graph: GraphArrays,
    frame: Frame,
) -> int:
    """Many searches (see `phil.search.guide.BatchGuide`)."""
    code = 0
    while code == 0:
        goal = batch.goals[batch.progress[QUERY]]
        if begins(batch, state):
            clear(work.obstacles)
            set_goal(work, graph, frame, goal)
        ended = run(state, weights, work, graph, frame, goal, batch.budget)
        code = record(batch, state, graph, ended)
    return code
