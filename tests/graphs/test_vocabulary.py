"""What all graphs can be asked, whatever their kind: names of nodes, ids, ends of a search."""

from __future__ import annotations

import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs import FeatureGroup, Graph, GridGraph, ImplicitGraph, SearchedGraph

ROADS = Graph.from_edges(4, [(0, 1), (1, 2)], labels=["a, b", "7", " x", "0"])
PLAIN = Graph.from_edges(2, [(0, 1)])
GRID = GridGraph([[True, True, False], [True, True, True]])
SPACE = GridGraph(np.ones((2, 3, 4), bool))


@pytest.mark.parametrize("graph", [ROADS, PLAIN, GRID, SPACE])
def test_names_are_found_again(graph: Graph | GridGraph) -> None:
    assert graph.node_ids.size == graph.num_nodes
    for node in graph.node_ids:
        name = graph.node_name(int(node))
        text = name if isinstance(name, str) else ",".join(map(str, name))
        assert graph.find_node(text) == node


def test_blanks_around_a_label_are_forgiven() -> None:
    assert ROADS.find_node(" 7 ") == 1
    assert ROADS.find_node(" x") == 2
    assert GRID.find_node(" 1 , 2") == 5


@pytest.mark.parametrize(
    ("graph", "text", "message"),
    [
        (ROADS, "1", r"no node '1'; its 4 nodes are 'a, b', '7', ' x', \.\.\."),
        (ROADS, "", "no node ''"),
        (ROADS, "y" * 9999, r"no node 'y{60}\.\.\.'"),
        (PLAIN, "2", r"no node '2'; its nodes are numbered 0\.\.1"),
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
        graph.find_node(text)


NUMBERS = ImplicitGraph(lambda number: [number + 1])
CELLS = ImplicitGraph.on_grid(lambda cell: [], (2, 3))


@pytest.mark.parametrize(
    ("graph", "axes", "shape", "known"),
    [
        (ROADS, 0, None, True),
        (GRID, 2, (2, 3), True),
        (SPACE, 3, (2, 3, 4), True),
        (NUMBERS.discover(1, 2), 0, None, False),
        (CELLS.discover((0, 0), (1, 1)), 2, (2, 3), False),
    ],
)
def test_kinds_are_told_apart_by_what_they_offer(
    graph: SearchedGraph, axes: int, shape: tuple[int, ...] | None, known: bool
) -> None:
    assert (graph.axes, graph.shape, graph.is_known) == (axes, shape, known)
    assert graph.is_grid == (axes > 0)


def test_ends_become_ids_and_ids_the_users_nodes() -> None:
    assert ROADS.between(0, 3) == (ROADS, 0, 3)
    assert GRID.between((1, 0), 1) == (GRID, 3, 1)
    assert GRID.user_node(3) == GRID.cell(3)
    searched, start, goal = CELLS.between((0, 2), (1, 1))
    assert [searched.user_node(node) for node in (start, goal)] == [(0, 2), (1, 1)]
    with pytest.raises(InputError, match="cells name nodes of grids only"):
        ROADS.between((0, 0), 1)


def test_weights_groups_and_places_are_asked_in_one_way() -> None:
    weighted = Graph.from_edges(2, [(0, 1)], weights=[2.0], coordinates=[(0, 0), (1, 1)])
    assert [graph.is_weighted for graph in (weighted, PLAIN, GRID)] == [True, False, False]
    assert [graph.is_drawable for graph in (weighted, PLAIN, GRID)] == [True, False, True]
    grouped = [sum(each.size for each in g.feature_groups) for g in (PLAIN, GRID, SPACE)]
    assert grouped == [0, 2, 3]


@pytest.mark.parametrize(
    "graph",
    [
        ROADS,
        PLAIN,
        GRID,
        SPACE,
        GRID.with_features([[k] for k in range(6)], ["k"], [FeatureGroup("k", 1)]),
    ],
)
def test_features_of_some_nodes_are_rows_of_the_table(graph: Graph | GridGraph) -> None:
    nodes = graph.node_ids[::-1]
    found = graph.features_of(nodes)
    assert found.dtype == np.float32
    assert found.tolist() == graph.features[nodes].tolist()
    assert graph.features_of([]).shape == (0, graph.features.shape[1])


def test_features_of_nodes_met_later_are_there_when_they_are_met() -> None:
    numbers = ImplicitGraph(lambda number: [number + 1], lambda number: [2.0 * number], 1)
    discovery = numbers.discover(1, 5000)
    for _ in range(1500):  # the arrays grow on the way
        discovery.reveal([len(discovery.nodes) - 1 if len(discovery.nodes) > 2 else 0])
    last = len(discovery.nodes) - 1
    assert discovery.features_of([0, 1, last]).tolist() == [
        [2.0],
        [10000.0],
        [2.0 * discovery.user_node(last)],
    ]
