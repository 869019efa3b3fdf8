"""What a graph is like, compared with networkx."""

from __future__ import annotations

import networkx as nx
from hypothesis import given, settings

from phil.graphs import Graph
from phil.graphs.summary import summarise
from tests.strategies import graphs


@settings(max_examples=30)
@given(graph=graphs())
def test_counts_agree_with_networkx(graph: Graph) -> None:
    other = nx.MultiDiGraph() if graph.directed else nx.MultiGraph()
    other.add_nodes_from(range(graph.num_nodes))
    for node in range(graph.num_nodes):
        for neighbour in graph.neighbors(node).tolist():
            if graph.directed or node <= neighbour:
                other.add_edge(node, neighbour)
    found = summarise(graph)
    assert (found["nodes"], found["edges"]) == (len(other), other.number_of_edges())
    assert found["self_loops"] == nx.number_of_selfloops(other)
    if graph.directed:
        parts = list(nx.strongly_connected_components(other))
        assert found["strongly_connected_components"] == len(parts)
    else:
        parts = list(nx.connected_components(other))
        assert found["components"] == len(parts)
        largest = [part for part in parts if len(part) == found["largest_component"]]
        widest = max(nx.diameter(other.subgraph(part)) for part in largest)
        assert found["diameter_estimate"] <= widest
    assert found["largest_component"] == max(map(len, parts))
