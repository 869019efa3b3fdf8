"""The paper's edge features for road networks.

With A the matrix of edge lengths (weights, or 1 without weights; parallel edges summed), k its row
sums (k' its column sums if the graph is directed, else k' = k), and 2m the sum of all entries:

    Laplacian        L_uv = -A_uv / sqrt(k_u k'_v)             of I - D^-1/2 A D^-1/2
    modularity       B_uv = A_uv - k_u k'_v / 2m
    Bethe-Hessian    H_uv = -r A_uv                            of (r^2 - 1) I - r A + D

where r = sqrt(mean degree). The matrices are those of networkx; a self-loop gets the diagonal
entry, L_uu = 1 - A_uu / k_u and H_uu = r^2 - 1 - r A_uu + k_u.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.arguments import of_type, takes
from phil.graphs.graph import Graph

EDGE_FEATURE_NAMES = ("Laplacian", "modularity", "Bethe-Hessian")


@takes(graph=of_type("a Graph", Graph))
def road_edge_features(graph: Graph) -> NDArray[np.float32]:
    """Three numbers for each entry of `graph.indices`.

    >>> line = Graph.from_edges(3, [(0, 1), (1, 2)], weights=[1.0, 3.0])
    >>> road_edge_features(line)[0].round(3).tolist()  # of the edge from 0 to 1, r^2 = 4 / 3
    [-0.5, 0.5, -1.1549999713897705]
    """
    nodes = graph.num_nodes
    source = graph.sources
    target = graph.indices.astype(np.int64)
    weights = np.ones(target.size) if graph.weights is None else graph.weights
    _, pair = np.unique(source * nodes + target, return_inverse=True)
    entry = np.bincount(pair, weights)[pair] if pair.size else np.zeros(0)
    leaving = np.bincount(source, weights, minlength=nodes)
    entering = np.bincount(target, weights, minlength=nodes)
    product = leaving[source] * entering[target]
    r = np.sqrt(target.size / nodes)
    loop = source == target
    # If all edges at a node have length 0, its sum is 0, and so is the product.
    root = np.sqrt(np.where(product > 0, product, 1.0))
    return np.stack(
        [
            np.where(loop & (product > 0), 1.0, 0.0) - entry / root,
            entry - product / (weights.sum() or 1.0),
            np.where(loop, r * r - 1.0 + leaving[source], 0.0) - r * entry,
        ],
        axis=1,
    ).astype(np.float32)
