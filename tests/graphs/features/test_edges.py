"""Edge features against networkx's matrices."""

from __future__ import annotations

import networkx as nx
import numpy as np
from hypothesis import given

from phil.graphs import Graph
from phil.graphs.features.edges import EDGE_FEATURE_NAMES, road_edge_features
from tests.strategies import graphs


@given(graphs())
def test_they_are_entries_of_networkx_matrices(graph: Graph) -> None:
    source = graph.sources
    weights = np.ones(source.size) if graph.weights is None else graph.weights
    net = nx.DiGraph() if graph.directed else nx.Graph()
    net.add_nodes_from(range(graph.num_nodes))
    for node, other, weight in zip(source, graph.indices, weights, strict=True):
        known = net.get_edge_data(int(node), int(other), {"weight": 0.0})["weight"]
        if graph.directed or node <= other:
            net.add_edge(int(node), int(other), weight=known + float(weight))
    told = road_edge_features(graph)
    assert told.shape == (graph.indices.size, len(EDGE_FEATURE_NAMES))
    assert np.isfinite(told).all()
    if weights.sum() == 0:
        return
    if graph.directed:
        modularity = nx.directed_modularity_matrix(net, weight="weight")
        np.testing.assert_allclose(told[:, 1], modularity[source, graph.indices], atol=1e-4)
        return
    r = np.sqrt(graph.indices.size / graph.num_nodes)
    matrices = (
        nx.normalized_laplacian_matrix(net).toarray(),
        nx.modularity_matrix(net, weight="weight"),
        nx.bethe_hessian_matrix(net, r).toarray(),
    )
    for column, matrix in zip(told.T, matrices, strict=True):
        np.testing.assert_allclose(column, np.asarray(matrix)[source, graph.indices], atol=1e-4)


def test_without_edges() -> None:
    assert road_edge_features(Graph.from_edges(3, [])).shape == (0, 3)
