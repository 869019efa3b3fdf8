"""Degrees, means of neighbours, and coordinates."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from phil.errors import InputError
from phil.graphs import FeatureGroup, Graph
from phil.graphs.features import add_features
from tests.strategies import graphs


@given(graphs())
def test_degrees(graph: Graph) -> None:
    added = add_features(graph, "degree").features[:, 3:]
    source = graph.sources
    net = nx.MultiDiGraph()
    net.add_nodes_from(range(graph.num_nodes))
    net.add_edges_from(zip(source.tolist(), graph.indices.tolist(), strict=True))
    counts = [dict(net.out_degree()), dict(net.in_degree())][: added.shape[1]]
    for column, count in zip(added.T, counts, strict=True):
        np.testing.assert_allclose(np.expm1(column), list(count.values()), rtol=1e-5, atol=1e-6)
    assert added.shape[1] == 1 + graph.directed


@given(graphs())
def test_means_of_neighbours(graph: Graph) -> None:
    added = add_features(graph, "neighbourhood").features[:, 3:]

    def mean(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]], node: int) -> object:
        near = graph.neighbors(node)
        return values[near].mean(axis=0) if near.size else values[node]

    own = graph.features.astype(np.float64)
    once = np.array([mean(own, node) for node in range(graph.num_nodes)])
    twice = np.array([mean(once, node) for node in range(graph.num_nodes)])
    np.testing.assert_allclose(added, np.concatenate([once, twice], axis=1), atol=1e-5)


def test_means_are_of_own_features_alone() -> None:
    graph = Graph.from_edges(2, [(0, 1)], [[1.0], [5.0]], feature_names=["height"])
    more = add_features(graph, "degree,neighbourhood")
    assert more.feature_names == (
        "height",
        "degree",
        "mean of height",
        "mean of means of height",
    )
    assert more.features[:, 2:].tolist() == [[5.0, 1.0], [1.0, 5.0]]


def test_means_of_places_are_places() -> None:
    groups = [FeatureGroup("coordinates", 2, alike=True)]
    graph = Graph.from_edges(2, [(0, 1)], [[1.0, 1.0], [5.0, 2.0]], feature_groups=groups)
    assert all(group.alike for group in add_features(graph, "neighbourhood").feature_groups)


def test_without_features_there_are_no_means() -> None:
    with pytest.raises(InputError, match="this graph has none; use degree, landmarks"):
        add_features(Graph.from_edges(2, [(0, 1)]), "neighbourhood")


def test_coordinates_are_projected_if_they_are_degrees() -> None:
    places = np.array([[11.0, 44.0], [11.0, 44.01]])
    graph = Graph.from_edges(2, [(0, 1)], coordinates=places, geographic=True)
    more = add_features(graph, "coordinates")
    assert more.feature_names == ("x", "y")
    assert more.feature_groups == (FeatureGroup("coordinates", 2, alike=True),)
    north = more.features[1] - more.features[0]
    np.testing.assert_allclose(north, [0.0, 1111.95], atol=0.1)
    plane = Graph.from_edges(2, [(0, 1)], coordinates=[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    across = np.diff(add_features(plane, "coordinates").features, axis=0)
    assert across.tolist() == [[3.0, 3.0, 3.0]]


def test_without_coordinates_the_feature_is_refused() -> None:
    with pytest.raises(InputError, match="no coordinates to use as features"):
        add_features(Graph.from_edges(2, [(0, 1)]), "coordinates")
