"""Costs to landmarks, and where the landmarks are."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phil.errors import InputError
from phil.graphs import AnyGraph, Graph, GridGraph
from phil.graphs.distances import costs_to
from phil.graphs.features import add_features
from phil.graphs.features.landmarks import landmark_costs
from tests.strategies import edge_costs, graphs, grids


def landmarks_of(graph: AnyGraph, k: int) -> list[int]:
    """The landmarks: no two nodes of the graphs here are without distance."""
    to = landmark_costs(graph, k)[:, :k]
    return [int(np.argmin(column)) for column in to.T]


@given(st.one_of(graphs(), grids(longest=6)), st.integers(1, 5))
def test_every_column_holds_the_exact_costs_of_one_node(graph: AnyGraph, k: int) -> None:
    table = landmark_costs(graph, k)
    net = nx.DiGraph()
    net.add_nodes_from(range(graph.size))
    net.add_weighted_edges_from((u, v, cost) for (u, v), cost in edge_costs(graph).items())
    pairs = dict(nx.all_pairs_dijkstra_path_length(net))
    exact = np.full((graph.size, graph.size), np.inf)
    for source, costs in pairs.items():
        for target, cost in costs.items():
            exact[source, target] = cost
    count = table.shape[1] // 2 if graph.directed else table.shape[1]
    nodes = int(graph.free.sum()) if isinstance(graph, GridGraph) else graph.num_nodes
    assert count == min(k, nodes)
    for column in range(count):
        matches = [
            node
            for node in range(graph.size)
            if np.allclose(exact[:, node], table[:, column])
            and (not graph.directed or np.allclose(exact[node], table[:, column + count]))
        ]
        assert matches


def test_they_are_far_from_one_another() -> None:
    line = Graph.from_edges(9, [(node, node + 1) for node in range(8)])
    assert landmarks_of(line, 3) == [8, 0, 4]


def test_costs_count_not_moves() -> None:
    star = Graph.from_edges(4, [(0, 1), (0, 2), (0, 3)], weights=[1.0, 5.0, 3.0])
    assert landmarks_of(star, 2) == [2, 3]


def test_every_large_component_has_its_share() -> None:
    edges = [(node, node + 1) for node in range(9) if node != 5]  # 6 nodes, 4 nodes; 10 is alone
    graph = Graph.from_edges(11, edges)
    landmarks = landmarks_of(graph, 5)
    assert sorted(landmark < 6 for landmark in landmarks) == [False, False, True, True, True]
    assert 10 not in landmarks


def test_without_a_path_the_feature_is_beyond_the_largest_cost() -> None:
    graph = Graph.from_edges(6, [(0, 1), (1, 2), (3, 4), (4, 5)], weights=[2.0, 2.0, 1.0, 1.0])
    costs = add_features(graph, "landmarks:2").features
    assert costs.tolist() == [[4, 6], [2, 6], [0, 6], [6, 2], [6, 1], [6, 0]]


def test_of_a_directed_graph_both_ways_count() -> None:
    ring = Graph.from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0)], directed=True)
    more = add_features(ring, "landmarks:1")
    assert more.feature_names == ("to landmark 0", "from landmark 0")
    landmark = int(np.argmin(more.features[:, 0]))
    np.testing.assert_array_equal(more.features[:, 0], costs_to(ring, landmark))
    np.testing.assert_array_equal(more.features[:, 1], costs_to(ring.reversed(), landmark))
    (group,) = more.feature_groups
    assert (group.name, group.size, group.alike) == ("landmarks", 2, True)


def test_one_way_streets_hide_no_node() -> None:
    graph = Graph.from_edges(5, [(0, 1), (1, 2), (4, 3), (3, 2)], directed=True)
    assert np.isfinite(add_features(graph, "landmarks:2").features).all()


@pytest.mark.parametrize("k", [4, 40])
def test_no_more_landmarks_than_nodes(k: int) -> None:
    assert sorted(landmarks_of(Graph.from_edges(4, [(0, 1), (2, 3)]), 4)) == [0, 1, 2, 3]
    assert landmark_costs(Graph.from_edges(4, [(0, 1), (2, 3)]), k).shape == (4, 4)


def test_costs_beyond_all_floats_are_refused() -> None:
    graph = Graph.from_edges(3, [(0, 1), (1, 2)], weights=[1e50, 1e50])
    with pytest.raises(InputError, match="all values must be finite float32"):
        add_features(graph, "landmarks:1")
