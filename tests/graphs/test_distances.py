"""Exact distances against those of scipy."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

import phil
from phil.errors import InputError
from phil.graphs import AnyGraph, Graph, GridGraph
from phil.graphs.distances import components, costs_to, diameter_estimate, hops_to, tolls_to
from tests.strategies import edge_costs, graphs, grids, node_ids, problems

TINY = 1e-12  # scipy's sparse graphs cannot hold an edge of cost 0


def expected_distances(graph: AnyGraph, goal: int, *, unit: bool) -> NDArray[np.float64]:
    costs = edge_costs(graph)
    ends = np.array(list(costs), int).reshape(-1, 2)
    weights = np.ones(len(costs)) if unit else np.maximum(list(costs.values()), TINY)
    # Turned round: scipy gives the distances from a node.
    matrix = csr_array((weights, (ends[:, 1], ends[:, 0])), shape=(graph.size, graph.size))
    return np.asarray(dijkstra(matrix, indices=goal))


@given(st.one_of(graphs(), grids()), st.data())
def test_distances_are_those_of_scipy(graph: AnyGraph, data: st.DataObject) -> None:
    goal = data.draw(st.sampled_from(node_ids(graph)))
    hops = expected_distances(graph, goal, unit=True)
    assert np.array_equal(hops_to(graph, goal), hops)
    costs = expected_distances(graph, goal, unit=False)
    np.testing.assert_allclose(costs_to(graph, goal), costs, rtol=1e-12, atol=1e-9)


def test_distances_lead_to_the_goal_along_the_edges() -> None:
    graph = Graph.from_edges(3, [(0, 1), (1, 2)], np.zeros((3, 1)), weights=[2, 3], directed=True)
    assert hops_to(graph, 2).tolist() == [2, 1, 0]
    assert costs_to(graph, 2).tolist() == [5, 3, 0]
    assert hops_to(graph, 0).tolist() == [0, np.inf, np.inf]


def test_a_large_map_matches_scipy() -> None:
    grid = GridGraph(np.random.default_rng(3).random((80, 120)) < 0.7)
    goal = node_ids(grid)[17]
    expected = expected_distances(grid, goal, unit=False)
    np.testing.assert_allclose(costs_to(grid, goal), expected, rtol=1e-12)
    assert 0.5 < np.isfinite(expected).mean() < 0.75


@pytest.mark.parametrize("distances", [hops_to, costs_to])
def test_a_goal_that_is_no_node_is_refused(distances: object) -> None:
    assert callable(distances)
    with pytest.raises(InputError, match="goal"):
        distances(GridGraph([[True, False]]), 1)


@given(problems(), st.integers(0, 2**32))
def test_tolls_are_costs_of_the_node_that_a_move_leads_to(
    problem: tuple[AnyGraph, int, int], seed: int
) -> None:
    graph, _, goal = problem
    tolls = np.random.default_rng(seed).random(graph.size)
    found = tolls_to(graph, goal, tolls)
    np.testing.assert_array_equal(np.isfinite(found), np.isfinite(hops_to(graph, goal)))
    for node in node_ids(graph):
        ways = [1 + tolls[other] + found[other] for other in graph.neighbors(node)]
        assert node == goal or found[node] == pytest.approx(min(ways, default=np.inf))
    np.testing.assert_allclose(tolls_to(graph, goal, np.zeros(graph.size)), hops_to(graph, goal))


@pytest.mark.parametrize("tolls", [np.zeros(2), np.array([0.0, -1.0, 0.0])])
def test_tolls_that_do_not_fit_are_refused(tolls: NDArray[np.float64]) -> None:
    with pytest.raises(InputError, match="3 tolls"):
        tolls_to(GridGraph([[True, True, True]]), 0, tolls)


@given(graphs())
def test_components_are_what_paths_join(graph: Graph) -> None:
    assume(not graph.directed)
    number = components(graph)
    for node in range(graph.size):
        assert np.array_equal(number == number[node], np.isfinite(hops_to(graph, node)))


def test_a_double_sweep_finds_the_diameter_of_a_tree() -> None:
    tree = Graph.from_edges(6, [(0, 1), (1, 2), (2, 3), (1, 4), (5, 5)])
    assert [diameter_estimate(tree, node) for node in range(6)] == [3, 3, 3, 3, 3, 0]


def test_oracle_distances_take_what_searches_take() -> None:
    free = np.ones((4, 5), bool)
    grid = phil.GridGraph(free)
    for graph, goal in ((grid, 7), (grid, (1, 2)), (free, (1, 2))):
        assert phil.oracle_distances(graph, goal).tolist() == costs_to(grid, 7).tolist()
        moves = phil.oracle_distances(graph, goal, unit="moves")
        assert moves.tolist() == hops_to(grid, 7).tolist()
    streets = nx.DiGraph([("a", "b"), ("b", "c")])
    assert phil.oracle_distances(streets, "c").tolist() == [2.0, 1.0, 0.0]
    assert np.isinf(phil.oracle_distances(streets, "a")[1:]).all()
    with pytest.raises(InputError, match="unknown unit 'miles'"):
        phil.oracle_distances(grid, 7, unit="miles")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"explored\(start"):
        phil.oracle_distances(phil.ImplicitGraph(lambda node: []), 0)
