"""degree: log(1 + degree) of a node.

Every adjacency entry counts: each parallel edge, and a self-loop once. A directed graph has two
columns, for outgoing and incoming edges. On a grid, the degree of a cell is the number of its legal
moves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel
from phil.graphs import AnyGraph
from phil.graphs.arrays import GraphArrays, degree_of, place_of_node, target_of
from phil.graphs.features.feature import Columns, Feature, visits
from phil.graphs.graph import FeatureGroup


def degrees(graph: AnyGraph, k: int) -> NDArray[np.float64]:
    """log(1 + degree) of every node; 0 for a blocked cell."""
    if graph.is_grid:
        moves = np.zeros(graph.size, np.int64)
        _count_moves(graph.arrays, moves)
        counts = [moves]
    else:
        counts = [np.diff(graph.indptr)]
        if graph.directed:
            counts.append(np.bincount(graph.indices, minlength=graph.num_nodes))
    return np.log1p(np.stack(counts, axis=1).astype(np.float64))


@kernel
def _count_moves(graph: GraphArrays, counts: NDArray[np.int64]) -> None:
    for node in range(counts.size):
        if graph.free[node] != 0:
            place = place_of_node(graph, node)
            for edge in range(degree_of(graph, node)):
                counts[node] += target_of(graph, node, place, edge) >= 0


def _columns(graph: AnyGraph, k: int) -> Columns:
    names = ("out-degree", "in-degree") if graph.directed else ("degree",)
    return Columns(names, (FeatureGroup("degree", len(names)),))


DEGREE = Feature(
    name="degree",
    columns=_columns,
    operations=lambda graph, k: visits(graph),
    compute=degrees,
    on_grids=True,
)
