"""Eigenvectors of the Laplacian."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from phil.graphs import Graph
from phil.graphs.features.laplacian import DENSE, SAME, eigenvectors


def check(net: nx.Graph, k: int) -> None:
    """The columns are eigenvectors of the least nontrivial eigenvalues."""
    nodes = len(net)
    graph = Graph.from_edges(nodes, np.array(net.edges))
    vectors = eigenvectors(graph, k)
    matrix = nx.normalized_laplacian_matrix(net, nodelist=range(nodes)).toarray()
    exact = np.linalg.eigvalsh(matrix)[1 : k + 1]
    np.testing.assert_allclose(matrix @ vectors, vectors * exact, atol=1e-3)
    np.testing.assert_allclose(vectors.T @ vectors / nodes, np.eye(k), atol=1e-6)
    sizes = np.abs(vectors)
    leading = np.argmax(sizes > SAME * sizes.max(axis=0), axis=0)
    assert (vectors[leading, np.arange(k)] > 0).all()
    np.testing.assert_array_equal(eigenvectors(graph, k), vectors)


@pytest.mark.parametrize(
    "net",
    [
        nx.path_graph(20),
        nx.convert_node_labels_to_integers(nx.grid_2d_graph(4, 90)),  # wide
        nx.barabasi_albert_graph(4 * DENSE, 3, seed=1),  # narrow
    ],
    ids=["small", "wide", "narrow"],
)
def test_they_are_eigenvectors(net: nx.Graph) -> None:
    check(net, 4)


def test_every_component_has_its_own() -> None:
    one, two = nx.path_graph(9), nx.star_graph(4)
    both = nx.disjoint_union(one, two)
    both.add_node(14)
    graph = Graph.from_edges(15, np.array(both.edges))
    vectors = eigenvectors(graph, 6)
    alone = Graph.from_edges(9, np.array(one.edges))
    np.testing.assert_allclose(vectors[:9], eigenvectors(alone, 6), atol=1e-9)
    assert (np.abs(vectors[9:14, :4]).max(axis=0) > 0).all()
    assert not vectors[9:14, 4:].any()  # five nodes have four
    assert not vectors[14].any()


def test_direction_weights_loops_and_parallel_edges_do_not_count() -> None:
    edges = [(0, 1), (1, 2), (2, 3), (3, 4)]
    plain = Graph.from_edges(5, edges)
    other = Graph.from_edges(
        5, [*edges, (1, 0), (2, 2), (1, 2)], weights=np.arange(7.0), directed=True
    )
    np.testing.assert_array_equal(eigenvectors(plain, 2), eigenvectors(other, 2))
