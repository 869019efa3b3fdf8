"""A graph as plain arrays, as the compiled kernels see it.

All kinds of graph share one type, so each kernel is compiled only once: a graph with stored edges
leaves `free` empty; a grid leaves `first` empty, and its neighbours are computed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import Array1, Array2, Struct, kernel, primitive

CORNER_ALLOW = 0
CORNER_ONE_FREE = 1
CORNER_BOTH_FREE = 2


class GraphArrays(Struct):
    """The arrays behind a graph (see `Graph.arrays`, `GridGraph.arrays`)."""

    first: Array1[np.int64]  # start of a node's edges; negative until they have been requested
    last: Array1[np.int64]  # end of a node's edges
    indices: Array1[np.int32]  # target node of each edge
    weights: Array1[np.float64]  # one per edge; if empty, every edge costs 1
    edge_rows: Array1[np.int64]  # an edge's row in `edge_features`; if empty, the edge's index
    tokens: Array1[np.uint64]  # identifies a node when neighbours are sampled; if empty, its id
    features: Array2[np.float32]  # (nodes, D); for grids (0, axes)
    edge_features: Array2[np.float32]  # (edges, De); for grids (moves, axes)
    free: Array1[np.uint8]  # flat occupancy; empty unless the graph is a grid
    shape: Array1[np.int64]  # (rows, columns) or (x, y, z) of a grid
    moves: Array2[np.int64]  # (moves, axes): offsets along the axes, in insertion order
    move_costs: Array1[np.float64]
    corner_rule: int


@primitive
def neighbors(
    graph: GraphArrays,
    node: int,
    nodes: NDArray[np.int32],
    edges: NDArray[np.int64],
    costs: NDArray[np.float64],
) -> int:
    """Write a node's neighbours, edge ids (rows of `edge_features`) and costs; return the count."""
    count = 0
    if graph.free.size == 0:
        for edge in range(graph.first[node], graph.last[node]):
            nodes[count] = graph.indices[edge]
            edges[count] = edge if graph.edge_rows.size == 0 else graph.edge_rows[edge]
            costs[count] = 1.0 if graph.weights.size == 0 else graph.weights[edge]
            count += 1
        return count
    if graph.moves.shape[1] == 3:
        return _neighbors_in_space(graph, node, nodes, edges, costs)
    rows = graph.shape[0]
    columns = graph.shape[1]
    row = node // columns
    column = node - row * columns
    for move in range(graph.moves.shape[0]):
        down = graph.moves[move, 0]
        right = graph.moves[move, 1]
        to_row = row + down
        to_column = column + right
        if to_row < 0 or to_row >= rows or to_column < 0 or to_column >= columns:
            continue
        target = to_row * columns + to_column
        if graph.free[target] == 0:
            continue
        if graph.corner_rule != CORNER_ALLOW and down != 0 and right != 0:
            sides = graph.free[to_row * columns + column] + graph.free[row * columns + to_column]
            if sides < graph.corner_rule:
                continue
        nodes[count] = target
        edges[count] = move
        costs[count] = graph.move_costs[move]
        count += 1
    return count


@primitive
def place_in_space(graph: GraphArrays, node: int) -> tuple[int, int, int]:
    """The (x, y, z) of a node of a 3D grid."""
    line = node // graph.shape[2]
    x = line // graph.shape[1]
    return x, line - x * graph.shape[1], node - line * graph.shape[2]


@primitive
def _neighbors_in_space(
    graph: GraphArrays,
    node: int,
    nodes: NDArray[np.int32],
    edges: NDArray[np.int64],
    costs: NDArray[np.float64],
) -> int:
    x, y, z = place_in_space(graph, node)
    count = 0
    for move in range(graph.moves.shape[0]):
        along_x = graph.moves[move, 0]
        along_y = graph.moves[move, 1]
        along_z = graph.moves[move, 2]
        if x + along_x < 0 or x + along_x >= graph.shape[0]:
            continue
        if y + along_y < 0 or y + along_y >= graph.shape[1]:
            continue
        if z + along_z < 0 or z + along_z >= graph.shape[2]:
            continue
        over_x = along_x * graph.shape[1] * graph.shape[2]
        over_y = along_y * graph.shape[2]
        target = node + over_x + over_y + along_z
        if graph.free[target] == 0:
            continue
        axes = abs(along_x) + abs(along_y) + abs(along_z)
        if graph.corner_rule != CORNER_ALLOW and axes > 1:
            # The 8 corners of the box spanned by the move; in a flat box every cell, including
            # the two endpoints, is counted twice.
            least = 8 if graph.corner_rule == CORNER_BOTH_FREE else 1 + (1 << (4 - axes))
            corners = 0
            for corner in range(8):
                cell = node + (corner & 1) * over_x
                cell += (corner >> 1 & 1) * over_y + (corner >> 2) * along_z
                corners += graph.free[cell]
            if corners < least:
                continue
        nodes[count] = target
        edges[count] = move
        costs[count] = graph.move_costs[move]
        count += 1
    return count


@primitive
def is_known(graph: GraphArrays, node: int) -> bool:
    """Whether a node's neighbours can be read, rather than having to be requested first."""
    return graph.first.size == 0 or graph.first[node] >= 0


@primitive
def node_features(graph: GraphArrays, node: int, out: NDArray[np.float32]) -> None:
    """Write a node's features; on a grid, its coordinates in cells (in 2D, y points up)."""
    if graph.free.size == 0:
        for column in range(graph.features.shape[1]):
            out[column] = graph.features[node, column]
    elif graph.moves.shape[1] == 3:
        out[0], out[1], out[2] = place_in_space(graph, node)
    else:
        columns = graph.shape[1]
        row = node // columns
        out[0] = node - row * columns
        out[1] = graph.shape[0] - 1 - row


@kernel
def write_features(graph: GraphArrays, node: int, out: NDArray[np.float32]) -> None:
    """`node_features`, for callers in Python."""
    node_features(graph, node, out)
