"""Adding features: what is appended, how often it is computed, and what is refused."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from phil.errors import InputError
from phil.graphs import FeatureGroup, Graph, ImplicitGraph
from phil.graphs.features import add_features, feature_costs, store
from tests.strategies import graphs


def line(nodes: int, *, directed: bool = False) -> Graph:
    edges = np.stack([np.arange(nodes - 1), np.arange(1, nodes)], axis=1)
    return Graph.from_edges(nodes, edges, directed=directed)


@given(graphs())
def test_own_features_come_first_and_the_rest_in_the_order_of_the_recipe(graph: Graph) -> None:
    more = add_features(graph, "degree,neighbourhood")
    np.testing.assert_array_equal(more.features[:, :3], graph.features)
    names = [group.name for group in more.feature_groups]
    assert names == ["features", "degree", "mean", "mean of means"]
    assert sum(group.size for group in more.feature_groups) == more.features.shape[1]
    assert len(set(more.feature_names)) == more.features.shape[1]
    assert more.indices is graph.indices
    assert more.edge_features.shape == graph.edge_features.shape


def test_no_recipe_is_no_change() -> None:
    graph = line(3)
    assert add_features(graph, "") is graph
    assert feature_costs(graph, "") == ()


def test_the_same_is_added_once_and_no_longer_than_the_graph_lives() -> None:
    graph = line(5)
    more = add_features(graph, "landmarks:2, degree")
    assert add_features(graph, "landmarks:2,degree") is more
    assert feature_costs(graph, "landmarks:2,degree") is feature_costs(graph, "landmarks:2,degree")
    assert add_features(graph, "degree,landmarks:2") is not more
    gone = weakref.ref(graph), weakref.ref(more)
    del graph, more
    gc.collect()
    assert [each() for each in gone] == [None, None]


def test_costs_are_reported_per_feature() -> None:
    graph = line(5)
    degree, landmarks = feature_costs(graph, "degree,landmarks:2")
    assert (degree.feature, degree.columns, degree.bytes) == ("degree", 1, 20)
    assert (landmarks.feature, landmarks.columns, landmarks.bytes) == ("landmarks:2", 2, 40)
    assert degree.source == landmarks.source == "computed"
    assert landmarks.seconds > 0


@pytest.mark.parametrize(
    ("nodes", "recipe", "instead"),
    [
        (5, "landmarks:5", "fewer landmarks"),
        (400, "laplacian:8", "landmarks:4"),
        (400, "node2vec:16", "degree,landmarks:2"),
    ],
)
def test_what_costs_more_than_all_shortest_paths_is_refused(
    nodes: int, recipe: str, instead: str
) -> None:
    message = rf"the feature {recipe} takes about .* operations on this graph of {nodes} nodes, "
    message += rf"more than the shortest paths between all pairs of nodes \(.*\); use .*{instead}"
    with pytest.raises(InputError, match=message):
        add_features(line(nodes), "degree," + recipe)


def test_the_bound_on_landmarks_is_sharp() -> None:
    assert add_features(line(5), "landmarks:4").features.shape == (5, 4)
    assert add_features(line(5, directed=True), "landmarks:2").features.shape == (5, 4)
    with pytest.raises(InputError, match="all pairs"):
        add_features(line(5, directed=True), "landmarks:3")


def test_degree_and_neighbourhood_suit_the_smallest_graphs() -> None:
    alone = Graph.from_edges(1, [], [[3.0]])
    assert add_features(alone, "degree,neighbourhood").features.tolist() == [[3.0, 0.0, 3.0, 3.0]]


def test_a_graph_of_callbacks_is_refused() -> None:
    line = ImplicitGraph(lambda node: [node + 1])
    with pytest.raises(InputError, match=r"ImplicitGraph.* is known only where it was searched"):
        add_features(line, "degree")  # type: ignore[type-var]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PHIL_CACHE", str(tmp_path))
    return tmp_path / "features"


def source(graph: Graph, recipe: str = "landmarks:2") -> str:
    """Where a graph's landmarks come from, in a process that has not seen the graph."""
    return feature_costs(graph.with_features(graph.features), recipe)[0].source


def test_large_graphs_are_kept_on_the_disk_and_small_ones_are_not(cache: Path) -> None:
    assert source(line(store.FEWEST_NODES - 1)) == "computed"
    assert not cache.exists()
    large = line(store.FEWEST_NODES)
    assert [source(large), source(large)] == ["computed", "cache"]
    assert len(list(cache.iterdir())) == 1
    assert source(large, "degree") == "computed"  # no slower than reading
    assert len(list(cache.iterdir())) == 1
    first, second = (add_features(large.with_features(large.features), "landmarks:2"),) * 2
    np.testing.assert_array_equal(first.features, second.features)


def test_another_graph_or_number_is_another_file(cache: Path) -> None:
    nodes = store.FEWEST_NODES
    ends = np.stack([np.arange(nodes - 1), np.arange(1, nodes)], axis=1)
    weights = np.ones(nodes - 1)
    heavier = weights.copy()
    heavier[7] = 1.5
    assert source(Graph.from_edges(nodes, ends)) == "computed"
    assert source(Graph.from_edges(nodes, ends), "landmarks:3") == "computed"
    assert source(Graph.from_edges(nodes, ends, weights=weights)) == "computed"
    assert source(Graph.from_edges(nodes, ends, weights=heavier)) == "computed"
    assert source(Graph.from_edges(nodes, ends, directed=True)) == "computed"
    assert source(Graph.from_edges(nodes, ends[:-1])) == "computed"
    # The own features are not what landmarks are computed from.
    assert source(Graph.from_edges(nodes, ends, np.ones((nodes, 2)))) == "cache"


def test_what_a_graph_has_of_its_own_is_not_added_again() -> None:
    groups = [FeatureGroup("coordinates", 2, alike=True), FeatureGroup("degree", 1)]
    features = [[1.0, 2.0, 1.0], [3.0, 4.0, 1.0]]
    graph = Graph.from_edges(2, [(0, 1)], features, feature_groups=groups)
    more = add_features(graph, "degree,landmarks:1,coordinates")
    assert [group.name for group in more.feature_groups] == ["coordinates", "degree", "landmarks"]
    costs = feature_costs(graph, "degree,landmarks:1,coordinates")
    assert [(cost.source, cost.columns) for cost in costs] == [
        ("own", 0),
        ("computed", 1),
        ("own", 0),
    ]
