"""degree: how many edges a node has, as log(1 + degree).

Every entry of the adjacency counts: parallel edges each, a self-loop once. A directed graph has two
columns, of the edges that leave a node and of those that enter it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.graphs.features.feature import Columns, Feature, visits
from phil.graphs.graph import FeatureGroup, Graph


def degrees(graph: Graph, k: int) -> NDArray[np.float64]:
    """log(1 + degree) of every node."""
    counts = [np.diff(graph.indptr)]
    if graph.directed:
        counts.append(np.bincount(graph.indices, minlength=graph.num_nodes))
    return np.log1p(np.stack(counts, axis=1).astype(np.float64))


def _columns(graph: Graph, k: int) -> Columns:
    names = ("out-degree", "in-degree") if graph.directed else ("degree",)
    return Columns(names, (FeatureGroup("degree", len(names)),))


DEGREE = Feature(
    name="degree",
    columns=_columns,
    operations=lambda graph, k: visits(graph),
    compute=degrees,
)
