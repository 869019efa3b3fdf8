"""Films show what was expanded, in its order, on maps, graphs and in 3D."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from phil.graphs import Graph, GridGraph
from phil.play.film import film
from phil.play.protocol import GivenProblem
from phil.play.recording import race
from phil.play.scenes import Scene
from phil.problems.problem import Problem
from phil.view.picture import BLOCKED


def scene(graph: Graph | GridGraph, start: int, goal: int) -> Scene:
    return Scene(Problem(graph, start, goal), GivenProblem(source="given"), "mine")


def pictures(data: bytes) -> list[np.ndarray]:
    """The pictures of a film."""
    shown = Image.open(io.BytesIO(data))
    found = []
    for number in range(shown.n_frames):  # type: ignore[attr-defined]
        shown.seek(number)
        found.append(np.asarray(shown.convert("RGB")))
    return found


def test_a_map_is_filled_without_gaps() -> None:
    free = np.ones((30, 30), bool)
    free[:, 15] = False
    free[0, 15] = True
    runs = race(scene(GridGraph(free), 0, 29 * 30 + 29), ["dijkstra"])
    frames = pictures(film(runs, "gif", 0.5, 333))
    # In front of the wall everything is expanded in the end: no pixel has the colour of free cells.
    left = frames[-1][60:280, 20:150]
    assert (left.max(axis=2) - left.min(axis=2) > 20).mean() > 0.95
    wall = (np.abs(frames[0].astype(int) - np.array(BLOCKED)).sum(axis=2) < 30).sum()
    assert wall > 29 * 9


def test_later_pictures_show_more() -> None:
    runs = race(scene(GridGraph(np.ones((30, 30), bool)), 0, 899), ["dijkstra", "astar"])
    shares: list[float] = []
    film(runs, "gif", 0.4, 300, shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1
    frames = pictures(film(runs, "gif", 0.4, 300))
    coloured = [(np.ptp(frame.astype(int), axis=2) > 40).sum() for frame in frames]
    assert coloured[-1] > 2 * coloured[0]


@pytest.mark.parametrize("axes", [0, 3])
def test_graphs_and_3d_maps_are_filmed(axes: int) -> None:
    if axes:
        free = np.ones((8, 9, 7), bool)
        free[3:5, :7] = False
        problem = scene(GridGraph(free), 0, free.size - 1)
    else:
        problem = scene(Graph.from_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0)]), 0, 2)
    frames = pictures(film(race(problem, ["bfs"]), "gif", 0.3, 240))
    assert frames[0].shape[1] == 240
    assert (frames[0] != frames[-1]).any()
