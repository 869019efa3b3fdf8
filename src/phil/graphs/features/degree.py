"""degree: log(1 + degree) of a node.

Every adjacency entry counts: each parallel edge, and a self-loop once. A directed graph has two
columns, for outgoing and incoming edges.
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
