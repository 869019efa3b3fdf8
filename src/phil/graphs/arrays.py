"""A graph as plain arrays, as the compiled kernels see it.

All kinds of graph share one type, so each kernel is compiled only once: a graph with stored edges
leaves `free` empty; a grid leaves `first` empty, and its neighbours are computed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import Array1, Array2, Struct, kernel, primitive
from phil.graphs.stencil import Stencil, is_legal, place_of


class GraphArrays(Struct):
    """The arrays behind a graph (see `Graph.arrays`, `GridGraph.arrays`)."""

    first: Array1[np.int64]  # start of a node's edges; negative until they have been requested
    last: Array1[np.int64]  # end of a node's edges
    indices: Array1[np.int32]  # target node of each edge
    weights: Array1[np.float64]  # one per edge; if empty, every edge costs 1
    edge_rows: Array1[np.int64]  # an edge's row in `edge_features`; if empty, the edge's index
    tokens: Array1[np.uint64]  # identifies a node when neighbours are sampled; if empty, its id
    # (nodes, D). Of a grid, those besides the coordinates, (cells, K); without any, (0, axes).
    features: Array2[np.float32]
    edge_features: Array2[np.float32]  # (edges, De); for grids (moves, axes)
    free: Array1[np.uint8]  # flat occupancy; empty unless the graph is a grid
    shape: Array1[np.int64]  # (rows, columns) or (x, y, z) of a grid
    moves: Array2[np.int64]  # (moves, axes): offsets along the axes, in insertion order
    move_costs: Array1[np.float64]
    stencil: Stencil  # of a grid


@primitive
def degree_of(graph: GraphArrays, node: int) -> int:
    """The number of a node's edges; on a grid, of all moves, legal or not."""
    if graph.free.size > 0:
        return graph.stencil.reach.size
    return int(graph.last[node] - graph.first[node])


@primitive
def place_of_node(graph: GraphArrays, node: int) -> int:
    """Where a node's edges begin; on a grid, its place on the stencil's map."""
    return place_of(graph.stencil, node) if graph.free.size > 0 else int(graph.first[node])


@primitive
def target_of(graph: GraphArrays, node: int, place: int, edge: int) -> int:
    """The neighbour at the end of an edge of a node (see `degree_of`); -1 for an illegal move."""
    if graph.free.size == 0:
        return int(graph.indices[place + edge])
    if is_legal(graph.stencil, place, edge):
        return int(node + graph.stencil.steps[edge])
    return -1


@primitive
def cost_of(graph: GraphArrays, place: int, edge: int) -> float:
    """The cost of an edge of a node."""
    if graph.free.size > 0:
        return float(graph.move_costs[edge])
    return 1.0 if graph.weights.size == 0 else float(graph.weights[place + edge])


@primitive
def neighbors(
    graph: GraphArrays,
    node: int,
    nodes: NDArray[np.int32],
    edges: NDArray[np.int64],
    costs: NDArray[np.float64],
) -> int:
    """Write a node's neighbours, edge ids (rows of `edge_features`) and costs; return the count."""
    place = place_of_node(graph, node)
    count = 0
    for edge in range(degree_of(graph, node)):
        target = target_of(graph, node, place, edge)
        if target < 0:
            continue
        nodes[count] = target
        if graph.free.size > 0:
            edges[count] = edge
        else:
            edges[count] = (
                place + edge if graph.edge_rows.size == 0 else graph.edge_rows[place + edge]
            )
        costs[count] = cost_of(graph, place, edge)
        count += 1
    return count


@primitive
def place_in_space(graph: GraphArrays, node: int) -> tuple[int, int, int]:
    """The (x, y, z) of a node of a 3D grid."""
    line = node // graph.shape[2]
    x = line // graph.shape[1]
    return x, line - x * graph.shape[1], node - line * graph.shape[2]


@primitive
def coordinates(graph: GraphArrays, node: int) -> tuple[int, int, int]:
    """The (x, y, z) of a node of a grid, in cells; in 2D, y points up and z is 0."""
    if graph.free.size == 0:  # an implicit grid
        last = graph.features.shape[1] - 1
        z = graph.features[node, 2] if last == 2 else 0.0
        return int(graph.features[node, 0]), int(graph.features[node, 1]), int(z)
    if graph.moves.shape[1] == 3:
        return place_in_space(graph, node)
    row = node // graph.shape[1]
    return node - row * graph.shape[1], graph.shape[0] - 1 - row, 0


@primitive
def is_known(graph: GraphArrays, node: int) -> bool:
    """Whether a node's neighbours can be read, rather than having to be requested first."""
    return graph.first.size == 0 or graph.first[node] >= 0


@primitive
def position(graph: GraphArrays, node: int, out: NDArray[np.float32]) -> None:
    """Write a node's features; of a grid, only its coordinates in cells (in 2D, y points up)."""
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


@primitive
def node_features(graph: GraphArrays, node: int, out: NDArray[np.float32]) -> None:
    """Write a node's features; on a grid, its coordinates first."""
    position(graph, node, out)
    if graph.free.size > 0 and graph.features.shape[0] > 0:
        axes = graph.moves.shape[1]
        for column in range(graph.features.shape[1]):
            out[axes + column] = graph.features[node, column]


@kernel
def write_position(graph: GraphArrays, node: int, out: NDArray[np.float32]) -> None:
    """`position`, for callers in Python."""
    position(graph, node, out)


def position_size(graph: GraphArrays) -> int:
    """The length of what `position` writes."""
    return int((graph.moves if graph.free.size else graph.features).shape[1])
