"""Nodes by the names that users give them."""

from __future__ import annotations

import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs import Graph, GridGraph
from phil.graphs.naming import find_node, node_name

ROADS = Graph.from_edges(4, [(0, 1), (1, 2)], labels=["a, b", "7", " x", "0"])
PLAIN = Graph.from_edges(2, [(0, 1)])
GRID = GridGraph([[True, True, False], [True, True, True]])
SPACE = GridGraph(np.ones((2, 3, 4), bool))


@pytest.mark.parametrize("graph", [ROADS, PLAIN, GRID, SPACE])
def test_names_are_found_again(graph: Graph | GridGraph) -> None:
    nodes = np.flatnonzero(graph.free) if isinstance(graph, GridGraph) else range(graph.size)
    for node in nodes:
        name = node_name(graph, int(node))
        text = name if isinstance(name, str) else ",".join(map(str, name))
        assert find_node(graph, text) == node


def test_blanks_around_a_label_are_forgiven() -> None:
    assert find_node(ROADS, " 7 ") == 1
    assert find_node(ROADS, " x") == 2
    assert find_node(GRID, " 1 , 2") == 5


@pytest.mark.parametrize(
    ("graph", "text", "message"),
    [
        (ROADS, "1", r"no node '1'; its 4 nodes are 'a, b', '7', ' x', \.\.\."),
        (ROADS, "", "no node ''"),
        (ROADS, "y" * 9999, r"no node 'y{60}\.\.\.'"),
        (PLAIN, "2", r"no node '2'; its nodes are the numbers 0\.\.1"),
        (PLAIN, "-1", "no node '-1'"),
        (GRID, "1", "ROW,COL such as 0,200, not '1'"),
        (GRID, "1,2,3", "ROW,COL such as 0,200, not '1,2,3'"),
        (GRID, "1,2.5", "ROW,COL"),
        (GRID, "1," + "9" * 5000, "ROW,COL"),
        (GRID, "0,2", "on an obstacle"),
        (GRID, "2,0", "off the map"),
        (SPACE, "1,2", "X,Y,Z such as 0,10,200, not '1,2'"),
        (SPACE, "1,2,4", "off the map"),
    ],
)
def test_what_is_no_node(graph: Graph | GridGraph, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        find_node(graph, text)
