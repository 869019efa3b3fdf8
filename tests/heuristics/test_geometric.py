"""Distances between features."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import AnyGraph, Graph, GridGraph
from phil.graphs.distances import costs_to
from phil.heuristics.geometric import Euclidean, Manhattan, Octile, Zero
from phil.search import ASTAR, search
from phil.search.guide import Expansion, Heuristic
from tests.strategies import graphs, grids, node_ids


def values(heuristic: Heuristic, graph: AnyGraph, goal: int) -> NDArray[np.float64]:
    """The value of every node id."""
    nodes = np.arange(graph.size, dtype=np.int32)
    shown = Expansion(goal, nodes, np.zeros(graph.size), np.zeros(graph.size, np.int32), 1)
    return heuristic.begin(graph, goal, goal).score(shown)


@given(st.one_of(graphs(), grids()), st.data())
def test_distances_are_those_of_numpy(graph: AnyGraph, data: st.DataObject) -> None:
    goal = data.draw(st.sampled_from(node_ids(graph)))
    gaps = graph.features.astype(float) - graph.features[goal].astype(float)
    np.testing.assert_allclose(values(Euclidean, graph, goal), np.linalg.norm(gaps, axis=1))
    np.testing.assert_allclose(values(Manhattan, graph, goal), np.abs(gaps).sum(axis=1))
    assert not values(Zero, graph, goal).any()


@given(grids(), st.data())
def test_euclidean_distance_is_admissible_on_grids(graph: AnyGraph, data: st.DataObject) -> None:
    goal = data.draw(st.sampled_from(node_ids(graph)))
    assert (values(Euclidean, graph, goal) <= costs_to(graph, goal) + 1e-9).all()


def test_large_features_keep_their_precision() -> None:
    graph = Graph.from_edges(2, [(0, 1)], [[2.0e7, 0.0], [2.0e7 + 2, 1.0]])
    assert values(Euclidean, graph, 1).tolist() == [pytest.approx(5**0.5), 0.0]


def test_octile_is_the_cost_of_the_way_through_free_cells() -> None:
    grid = GridGraph([[True, False, True], [True, False, True], [True, True, True]])
    way = values(Octile, grid, 2).reshape(3, 3)
    across = np.sqrt(2)
    expected = [[2, 1, 0], [1 + across, across, 1], [2 * across, 1 + across, 2]]
    np.testing.assert_allclose(way, expected)


@given(grids(), st.data())
def test_octile_is_chebyshev_or_manhattan_where_moves_cost_1(
    grid: GridGraph, data: st.DataObject
) -> None:
    goal = data.draw(st.sampled_from(node_ids(grid)))
    gaps = np.abs(grid.features - grid.features[goal])
    four = GridGraph(grid.free, connectivity=4)
    assert values(Octile, four, goal).tolist() == gaps.sum(axis=1).tolist()
    eight = GridGraph(grid.free, diagonal_cost=1.0)
    assert values(Octile, eight, goal).tolist() == gaps.max(axis=1).tolist()


@given(grids(), st.data())
def test_astar_with_octile_is_optimal_and_expands_less(
    grid: GridGraph, data: st.DataObject
) -> None:
    start, goal = (data.draw(st.sampled_from(node_ids(grid))) for _ in "ab")
    octile, zero = (search(grid, start, goal, h, key=ASTAR) for h in (Octile, Zero))
    assert octile.cost == pytest.approx(costs_to(grid, goal)[start])
    assert octile.expansions <= zero.expansions


def test_octile_is_for_grids() -> None:
    graph = Graph.from_edges(2, [(0, 1)], np.zeros((2, 2)))
    with pytest.raises(InputError, match="octile is a distance on grids"):
        search(graph, 0, 1, Octile)


def test_names() -> None:
    names = [heuristic.name for heuristic in (Zero, Euclidean, Manhattan, Octile)]
    assert names == ["zero", "euclidean", "manhattan", "octile"]
