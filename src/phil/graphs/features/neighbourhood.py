"""neighbourhood: the means of the graph's own features over the nodes one and two moves away.

`mean` is the mean over a node's neighbours, `mean of means` the mean of their means. Every
adjacency entry counts, as for the degree. A node without edges keeps its own features in both.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs.features.feature import Columns, Feature
from phil.graphs.graph import FeatureGroup, Graph


def means(graph: Graph, k: int) -> NDArray[np.float32]:
    """Both means of every node, side by side."""
    once = _mean(graph, graph.features)
    return np.concatenate([once, _mean(graph, once)], axis=1)


def _mean(graph: Graph, values: NDArray[np.float32]) -> NDArray[np.float32]:
    from scipy.sparse import csr_array

    nodes, degree = graph.num_nodes, np.diff(graph.indptr)
    # Dividing before summing keeps large features from overflowing.
    shares = np.repeat(1.0 / np.maximum(degree, 1), degree).astype(np.float32)
    adjacency = csr_array((shares, graph.indices, graph.indptr), shape=(nodes, nodes))
    mean: NDArray[np.float32] = adjacency @ values
    return np.where(degree[:, None] > 0, mean, values)


def _check(graph: Graph) -> None:
    if graph.features.shape[1] == 0:
        raise InputError(
            "neighbourhood is the mean of the neighbours' own features, and this graph has none; "
            "use degree, landmarks or laplacian, which need no features"
        )


def _columns(graph: Graph, k: int) -> Columns:
    own, width = graph.feature_names, graph.features.shape[1]
    alike = len(graph.feature_groups) == 1 and graph.feature_groups[0].alike
    return Columns(
        tuple(f"{kind} of {name}" for kind in ("mean", "mean of means") for name in own),
        (FeatureGroup("mean", width, alike), FeatureGroup("mean of means", width, alike)),
    )


NEIGHBOURHOOD = Feature(
    name="neighbourhood",
    instead="degree",
    check=_check,
    columns=_columns,
    operations=lambda graph, k: 2 * graph.indices.size,
    compute=means,
)
