"""A graph's adjacency without direction, weights, parallel edges and self-loops."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from phil.graphs.graph import Graph


def both_ways(graph: Graph) -> csr_array:
    """1 for every two nodes that an edge joins either way; sorted.

    >>> graph = Graph.from_edges(3, [(0, 1), (0, 1), (1, 1), (2, 1)], directed=True)
    >>> both_ways(graph).toarray().tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """
    source = np.repeat(np.arange(graph.num_nodes), np.diff(graph.indptr))
    between = source != graph.indices
    left, right = source[between], graph.indices[between]
    ends = np.concatenate([left, right]), np.concatenate([right, left])
    shape = (graph.num_nodes, graph.num_nodes)
    adjacency = csr_array((np.ones(ends[0].size), ends), shape=shape)  # sums up parallel edges
    adjacency.data[:] = 1.0
    adjacency.sort_indices()
    return adjacency
