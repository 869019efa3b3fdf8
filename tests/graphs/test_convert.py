"""Graphs of other libraries become the same graph here, and go back."""

from __future__ import annotations

import time
from collections import Counter
from types import SimpleNamespace
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array, csr_matrix

from phil import Graph, GridGraph, InputError
from phil.graphs import FeatureGroup
from phil.graphs.convert import from_grid
from tests.strategies import graphs


def edges(graph: Graph) -> Counter[tuple[int, int, float]]:
    """How often every edge stands there, with its cost."""
    source = graph.sources.tolist()
    costs = np.ones(len(source)) if graph.weights is None else graph.weights
    return Counter(zip(source, graph.indices.tolist(), costs.tolist(), strict=True))


def has_parallel_edges(graph: Graph) -> bool:
    rows = np.split(graph.indices, graph.indptr[1:-1])
    return any(len(np.unique(row)) < len(row) for row in rows)


@given(graph=graphs())
def test_to_networkx_and_back(graph: Graph) -> None:
    network = graph.to_networkx()
    assert network.is_directed() == graph.directed
    assert network.is_multigraph() == has_parallel_edges(graph)
    back = Graph.from_networkx(network, features=graph.feature_names)
    assert edges(back) == edges(graph)
    assert back.directed == graph.directed
    assert back.labels is None
    assert back.feature_names == graph.feature_names
    np.testing.assert_array_equal(back.features, graph.features)


@given(graph=graphs(directed=True))
def test_to_scipy_and_back(graph: Graph) -> None:
    source = graph.sources
    costs = np.ones(source.size) if graph.weights is None else graph.weights
    shape = graph.num_nodes, graph.num_nodes
    matrix = coo_array((costs, (source, graph.indices)), shape=shape)
    back = Graph.from_scipy(matrix, graph.features)
    assert edges(back) == edges(graph)
    np.testing.assert_array_equal(back.features, graph.features)
    turned = coo_array((costs, (graph.indices, source)), shape=shape)
    assert back.directed == (edges(back) != edges(Graph.from_scipy(turned)))


def test_neighbours_keep_the_order_of_networkx() -> None:
    network = nx.gnm_random_graph(20, 60, seed=3)
    graph = Graph.from_networkx(network)
    assert all(graph.neighbors(node).tolist() == list(network[node]) for node in network)


def test_missing_weights_are_1_and_hidden_edges_are_left_out() -> None:
    network = nx.Graph()
    network.add_edge("a", "b", cost=2)
    network.add_edge("b", "c")
    network.add_edge("c", "a", cost=None)
    assert edges(Graph.from_networkx(network, weight="cost")) == Counter(
        [(0, 1, 2), (1, 0, 2), (1, 2, 1), (2, 1, 1)]
    )
    assert Graph.from_networkx(network, weight=None).indices.size == 6
    assert Graph.from_networkx(network).weights is None


def test_weights_may_be_functions() -> None:
    network = nx.MultiGraph([(0, 1, {"w": 3}), (0, 1, {"w": 5}), (1, 2, {"w": 1})])
    kept = Graph.from_networkx(network, weight="w")
    assert edges(kept)[0, 1, 3] == edges(kept)[0, 1, 5] == 1
    # As in networkx, a function sees all parallel edges and gives them one cost.
    summed = Graph.from_networkx(network, weight=lambda u, v, d: sum(e["w"] for e in d.values()))
    assert edges(summed) == Counter([(0, 1, 8), (1, 0, 8), (1, 2, 1), (2, 1, 1)])
    assert not summed.directed
    uphill = Graph.from_networkx(network, weight=lambda u, v, d: 2 if v > u else None)
    assert edges(uphill) == Counter([(0, 1, 2), (1, 2, 2)])
    assert uphill.directed


def test_labels_are_texts_that_differ() -> None:
    assert Graph.from_networkx(nx.path_graph(3)).labels is None
    assert Graph.from_networkx(nx.path_graph(["a", 1])).labels == ("a", "1")
    assert Graph.from_networkx(nx.path_graph([1, "1"])).labels == ("1", "'1'")


def test_attributes_become_coordinates_and_features() -> None:
    network = nx.path_graph(2)
    network.add_node(0, x=1, y=2.0, height=7, embedding=[0.5, 0.25], name="a")
    network.add_node(1, x=3, y=4.0, height=8, embedding=[1.5, 1.25], name="b")
    plain = Graph.from_networkx(network)
    assert plain.coordinates is not None
    assert plain.coordinates.tolist() == plain.features.tolist() == [[1, 2], [3, 4]]
    assert plain.feature_groups == (FeatureGroup("coordinates", 2, True),)
    rich = Graph.from_networkx(
        network, features=["height", "embedding"], coordinates=("y", "x", "height")
    )
    assert rich.coordinates is not None
    assert rich.coordinates.tolist() == [[2, 1, 7], [4, 3, 8]]
    assert rich.feature_names == ("height", "embedding_0", "embedding_1")
    assert rich.features.tolist() == [[7, 0.5, 0.25], [8, 1.5, 1.25]]
    assert Graph.from_networkx(network, coordinates=()).coordinates is None
    for wrong, message in (("name", "node 0: attribute 'name' is 'a', not a number"),):
        with pytest.raises(InputError, match=message):
            Graph.from_networkx(network, features=[wrong])


def test_coordinates_by_custom() -> None:
    network = nx.path_graph(2)
    nx.set_node_attributes(network, {0: (1, 2, 3), 1: (4, 5, 6)}, "pos")
    graph = Graph.from_networkx(network)
    assert graph.coordinates is not None
    assert graph.coordinates.tolist() == [[1, 2, 3], [4, 5, 6]]
    network.nodes[1]["pos"] = (4, 5)
    assert Graph.from_networkx(network).coordinates is None
    with pytest.raises(InputError, match="'pos' does not have the same length on all nodes"):
        Graph.from_networkx(network, coordinates="pos")
    del network.nodes[1]["pos"]
    assert Graph.from_networkx(network).coordinates is None
    with pytest.raises(InputError, match="node 1 has no attribute 'pos'"):
        Graph.from_networkx(network, coordinates="pos")


def test_osmnx_says_degrees() -> None:
    network = nx.MultiDiGraph(crs="epsg:4326")
    network.add_node(5, x=11.0, y=44.0)
    network.add_node(6, x=12.0, y=44.0)
    network.add_edge(5, 6, length=79_988.0)
    graph = Graph.from_networkx(network, weight="length")
    assert graph.geographic
    assert graph.coordinates is not None
    assert graph.coordinates.tolist() == [[11, 44], [12, 44]]
    metres = np.linalg.norm(graph.features[1] - graph.features[0])
    assert metres == pytest.approx(79_988, rel=1e-4)
    back = graph.to_networkx()
    assert back.graph == {"crs": "epsg:4326"}
    assert back.nodes["5"] == {"x": 11.0, "y": 44.0}
    assert Graph.from_networkx(back).geographic


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (-1, r"edge \('a', 'b'\): weight 'weight' is -1; costs must be finite and non-negative"),
        (float("nan"), "is nan; costs must be finite"),
        (float("inf"), "is inf; costs must be finite"),
        ("3", "is the text '3', not a number; read files of OSMnx"),
        ("far", "is 'far', not a number$"),
        ([1, 2], r"is \[1, 2\], not a number"),
    ],
)
def test_costs_that_cannot_be(value: Any, message: str) -> None:
    network = nx.Graph([("a", "b", {"weight": value}), ("b", "c", {"weight": 1})])
    with pytest.raises(InputError, match=message):
        Graph.from_networkx(network)


def test_no_nodes() -> None:
    with pytest.raises(InputError, match="at least one node"):
        Graph.from_networkx(nx.Graph())


@st.composite
def pyg_data(draw: st.DrawFn) -> Any:
    torch = pytest.importorskip("torch")
    geometric = pytest.importorskip("torch_geometric.data")
    graph = draw(graphs())
    source = graph.sources
    order = np.random.default_rng(draw(st.integers(0, 99))).permutation(source.size)
    data = geometric.Data(
        x=torch.from_numpy(graph.features.copy()).requires_grad_(),
        edge_index=torch.from_numpy(np.stack([source, graph.indices])[:, order]),
        edge_attr=torch.from_numpy(graph.edge_features[order]),
    )
    if graph.weights is not None:
        data.edge_weight = torch.from_numpy(graph.weights[order])
    return graph, data


@given(pair=pyg_data())
def test_from_pyg(pair: Any) -> None:
    graph, data = pair
    own = Graph.from_pyg(data)
    assert edges(own) == edges(graph)
    assert not own.directed or graph.directed
    np.testing.assert_array_equal(own.features, graph.features)
    rows = [sorted(graph_.edge_features[:, 0].tolist()) for graph_ in (own, graph)]
    assert rows[0] == rows[1]


def test_from_what_looks_like_pyg() -> None:
    data = SimpleNamespace(
        edge_index=np.array([[2, 0, 1, 1], [1, 1, 0, 2]]),
        edge_attr=np.array([5.0, 6.0, 7.0, 8.0]),
        pos=np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]),
        num_nodes=3,
    )
    graph = Graph.from_pyg(data)
    assert repr(graph) == "Graph(nodes=3, edges=2, features=2, undirected)"
    assert graph.feature_groups == (FeatureGroup("coordinates", 2, True),)
    assert graph.neighbors(1).tolist() == [0, 2]
    assert graph.edge_features[:, 0].tolist() == [6, 7, 8, 5]
    for name, value, message in (
        ("edge_index", np.zeros((3, 4)), r"must be integers of shape \(2, E\)"),
        ("edge_index", np.array([[7], [0]]), "starts at 7: ids must be in 0..2"),
        ("edge_index", None, "no edge_index"),
        ("edge_attr", np.zeros(3), "edge features: 3 given for 4 edges"),
        ("edge_weight", np.ones(3), "edge_weight: 3 given for 4 edges"),
        ("edge_weight", -np.ones(4), r"edge_index\[:, 0\]: its edge_weight is -1.0"),
    ):
        with pytest.raises(InputError, match=message):
            Graph.from_pyg(SimpleNamespace(**{**vars(data), name: value}))


def test_from_scipy_reads_stored_values() -> None:
    graph = Graph.from_scipy(csr_matrix(([0.0, 2.5], ([0, 2], [1, 0])), shape=(3, 3)))
    assert edges(graph) == Counter([(0, 1, 0), (2, 0, 2.5)])
    assert graph.directed
    assert Graph.from_scipy(coo_array(np.eye(3, dtype=bool))).weights is None


def test_matrices_that_cannot_be() -> None:
    with pytest.raises(InputError, match=r"scipy.sparse array or matrix, not a ndarray"):
        Graph.from_scipy(np.eye(2))
    with pytest.raises(InputError, match=r"square, not of shape \(2, 3\)"):
        Graph.from_scipy(coo_array((2, 3)))
    with pytest.raises(InputError, match=r"entry \(1, 0\): its value is -2"):
        Graph.from_scipy(coo_array([[0, 0], [-2, 0]]))
    with pytest.raises(InputError, match=r"entry \(0, 0\): its value is .*, not a number"):
        Graph.from_scipy(coo_array([[1j]]))


def test_converting_is_fast() -> None:
    ends = np.random.default_rng(0).permutation(40_000 * 5).reshape(-1, 2) % 40_000
    network = nx.DiGraph(ends.tolist())
    began = time.process_time()
    assert Graph.from_networkx(network).indices.size == network.number_of_edges() > 99_000
    assert time.process_time() - began < 1


@pytest.mark.parametrize("corners", ["allow", "one_free", "both_free"])
@pytest.mark.parametrize(
    ("shape", "moves"), [((6, 5), 4), ((6, 5), 8), ((3, 4, 3), 18), ((3, 3, 4), 26)]
)
def test_a_map_is_the_graph_of_its_moves(shape: tuple[int, ...], moves: int, corners: Any) -> None:
    free = np.random.default_rng(moves).random(shape) < 0.7
    grid = GridGraph(free, connectivity=moves, corners=corners)
    graph = from_grid(grid)
    spots = graph.coordinates
    assert spots is not None
    assert graph.num_nodes == grid.num_nodes
    for node, cell in enumerate(grid.node_ids.tolist()):
        assert graph.label(node) == ",".join(map(str, grid.cell(cell)))
        reached = grid.node_ids[graph.neighbors(node)]
        assert reached.tolist() == grid.neighbors(cell).tolist()
        assert spots[node].tolist() == grid.features[cell].tolist()
    lengths = np.linalg.norm(spots[graph.sources] - spots[graph.indices], axis=1)
    weights = np.ones(len(graph.indices)) if graph.weights is None else graph.weights
    np.testing.assert_allclose(lengths, weights)
