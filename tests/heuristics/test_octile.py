"""The distance on a grid without obstacles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import Graph, GridGraph
from phil.graphs.distances import costs_to
from phil.heuristics.octile import Octile
from phil.search import ASTAR, search
from phil.search.guide import Expansion
from tests.strategies import maps, node_ids, voxel_grids

diagonals = st.sampled_from([0.1, 0.5, 1.0, 99 / 70, 2**0.5, 2.0, 3.0])


def values(grid: GridGraph, goal: int) -> NDArray[np.float64]:
    """The value of every node id."""
    nodes = np.arange(grid.size, dtype=np.int32)
    shown = Expansion(goal, nodes, np.zeros(grid.size), np.zeros(grid.size, np.int32), 1)
    return Octile.begin(grid, goal, goal).score(shown)


@given(maps(), diagonals, st.sampled_from([4, 8]), st.data())
def test_it_is_admissible_and_exact_without_obstacles(
    free: NDArray[np.bool_], diagonal: float, connectivity: int, data: st.DataObject
) -> None:
    grid = GridGraph(free, diagonal_cost=diagonal, connectivity=connectivity)
    goal = data.draw(st.sampled_from(node_ids(grid)))
    told = values(grid, goal)
    assert (told <= costs_to(grid, goal) + 1e-9).all()
    empty = GridGraph(np.ones_like(free), diagonal_cost=diagonal, connectivity=connectivity)
    if diagonal >= 1.0 and min(free.shape) > 1:
        np.testing.assert_allclose(told, costs_to(empty, goal), atol=1e-9)


@given(maps(), diagonals, st.data())
def test_astar_with_it_finds_the_least_cost(
    free: NDArray[np.bool_], diagonal: float, data: st.DataObject
) -> None:
    grid = GridGraph(free, diagonal_cost=diagonal)
    start, goal = (data.draw(st.sampled_from(node_ids(grid))) for _ in range(2))
    found = search(grid, start, goal, Octile, key=ASTAR)
    assert found.cost == pytest.approx(costs_to(grid, goal)[start])


@given(voxel_grids(), st.data())
def test_astar_with_it_finds_the_least_cost_in_3d(grid: GridGraph, data: st.DataObject) -> None:
    start, goal = (data.draw(st.sampled_from(node_ids(grid))) for _ in range(2))
    found = search(grid, start, goal, Octile, key=ASTAR)
    assert found.cost == pytest.approx(costs_to(grid, goal)[start])
    assert found.reopened == 0  # no value falls along a move by more than it costs


def test_it_is_for_grids_only() -> None:
    graph = Graph.from_edges(2, [(0, 1)], [[0.0, 0.0], [1.0, 0.0]])
    with pytest.raises(InputError, match="octile is a distance between cells of a grid"):
        Octile.begin(graph, 0, 1)
