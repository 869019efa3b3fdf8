"""What is told of graphs."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from phil.graphs import Graph, GridGraph
from phil.graphs.summary import graph_summary
from tests.strategies import graphs


@given(graphs())
def test_counts_as_networkx_counts(graph: Graph) -> None:
    source = np.repeat(np.arange(graph.size), np.diff(graph.indptr))
    once = slice(None) if graph.directed else source <= graph.indices
    multi = nx.MultiDiGraph() if graph.directed else nx.MultiGraph()
    multi.add_nodes_from(range(graph.size))
    multi.add_edges_from(np.stack([source, graph.indices], axis=1)[once].tolist())
    simple = nx.DiGraph(multi) if graph.directed else nx.Graph(multi)
    parts = nx.strongly_connected_components if graph.directed else nx.connected_components
    sizes = [len(part) for part in parts(simple)]
    found = graph_summary(graph)
    assert found["edges"] == multi.number_of_edges()
    assert found["self_loops"] == nx.number_of_selfloops(multi)
    assert found["parallel_edges"] == multi.number_of_edges() - simple.number_of_edges()
    assert (found["components"], found["largest_component"]) == (len(sizes), max(sizes))


def test_many_feature_names_are_not_told() -> None:
    graph = Graph.from_edges(2, [(0, 1)], np.zeros((2, 50)), coordinates=[[0, 0, 1], [1, 0, 2]])
    found = graph_summary(graph)
    assert (found["features"], found["feature_names"]) == (50, None)
    assert found["coordinates"] == {"x": [0, 1], "y": [0, 0], "z": [1, 2]}
    assert found["diameter_at_least"] == 1


@pytest.mark.parametrize("shape", [(2, 3), (2, 3, 4)])
def test_maps(shape: tuple[int, ...]) -> None:
    found = graph_summary(GridGraph(np.ones(shape, bool)))
    assert found["kind"] == f"{len(shape)}D map"
    assert (found["components"], found["largest_component"]) == (1, np.prod(shape))
    blocked = graph_summary(GridGraph(np.zeros(shape, bool)))
    assert (blocked["components"], blocked["largest_component"]) == (0, 0)
