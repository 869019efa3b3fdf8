"""Zero, distances between features, the octile distance and the oracle."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import AnyGraph, Graph, GridGraph
from phil.graphs.distances import costs_to, hops_to
from phil.heuristics.classical import euclidean, manhattan, octile, oracle, zero
from phil.search import ASTAR, search
from phil.search.guide import Expansion, Heuristic
from tests.strategies import graphs, grids, maps, node_ids, problems, voxel_grids


def values(heuristic: Heuristic, graph: AnyGraph, goal: int) -> NDArray[np.float64]:
    """The value of every node id."""
    nodes = np.arange(graph.size, dtype=np.int32)
    shown = Expansion(goal, nodes, np.zeros(graph.size), np.zeros(graph.size, np.int32), 1)
    return heuristic.begin(graph, goal, goal).score(shown)


@given(st.one_of(graphs(), grids(), voxel_grids()), st.data())
def test_distances_are_those_of_numpy(graph: AnyGraph, data: st.DataObject) -> None:
    goal = data.draw(st.sampled_from(node_ids(graph)))
    gaps = graph.features.astype(float) - graph.features[goal].astype(float)
    np.testing.assert_allclose(values(euclidean, graph, goal), np.linalg.norm(gaps, axis=1))
    np.testing.assert_allclose(values(manhattan, graph, goal), np.abs(gaps).sum(axis=1))
    assert not values(zero, graph, goal).any()


@given(st.one_of(grids(), voxel_grids()), st.data())
def test_euclidean_distance_is_admissible_on_grids(graph: AnyGraph, data: st.DataObject) -> None:
    goal = data.draw(st.sampled_from(node_ids(graph)))
    assert (values(euclidean, graph, goal) <= costs_to(graph, goal) + 1e-9).all()


def test_large_features_keep_their_precision() -> None:
    graph = Graph.from_edges(2, [(0, 1)], [[2.0e7, 0.0], [2.0e7 + 2, 1.0]])
    assert values(euclidean, graph, 1).tolist() == [pytest.approx(5**0.5), 0.0]


def test_names() -> None:
    assert [h.name for h in (zero, euclidean, manhattan)] == ["zero", "euclidean", "manhattan"]


diagonals = st.sampled_from([0.1, 0.5, 1.0, 99 / 70, 2**0.5, 2.0, 3.0])


@given(maps(), diagonals, st.sampled_from([4, 8]), st.data())
def test_it_is_admissible_and_exact_without_obstacles(
    free: NDArray[np.bool_], diagonal: float, connectivity: int, data: st.DataObject
) -> None:
    grid = GridGraph(free, diagonal_cost=diagonal, connectivity=connectivity)
    goal = data.draw(st.sampled_from(node_ids(grid)))
    told = values(octile, grid, goal)
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
    found = search(grid, start, goal, octile, key=ASTAR)
    assert found.cost == pytest.approx(costs_to(grid, goal)[start])


@given(voxel_grids(), st.data())
def test_astar_with_it_finds_the_least_cost_in_3d(grid: GridGraph, data: st.DataObject) -> None:
    start, goal = (data.draw(st.sampled_from(node_ids(grid))) for _ in range(2))
    found = search(grid, start, goal, octile, key=ASTAR)
    assert found.cost == pytest.approx(costs_to(grid, goal)[start])
    assert found.reopened == 0  # no value falls along a move by more than it costs


def test_it_is_for_grids_only() -> None:
    graph = Graph.from_edges(2, [(0, 1)], [[0.0, 0.0], [1.0, 0.0]])
    with pytest.raises(InputError, match="octile is a distance between grid cells"):
        octile.begin(graph, 0, 1)


@given(problems())
def test_values_are_the_least_numbers_of_moves(problem: tuple[AnyGraph, int, int]) -> None:
    graph, _, goal = problem
    assert np.array_equal(values(oracle, graph, goal), hops_to(graph, goal))


def test_dead_ends_of_a_directed_graph_are_never_entered() -> None:
    # 1 and 2 look like ways to the goal 4, but there is no way out of them.
    edges = [(0, 1), (1, 2), (2, 1), (0, 3), (3, 4)]
    graph = Graph.from_edges(5, edges, np.zeros((5, 1)), directed=True)
    result = search(graph, 0, 4, oracle, trace=True)
    assert result.trace is not None
    assert result.trace.tolist() == [0, 3, 4]
    assert oracle.name == "oracle"
