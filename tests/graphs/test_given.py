"""Graphs in the forms that users have them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import networkx as nx
import numpy as np
import pytest
from scipy.sparse import csr_array

import phil
from phil.graphs.checks import GRAPH, SEARCHED
from phil.graphs.given import as_graph, as_searched

LINE = nx.path_graph(["a", "b", "c"])
ADJACENCY = csr_array(np.array([[0, 2, 0], [2, 0, 1], [0, 1, 0]]))
EDGES = SimpleNamespace(edge_index=np.array([[0, 1, 1, 2], [1, 0, 2, 1]]), num_nodes=3)


@pytest.mark.parametrize("given", [LINE, ADJACENCY, EDGES], ids=["networkx", "scipy", "pyg"])
def test_graphs_of_other_libraries(given: Any) -> None:
    graph = GRAPH.take(given, "graph")
    assert isinstance(graph, phil.Graph)
    assert (graph.num_nodes, graph.num_edges, graph.directed) == (3, 2, False)


def test_arrays_and_nested_lists_are_maps() -> None:
    for axes in (2, 3):
        free = np.ones((4,) * axes, bool)
        for given in (free, free.tolist(), free.astype(int)):
            grid = GRAPH.take(given, "graph")
            assert isinstance(grid, phil.GridGraph)
            assert grid.free.all()
            assert grid.axes == axes


def test_files_are_read_by_text_or_path(tmp_path: Path) -> None:
    path = tmp_path / "map.png"
    phil.write_graph(path, np.ones((3, 5), bool))
    for given in (path, str(path)):
        assert GRAPH.take(given, "graph").shape == (3, 5)
    with pytest.raises(phil.InputError, match=r"cannot read .*nothing\.png"):
        SEARCHED.take(tmp_path / "nothing.png", "graph")


def test_a_networkx_graph_to_search_speaks_of_its_own_nodes() -> None:
    conversion = as_searched(LINE)
    assert conversion.between("c", "a") == (conversion.graph, 2, 0)
    assert as_searched(LINE) is conversion, "it is converted once"
    with pytest.raises(phil.InputError, match="start 'd' is not a node of the network"):
        conversion.between("d", "a")


def test_what_is_no_graph_is_told_what_would_be() -> None:
    for given in (3, None, object(), nx.Graph, phil.ASTAR):
        assert as_searched(given) is NotImplemented
        with pytest.raises(phil.InputError, match=r"graph must be a Graph.* networkx graph.* file"):
            GRAPH.take(given, "graph")
    with pytest.raises(phil.InputError, match=r"ImplicitGraph\(.*explored\(start, most"):
        as_graph(phil.ImplicitGraph(lambda node: []))
