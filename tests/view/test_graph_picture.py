"""Pictures of searches on graphs with coordinates."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from phil.errors import InputError
from phil.graphs import Graph
from phil.heuristics.classical import euclidean
from phil.search import BFS, Result, search
from phil.view.graph_picture import graph_picture, node_places, save_graph_picture
from phil.view.picture import GRADIENT, PATH

PLACES = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)]
EDGES = [(0, 1), (1, 2), (2, 3), (0, 4)]


def roads(directed: bool = False) -> Graph:
    return Graph.from_edges(5, EDGES, PLACES, coordinates=PLACES, directed=directed)


def pixels(graph: Graph, result: Result, goal: int | None = None) -> NDArray[np.int64]:
    stream = io.BytesIO()
    graph_picture(graph, result, goal=goal).savefig(stream, format="png", dpi=100)
    with Image.open(stream) as image:
        return np.asarray(image.convert("RGB")).astype(np.int64)


def places_of(image: NDArray[np.int64], color: tuple[int, ...]) -> NDArray[np.int64]:
    return np.argwhere(np.abs(image - np.array(color)).max(axis=2) <= 12)


def test_the_path_is_drawn_where_its_nodes_are() -> None:
    graph = roads()
    image = pixels(graph, search(graph, 0, 3, euclidean, trace=True))
    rows, columns = places_of(image, PATH).T
    height, width, _ = image.shape
    assert width > height  # as wide as the places
    # From the bottom-left corner along the bottom to the right, then up: y points upwards.
    assert rows[columns < width / 4].min() > height / 2
    assert rows[columns > 3 * width / 4].min() < height / 2
    assert rows.max() > height / 2


@pytest.mark.parametrize("directed", [False, True])
def test_expanded_nodes_have_the_colours_of_their_turn(directed: bool) -> None:
    graph = roads(directed)
    result = search(graph, 0, 3, euclidean, key=BFS, trace=True)
    assert result.trace is not None
    assert set(result.trace.tolist()) == {0, 1, 2, 3, 4}
    middle = tuple(int(channel) for channel in GRADIENT[4])  # node 4 is the third of five
    found = places_of(pixels(graph, result), middle)
    assert len(found) > 20
    assert found[:, 1].max() < 100  # along the edge from node 0 upwards, at the left
    alone = search(graph, 0, 0, euclidean, trace=True)
    assert not len(places_of(pixels(graph, alone), middle))


def test_a_goal_that_was_not_reached_is_marked() -> None:
    graph = Graph.from_edges(3, [(0, 1)], coordinates=PLACES[:3])
    result = search(graph, 0, 2, euclidean, trace=True)
    assert not result.solved
    with_goal = places_of(pixels(graph, result, goal=2), PATH)
    without = places_of(pixels(graph, result), PATH)
    assert len(with_goal) > len(without) > 0


def test_degrees_are_drawn_as_on_a_map() -> None:
    north = [(10.0, 60.0), (11.0, 60.0), (10.0, 61.0)]
    graph = Graph.from_edges(3, [(0, 1), (0, 2)], coordinates=north, geographic=True)
    east, up = node_places(graph)[1:] - node_places(graph)[0]
    assert east[0] == pytest.approx(up[1] / 2, rel=0.02)  # cos 60 degrees


def test_three_coordinates_and_one_place_for_all() -> None:
    spatial = [(x, y, 5.0) for x, y in PLACES]
    graph = Graph.from_edges(5, EDGES, coordinates=spatial)
    assert node_places(graph).shape == (5, 2)
    same = Graph.from_edges(2, [(0, 1)], coordinates=[(3.0, 3.0)] * 2)
    assert pixels(same, search(same, 0, 1, euclidean, trace=True)).size


def test_it_is_written_as_png(tmp_path: Path) -> None:
    graph = roads()
    save_graph_picture(
        tmp_path / "out.png", graph, search(graph, 0, 3, euclidean, trace=True), goal=3
    )
    with Image.open(tmp_path / "out.png") as image:
        assert max(image.size) == 1600


def test_what_cannot_be_drawn() -> None:
    bare = Graph.from_edges(2, [(0, 1)])
    with pytest.raises(InputError, match="without coordinates"):
        graph_picture(bare, search(bare, 0, 1, euclidean, trace=True))
    graph = roads()
    with pytest.raises(InputError, match="trace=True"):
        graph_picture(graph, search(graph, 0, 3, euclidean))
