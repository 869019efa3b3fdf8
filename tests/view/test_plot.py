"""Figures of searches on maps and on graphs with coordinates."""

from __future__ import annotations

import pickle

import networkx as nx
import numpy as np
import pytest

import phil
from phil.view.picture import picture

GRID = phil.GridGraph(np.ones((4, 8), bool))


def town() -> nx.Graph:
    streets = nx.grid_2d_graph(4, 4)
    for node in streets:
        streets.nodes[node]["pos"] = node
    return streets


def test_a_map_is_drawn_as_its_picture() -> None:
    result = phil.search(GRID, (3, 0), (0, 7), "astar", trace=True)
    figure = phil.plot(result)
    [axes] = figure.axes
    shown = np.asarray(axes.images[0].get_array())
    assert (shown == np.asarray(picture(GRID, result))).all()
    assert figure.get_size_inches().tolist() == [6.0, 3.0]
    assert figure._repr_png_().startswith(b"\x89PNG")


def test_without_a_trace_the_path_is_drawn() -> None:
    with_trace, without = (
        phil.search(GRID, (3, 0), (0, 7), "astar", trace=trace) for trace in (True, False)
    )
    drawn = [
        np.asarray(phil.plot(one).axes[0].images[0].get_array()) for one in (with_trace, without)
    ]
    assert (drawn[0] != drawn[1]).any()
    red = [((image == (226, 18, 92)).all(axis=2)).sum() for image in drawn]
    assert red[0] == red[1] > 0


def test_a_network_is_drawn_where_its_nodes_are() -> None:
    streets = town()
    result = phil.search(streets, (0, 0), (3, 3), "euclidean", trace=True)
    for figure in (phil.plot(result), phil.plot(streets, pickle.loads(pickle.dumps(result)))):
        path = np.asarray(figure.axes[0].lines[-1].get_xydata())
        assert (path - path[0]).tolist() == np.array(result.nodes, float).tolist()


def test_an_unsolved_search_is_drawn() -> None:
    blocked = phil.GridGraph([[True, False, True]])
    for trace in (True, False):
        assert phil.plot(phil.search(blocked, 0, 2, "zero", trace=trace)).axes


def test_what_cannot_be_drawn_is_told() -> None:
    result = phil.search(GRID, 0, 9, "zero")
    with pytest.raises(phil.InputError, match=r"phil.plot\(graph, result\)"):
        phil.plot(pickle.loads(pickle.dumps(result)))
    with pytest.raises(phil.InputError, match=r"plot needs a result"):
        phil.plot(GRID)
    with pytest.raises(phil.InputError, match="without coordinates"):
        phil.plot(phil.search(nx.path_graph(3), 0, 2, "zero"))
    with pytest.raises(phil.InputError, match="needs a 2D map"):
        phil.plot(phil.search(np.ones((3, 3, 3), bool), 0, 26, "zero"))
    implicit = phil.ImplicitGraph(lambda node: [node + 1])
    with pytest.raises(phil.InputError, match="ImplicitGraph is not known"):
        phil.plot(phil.search(implicit, 0, 3, "zero"))
    with pytest.raises(phil.InputError, match="does not belong to this graph"):
        phil.plot(phil.GridGraph([[True, True]]), result)
