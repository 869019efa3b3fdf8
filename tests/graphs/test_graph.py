"""A graph is checked when it is made, keeps the order of its edges and never changes."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from phil.errors import InputError
from phil.graphs import FeatureGroup, Graph
from tests.strategies import graphs

# 0 - 1 - 2
CHAIN: dict[str, Any] = {
    "indptr": [0, 1, 3, 4],
    "indices": [1, 0, 2, 1],
    "features": [[0.0, 5.0], [1.0, 6.0], [2.0, 7.0]],
}

Edges = list[tuple[int, int]]


def edges_of(graph: Graph) -> Edges:
    return [(node, int(other)) for node in range(graph.size) for other in graph.neighbors(node)]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"indptr": []}, "at least one node"),
        ({"indptr": [0]}, "at least one node"),
        ({"indptr": [1, 1, 3, 4]}, r"from 0 to the number of indices \(4\), not from 1 to 4"),
        ({"indptr": [0, 1, 3, 5]}, "not from 0 to 5"),
        ({"indptr": [0, 3, 1, 4]}, "indptr decreases after node 1"),
        ({"indptr": [0.0, 1.0, 3.0, 4.0]}, "indptr must be integers, not float64"),
        ({"indptr": [[0, 1], [3, 4]]}, r"indptr must have one dimension, not shape \(2, 2\)"),
        ({"indices": [1, 0, 3, 1]}, r"indices\[2\] = 3: node ids must be in 0\.\.2"),
        ({"indices": [1, -1, 2, 1]}, r"indices\[1\] = -1"),
        ({"indices": [True, False, True, True]}, "indices must be integers, not bool"),
        ({"indices": [[1, 0], [2, 1]]}, r"indices must have one dimension, not shape \(2, 2\)"),
        ({"features": [[0.0], [np.nan], [2.0]]}, r"features\[1, 0\] is nan"),
        ({"features": [[0.0, 1.0], [1.0, -np.inf], [2.0, 3.0]]}, r"features\[1, 1\] is -inf"),
        ({"features": [[0.0], [1.0], [1e300]]}, r"features\[2, 0\] is 1e\+300.*float32"),
        ({"features": [[0.0], [1.0]]}, r"features must have shape \(3, D\), not \(2, 1\)"),
        ({"features": [0.0, 1.0, 2.0]}, r"features must have shape \(3, D\), not \(3,\)"),
        ({"features": [["a"], ["b"], ["c"]]}, "features must be numbers"),
        ({"features": [[0.0], [1.0, 2.0], [3.0]]}, "features"),
        ({"edge_features": [[0.0]] * 3}, r"edge_features must have shape \(4, D\), not \(3, 1\)"),
        ({"edge_features": [[0.0], [np.nan], [0.0], [0.0]]}, r"edge_features\[1, 0\] is nan"),
        ({"weights": [1.0, 1.0]}, r"weights must have shape \(4,\), one per edge, not \(2,\)"),
        ({"weights": [1.0, 1.0, -2.0, -2.0]}, r"weights\[2\] = -2\.0"),
        ({"weights": [1.0, np.inf, 1.0, 1.0]}, r"weights\[1\] = inf"),
        ({"weights": [1.0, 1.0, 1.0, np.nan]}, r"weights\[3\] = nan"),
        ({"weights": ["a", "b", "c", "d"]}, "weights must be numbers"),
        ({"labels": ["a", "b"]}, "labels: 2 given for 3 nodes"),
        ({"coordinates": [[0.0, 1.0]]}, r"coordinates must have shape \(3, 2\)"),
        ({"coordinates": [[0, 1], [2, np.nan], [3, 4]]}, r"coordinates\[1\] is \[2\.0, nan\]"),
        ({"feature_names": ["a"]}, "2 features, but 1 feature_names"),
        (
            {"feature_groups": [FeatureGroup("all", 3)]},
            r"2 features, but 2 feature_names and .* \[3\]",
        ),
    ],
)
def test_what_is_wrong_is_said_and_where(changes: dict[str, Any], message: str) -> None:
    Graph(**CHAIN)
    with pytest.raises(InputError, match=message):
        Graph(**CHAIN | changes)


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ([(0, 1), (1, 3)], r"edges\[1\] = \(1, 3\): node ids must be in 0\.\.2"),
        ([(-1, 1)], r"edges\[0\] = \(-1, 1\)"),
        ([(0.0, 1.0)], "edges must be integers"),
        ([(0, 1, 2), (1, 2, 0)], r"edges must have shape \(E, 2\), not \(2, 3\)"),
        ([0, 1], r"edges must have shape \(E, 2\), not \(2,\)"),
    ],
)
def test_wrong_edges_are_named(edges: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Graph.from_edges(3, edges, np.zeros((3, 1)))


@pytest.mark.parametrize("given", [1, 3])
@pytest.mark.parametrize("name", ["weights", "edge_features"])
def test_every_given_edge_has_one_weight_and_one_row_of_features(name: str, given: int) -> None:
    values: Any = np.ones(given) if name == "weights" else np.ones((given, 1))
    with pytest.raises(InputError, match=name):
        Graph.from_edges(3, [(0, 1), (1, 2)], np.zeros((3, 1)), **{name: values})


@st.composite
def directed_edges(draw: st.DrawFn) -> tuple[int, Edges]:
    nodes = draw(st.integers(2, 6))
    node = st.integers(0, nodes - 1)
    return nodes, draw(st.lists(st.tuples(node, node), min_size=1, max_size=12))


@given(directed_edges())
def test_one_way_edges_are_found_when_undirected_is_claimed(case: tuple[int, Edges]) -> None:
    nodes, edges = case
    one_way = Graph.from_edges(nodes, edges, np.zeros((nodes, 1)), directed=True)
    count = Counter(edges)
    lonely = {tuple(sorted(e)) for e in edges if count[e] != count[e[::-1]]}
    if not lonely:
        assert not Graph(one_way.indptr, one_way.indices, one_way.features).directed
        return
    with pytest.raises(InputError, match="undirected") as caught:
        Graph(one_way.indptr, one_way.indices, one_way.features)
    named = [word for word in str(caught.value).replace(",", " ").split() if word.isdigit()]
    assert tuple(sorted(int(word) for word in named)) in lonely
    assert "directed=True" in str(caught.value)


def test_an_edge_with_two_weights_is_found_when_undirected_is_claimed() -> None:
    Graph(**CHAIN, weights=[1.0, 1.0, 2.0, 2.0])
    with pytest.raises(InputError, match=r"edge 1 - 2 has different weights in its two directions"):
        Graph(**CHAIN, weights=[1.0, 1.0, 2.0, 3.0])
    assert Graph(**CHAIN, weights=[1.0, 1.0, 2.0, 3.0], directed=True).directed


@given(directed_edges(), st.booleans())
def test_neighbours_keep_the_order_of_the_edges(case: tuple[int, Edges], directed: bool) -> None:
    nodes, edges = case
    expected: dict[int, list[int]] = {node: [] for node in range(nodes)}
    for left, right in edges:
        expected[left].append(right)
    if not directed:
        # An edge stands first where it is given from, then at its other end.
        for node in expected:
            both = [
                (position, edge[1] if edge[0] == node else edge[0])
                for position, edge in enumerate(edges)
                if node in edge
            ]
            expected[node] = [other for _, other in both]
    graph = Graph.from_edges(nodes, edges, np.zeros((nodes, 1)), directed=directed)
    assert {node: graph.neighbors(node).tolist() for node in range(nodes)} == expected
    assert graph.max_degree == max(len(near) for near in expected.values())


@given(graphs(directed=False))
def test_both_ends_of_an_edge_share_its_weight_and_features(graph: Graph) -> None:
    edges = edges_of(graph)
    rows = graph.edge_features[:, 0].tolist()
    weights = [1.0] * len(edges) if graph.weights is None else graph.weights.tolist()
    there = Counter(zip(edges, rows, weights, strict=True))
    back = Counter(((b, a), row, weight) for (a, b), row, weight in there.elements())
    assert there == back


@given(graphs(directed=True))
def test_a_reversed_graph_has_every_edge_turned_round(graph: Graph) -> None:
    turned = graph.reversed()
    assert Counter((b, a) for a, b in edges_of(graph)) == Counter(edges_of(turned))
    assert np.array_equal(graph.features, turned.features)
    again = turned.reversed()
    for name in ("indices", "edge_features", "weights"):
        kept, first = getattr(again, name), getattr(graph, name)
        if first is None:
            assert kept is None
            continue
        order, other = (
            np.lexsort((*g.edge_features.T, g.indices, np.repeat(np.arange(g.size), degrees(g))))
            for g in (graph, again)
        )
        assert np.array_equal(first[order], kept[other])


def degrees(graph: Graph) -> Any:
    return np.diff(graph.indptr)


def test_an_undirected_graph_is_its_own_reverse() -> None:
    graph = Graph(**CHAIN)
    assert graph.reversed() is graph


def test_nothing_can_be_written() -> None:
    graph = Graph(**CHAIN, weights=np.ones(4), edge_features=np.ones((4, 1)), labels=list("abc"))
    assert graph.weights is not None
    for array in (graph.indptr, graph.indices, graph.features, graph.edge_features, graph.weights):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(ValueError, match="read-only"):
        graph.neighbors(1)[0] = 2
    assert isinstance(graph.labels, tuple)


@pytest.mark.parametrize("name", ["indptr", "indices", "features", "weights", "edge_features"])
def test_changing_the_given_arrays_changes_no_graph(name: str) -> None:
    given: dict[str, Any] = {
        "indptr": np.array(CHAIN["indptr"], np.int64),
        "indices": np.array(CHAIN["indices"], np.int32),
        "features": np.array(CHAIN["features"], np.float32),
        "weights": np.ones(4),
        "edge_features": np.ones((4, 1), np.float32),
    }
    graph = Graph(**given)
    before = getattr(graph, name).copy()
    given[name][:] = 0
    assert np.array_equal(getattr(graph, name), before)


@pytest.mark.parametrize("node", [-1, 3, 10**12])
def test_a_node_that_does_not_exist_is_named_with_its_role(node: int) -> None:
    graph = Graph(**CHAIN)
    with pytest.raises(InputError, match=rf"goal {node} is not a node: ids are 0\.\.2"):
        graph.check_node(node, "goal")
    with pytest.raises(InputError, match=f"node {node} is not a node"):
        graph.neighbors(node)


@given(graphs(directed=False))
def test_the_number_of_edges_shown_is_that_given(graph: Graph) -> None:
    pairs = Counter(edges_of(graph))
    loops = sum(count for (a, b), count in pairs.items() if a == b)
    edges = (sum(pairs.values()) - loops) // 2 + loops
    assert f"nodes={graph.size}, edges={edges}, features=3, undirected" in repr(graph)


@given(graphs(directed=True))
def test_a_directed_graph_shows_its_edges(graph: Graph) -> None:
    assume(graph.indices.size)
    assert f"edges={len(edges_of(graph))}, features=3, directed" in repr(graph)


def test_a_graph_may_have_one_node_and_no_edge() -> None:
    graph = Graph.from_edges(1, [], [[1.0]])
    assert (graph.size, graph.max_degree, graph.neighbors(0).tolist()) == (1, 0, [])


def test_features_may_be_sparse_or_missing() -> None:
    dense = np.array([[0.0, 5.0], [1.0, 0.0], [0.0, 7.0]])
    sparse = Graph.from_edges(3, [(0, 1)], csr_array(dense))
    assert sparse.features.tolist() == dense.tolist()
    assert Graph.from_edges(3, [(0, 1)]).features.shape == (3, 0)


def test_other_features_share_the_edges() -> None:
    graph = Graph(**CHAIN, weights=[1.0, 1.0, 2.0, 2.0], labels=list("abc"))
    groups = [FeatureGroup("place", 1, alike=True)]
    other = graph.with_features([[1.0], [2.0], [3.0]], ["x"], groups, np.ones((4, 2)))
    assert (other.feature_names, other.feature_groups) == (("x",), tuple(groups))
    assert other.features.tolist() == [[1.0], [2.0], [3.0]]
    assert other.edge_features.shape == (4, 2)
    assert other.arrays.indices is graph.arrays.indices
    assert graph.features.shape == (3, 2)
    assert graph.edge_features.shape == (4, 0)
    with pytest.raises(InputError, match=r"features must have shape \(3, D\)"):
        graph.with_features([[1.0]])


def test_nodes_are_found_by_their_labels() -> None:
    graph = Graph(**CHAIN, labels=["a", "b", "a c"])
    assert graph.nodes_by_label["a c"] == 2
    assert graph.label(1) == "b"
    assert Graph(**CHAIN).nodes_by_label == {"0": 0, "1": 1, "2": 2}
    with pytest.raises(InputError, match="nodes 0 and 2 have the same label, 'a'"):
        _ = Graph(**CHAIN, labels=["a", "b", "a"]).nodes_by_label


def test_a_graph_turned_round_follows_its_own_weights_and_features() -> None:
    graph = Graph.from_edges(3, [(0, 1), (1, 2)], np.eye(3), weights=[2.0, 3.0], directed=True)
    assert graph.reversed().weights is not None
    plain = graph.without_weights()
    assert (plain.weights, plain.reversed().weights) == (None, None)
    assert plain.arrays.indices is graph.arrays.indices
    assert graph.with_features(np.zeros((3, 1))).reversed().features.shape == (3, 1)
    assert graph.reversed() is graph.reversed()


def test_a_label_given_as_a_number_is_told_to_be_a_text() -> None:
    roads = Graph.from_edges(2, [(0, 1)], labels=["26075989", "26075990"])
    with pytest.raises(InputError, match=r"ids are 0\.\.1; to give a label, .*'26075990'"):
        roads.between(0, 26075990)
    assert roads.between(0, "26075990") == (roads, 0, 1)
