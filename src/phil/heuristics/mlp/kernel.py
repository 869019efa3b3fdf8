"""The compiled forward pass of a multi-layer perceptron and its search loop."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel, primitive
from phil.compiled.dense import affine
from phil.compiled.tiles import dot
from phil.compiled.vectors import LANES, aligned_zeros
from phil.graphs.arrays import GraphArrays
from phil.heuristics.mlp.features import GRID, write_features, write_goal
from phil.heuristics.mlp.weights import MlpWeights
from phil.heuristics.obstacles import Obstacles, uncover_around
from phil.heuristics.phil.scaling import Frame
from phil.search.expand import expand, insert
from phil.search.state import EXPANDED, State

BLOCK = 64  # nodes evaluated together: a node may have any number of neighbours


class Room(NamedTuple):
    """What one search needs beside the weights."""

    inputs: NDArray[np.float32]  # (BLOCK, inputs)
    left: NDArray[np.float32]  # (BLOCK, widest layer)
    right: NDArray[np.float32]
    goal: NDArray[np.float32]  # its scaled features
    g: NDArray[np.float64]  # of a block
    depth: NDArray[np.int32]
    obstacles: Obstacles
    kept: NDArray[np.float32]  # (nodes, inputs) as nodes were evaluated; empty: none are kept


def allocate(weights: MlpWeights, features: int, obstacles: Obstacles) -> Room:
    """The room for searches on graphs with so many features per node."""
    widest = weights.biases.shape[1]
    return Room(
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
def set_goal(room: Room, graph: GraphArrays, frame: Frame, goal: int) -> None:
    """Make the room ready for a search to a goal."""
    write_goal(graph, frame, goal, room.goal)


@primitive
def show(weights: MlpWeights, room: Room, graph: GraphArrays, node: int) -> None:
    """Take in what the expansion of a node uncovers."""
    if weights.kind == GRID:
        uncover_around(room.obstacles, graph, node)


@kernel
def forward(
    weights: MlpWeights, room: Room, count: int, scale: float, values: NDArray[np.float64]
) -> None:
    """The values of the first `count` rows of `room.inputs`."""
    x, y = room.left, room.right
    bias = weights.biases[0, : _padded(weights.sizes[1])]
    affine(room.inputs, 0, count, weights.sizes[0], weights.matrices[0], bias, x, 0)
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
def _rectify(x: NDArray[np.float32], rows: int, size: int) -> None:
    for row in range(rows):
        for j in range(size):
            x[row, j] = max(x[row, j], np.float32(0.0))


@kernel
def evaluate_block(
    weights: MlpWeights,
    room: Room,
    graph: GraphArrays,
    frame: Frame,
    nodes: NDArray[np.int32],
    values: NDArray[np.float64],
) -> None:
    """The values of at most BLOCK nodes, whose g and depth stand in the room."""
    for k in range(nodes.size):
        write_features(
            weights.kind,
            graph,
            frame,
            room.obstacles,
            room.goal,
            nodes[k],
            room.g[k],
            room.depth[k],
            room.inputs[k],
        )
        if room.kept.size > 0:
            for j in range(room.kept.shape[1]):
                room.kept[nodes[k], j] = room.inputs[k, j]
    forward(weights, room, nodes.size, frame.distance, values)


@kernel
def evaluate(
    weights: MlpWeights,
    room: Room,
    graph: GraphArrays,
    frame: Frame,
    expanded: int,
    new: NDArray[np.int32],
    g: NDArray[np.float64],
    depth: NDArray[np.int32],
    values: NDArray[np.float64],
) -> None:
    """The values of one V_new, given with what is known of its nodes."""
    show(weights, room, graph, expanded)
    for first in range(0, new.size, BLOCK):
        last = min(first + BLOCK, new.size)
        for k in range(first, last):
            room.g[k - first] = g[k]
            room.depth[k - first] = depth[k]
        evaluate_block(weights, room, graph, frame, new[first:last], values[first:last])


@primitive
def evaluate_new(
    weights: MlpWeights, room: Room, graph: GraphArrays, frame: Frame, state: State, count: int
) -> None:
    """The values of the V_new of a search, written into its state."""
    show(weights, room, graph, state.counters[EXPANDED])
    for first in range(0, count, BLOCK):
        last = min(first + BLOCK, count)
        for k in range(first, last):
            record = state.nodes[state.new[k]]
            room.g[k - first] = record.g
            room.depth[k - first] = record.depth
        evaluate_block(weights, room, graph, frame, state.new[first:last], state.values[first:last])


@kernel
def run(
    state: State,
    weights: MlpWeights,
    room: Room,
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
        evaluate_new(weights, room, graph, frame, state, count)
        insert(state, graph, count)
