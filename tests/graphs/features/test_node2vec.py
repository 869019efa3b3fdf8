"""Vectors learned from walks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.graphs import Graph
from phil.graphs.features.node2vec import embedding


def clusters(count: int, size: int) -> Graph:
    """Dense random clusters in a ring, with one edge from each to the next."""
    random = np.random.default_rng(3)
    edges = [(c * size, (c + 1) % count * size + 1) for c in range(count)]
    for c in range(count):
        for node in range(size):
            edges += [(c * size + node, c * size + int(random.integers(size))) for _ in range(4)]
    return Graph.from_edges(count * size + 1, edges)  # the last has no edge


def cosines(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    product: NDArray[np.float32] = unit @ unit.T
    return product


def test_nodes_of_one_cluster_are_alike() -> None:
    size = 25
    vectors = embedding(clusters(4, size), 8)
    assert vectors.dtype == np.float32
    assert not vectors[-1].any()
    alike = cosines(vectors[:-1])
    cluster = np.arange(len(alike)) // size
    same = cluster[:, None] == cluster
    assert alike[same].mean() > alike[~same].mean() + 0.5


def test_the_same_graph_gives_the_same_vectors() -> None:
    graph = clusters(2, 10)
    np.testing.assert_array_equal(embedding(graph, 3), embedding(clusters(2, 10), 3))


def test_without_edges_there_is_nothing_to_learn() -> None:
    assert not embedding(Graph.from_edges(3, []), 4).any()


def test_one_edge_is_walked_to_and_fro() -> None:
    assert np.isfinite(embedding(Graph.from_edges(2, [(0, 1)], directed=True), 4)).all()
