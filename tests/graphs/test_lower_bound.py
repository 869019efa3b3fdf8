"""A lower bound is never above the true cost, falls along no edge by more than it costs."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from phil.graphs import AnyGraph, Graph, GridGraph, ImplicitGraph, lower_bound
from phil.graphs.distances import costs_to, hops_to
from phil.graphs.lower_bound import NO_BOUND, fewest_moves, least_cost, lower_bound_of
from phil.graphs.stencil import make_stencil
from tests.implicit import Mirror
from tests.strategies import edge_costs, graphs, grids, node_ids, voxel_grids

DIAGONAL_COSTS = [0.1, 0.9, 1.0, 2**0.5, 1.9, 2.0, 2.5, 40.0]


def bounds(graph: AnyGraph, goal: int) -> NDArray[np.float64]:
    """The lower bound of every node id."""
    lower = lower_bound_of(graph, goal)
    return np.array([least_cost(graph.arrays, lower, node) for node in range(graph.size)])


def check(graph: AnyGraph, goal: int) -> None:
    """It is admissible and consistent; rounding apart."""
    values = bounds(graph, goal)
    assert values[goal] == 0
    assert (values >= 0).all()
    assert (values <= costs_to(graph, goal) * (1 + 1e-12)).all()
    for (node, other), cost in edge_costs(graph).items():
        assert values[node] <= (cost + values[other]) * (1 + 1e-12)


@given(grids(), st.sampled_from(DIAGONAL_COSTS), st.data())
def test_on_grids(grid: GridGraph, diagonal_cost: float, data: st.DataObject) -> None:
    changed = GridGraph(
        grid.free,
        connectivity=grid.connectivity,
        corners=grid.corners,
        diagonal_cost=diagonal_cost,
    )
    check(changed, data.draw(st.sampled_from(node_ids(changed))))


@given(voxel_grids(), st.data())
def test_on_voxels(grid: GridGraph, data: st.DataObject) -> None:
    check(grid, data.draw(st.sampled_from(node_ids(grid))))


@given(st.one_of(graphs(), grids(), voxel_grids()), st.data())
def test_no_path_has_fewer_moves(graph: AnyGraph, data: st.DataObject) -> None:
    goal = data.draw(st.sampled_from(node_ids(graph)))
    hops = hops_to(graph, goal)
    for start in node_ids(graph):
        assert fewest_moves(graph, start, goal) <= hops[start]
        assert (fewest_moves(graph, start, goal) == 0) == (start == goal)


@pytest.mark.parametrize("connectivity", [4, 8, 6, 18, 26])
def test_the_moves_on_a_free_map_are_exact(connectivity: int) -> None:
    free = np.ones((4, 7) if connectivity in (4, 8) else (3, 6, 4), bool)
    grid = GridGraph(free, connectivity=connectivity)
    for goal in (0, 5, grid.size - 1):
        moves = [fewest_moves(grid, start, goal) for start in range(grid.size)]
        assert moves == hops_to(grid, goal).tolist()


@given(st.one_of(grids(), voxel_grids()), st.data())
def test_on_maps_met_while_searching(grid: GridGraph, data: st.DataObject) -> None:
    """The same as on the map that is known in full."""
    start, goal = (data.draw(st.sampled_from(node_ids(grid))) for _ in range(2))
    discovery = Mirror(grid).graph.discover(grid.cell(start), grid.cell(goal))
    discovery.reveal([discovery.start])
    lower = lower_bound_of(discovery, discovery.goal)
    expected = bounds(grid, goal)
    for number, cell in enumerate(discovery.nodes):
        assert least_cost(discovery.arrays, lower, number) == expected[grid.node(*cell)]


@given(st.tuples(*[st.floats(0.1, 10) | st.just(np.inf)] * 3), st.data())
def test_in_3d_with_moves_of_any_cost(costs: tuple[float, ...], data: st.DataObject) -> None:
    grid = GridGraph(np.ones((4, 5, 6), bool))
    axes = np.count_nonzero(grid.arrays.moves, axis=1)
    dear = np.array([0.0, min(costs[0], 20.0), *costs[1:]])[axes]  # some straight moves must exist
    arrays = grid.arrays
    kept = np.isfinite(dear)
    moves = arrays.moves[kept]
    stencil = make_stencil(grid.free, moves, "allow")
    grid.arrays = arrays.replace(moves=moves, move_costs=dear[kept], stencil=stencil)
    goal = data.draw(st.sampled_from(node_ids(grid)))
    values = bounds(grid, goal)
    assert values[goal] == 0
    assert (values <= costs_to(grid, goal) * (1 + 1e-12)).all()
    # It is the norm that the moves allow: along an axis nothing cheaper is left out.
    assert np.delete(values, goal).min() > 0


@pytest.mark.parametrize("connectivity", [6, 26])
def test_in_3d_it_is_exact_where_nothing_is_in_the_way(connectivity: int) -> None:
    grid = GridGraph(np.ones((5, 6, 7), bool), connectivity=connectivity, corners="both_free")
    for goal in (0, 100, 209):
        np.testing.assert_allclose(bounds(grid, goal), costs_to(grid, goal))


def test_in_3d_without_moves_over_three_axes() -> None:
    grid = GridGraph(np.ones((5, 5, 5), bool), connectivity=18)
    values, costs = bounds(grid, 0), costs_to(grid, 0)
    two = grid.node(2, 2, 2)  # three moves over two axes each
    assert values[two] == pytest.approx(costs[two]) == pytest.approx(3 * 2**0.5)
    far = grid.node(4, 1, 1)  # two moves over two axes, and two straight ones
    assert values[far] == pytest.approx(costs[far]) == pytest.approx(2 + 2 * 2**0.5)


@pytest.mark.parametrize("diagonal_cost", [1.0, 2**0.5, 1.9, 2.0, 2.5, 40.0])
@pytest.mark.parametrize("connectivity", [4, 8])
def test_it_is_exact_where_nothing_is_in_the_way(diagonal_cost: float, connectivity: int) -> None:
    grid = GridGraph(np.ones((6, 9), bool), connectivity=connectivity, diagonal_cost=diagonal_cost)
    for goal in (0, 8, 31):
        np.testing.assert_allclose(bounds(grid, goal), costs_to(grid, goal))


def test_on_a_map_wider_than_float32_can_count() -> None:
    row = GridGraph(np.ones((1, 2**24 + 8), bool))
    lower = lower_bound_of(row, 2**24 + 1)
    assert [least_cost(row.arrays, lower, 2**24 + k) for k in range(4)] == [1, 0, 1, 2]


@given(graphs(), st.data())
def test_on_graphs(graph: Graph, data: st.DataObject) -> None:
    check(graph, data.draw(st.integers(0, graph.size - 1)))


@given(st.integers(0, 2**32), st.integers(1, 4), st.sampled_from([1e-30, 1.0, 1e30]))
def test_on_graphs_whose_costs_are_distances(seed: int, dimension: int, scale: float) -> None:
    random = np.random.default_rng(seed)
    places = (random.normal(size=(12, dimension)) * scale).astype(np.float32).astype(np.float64)
    places[:3] = places[3]  # some are at one place
    edges = random.integers(0, 12, (30, 2))
    weights = np.linalg.norm(places[edges[:, 0]] - places[edges[:, 1]], axis=1)
    graph = Graph.from_edges(12, edges, places, weights=7 * weights)
    check(graph, 3)
    exact = 7 * np.linalg.norm(places - places[3], axis=1)
    if (weights > 0).any():
        np.testing.assert_allclose(bounds(graph, 3), exact, rtol=1e-8)


def test_a_straight_line_is_no_longer_than_the_sum_of_its_parts() -> None:
    """Not even by rounding."""
    for seed in range(20):
        places = np.sort(np.random.default_rng(seed).random(50).astype(np.float32))
        edges = [(node, node + 1) for node in range(49)]
        weights = np.diff(places.astype(np.float64)) / 3
        graph = Graph.from_edges(50, edges, places[:, None], weights=weights)
        assert (bounds(graph, 49) <= costs_to(graph, 49)).all()


def test_a_cost_per_distance_that_is_rounded_up_is_not_used() -> None:
    least = 5e-324  # the smallest number: half of three times as much is rounded to twice as much
    graph = Graph.from_edges(2, [(0, 1)], [[0.0], [2.0]], weights=[3 * least])
    assert lower_bound_of(graph, 1) is NO_BOUND


@given(st.lists(st.floats(0, 1e-300), min_size=3, max_size=3))
def test_on_costs_too_small_to_be_precise(weights: list[float]) -> None:
    graph = Graph.from_edges(4, [(0, 1), (1, 2), (2, 3)], np.arange(4.0)[:, None], weights=weights)
    check(graph, 3)


@pytest.mark.parametrize(
    ("features", "weights"),
    [
        ([[0.0], [0.0], [0.0]], [1.0, 1.0]),  # no edge joins different features
        ([[0.0], [1.0], [2.0]], [1.0, 0.0]),  # an edge is free
    ],
)
def test_where_features_say_nothing(features: list[list[float]], weights: list[float]) -> None:
    graph = Graph.from_edges(3, [(0, 1), (1, 2)], features, weights=weights)
    assert lower_bound_of(graph, 0) is NO_BOUND
    assert bounds(graph, 2).tolist() == [0, 0, 0]


def test_a_free_edge_between_equal_features_takes_nothing_away() -> None:
    graph = Graph.from_edges(
        3, [(0, 1), (1, 2)], [[0.0, 0.0], [0.0, 0.0], [3.0, 4.0]], weights=[0.0, 10.0]
    )
    assert bounds(graph, 2) == pytest.approx([10, 10, 0])


def test_graphs_without_edges_or_features() -> None:
    assert lower_bound_of(Graph.from_edges(2, [], np.zeros((2, 1))), 0) is NO_BOUND
    assert lower_bound_of(Graph.from_edges(2, [(0, 1)], np.zeros((2, 0))), 0) is NO_BOUND


def test_edges_are_looked_at_once_and_the_graph_is_not_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks = []
    count = lower_bound._cost_per_distance

    def look(*arguments: Any) -> float:
        looks.append(1)
        return count(*arguments)

    monkeypatch.setattr(lower_bound, "_cost_per_distance", look)
    graph = Graph.from_edges(2, [(0, 1)], [[0.0], [1.0]])
    assert [lower_bound_of(graph, goal).straight for goal in (0, 1, 0)] == pytest.approx([1, 1, 1])
    assert len(looks) == 1
    kept = weakref.ref(graph)
    del graph
    gc.collect()
    assert kept() is None


@pytest.mark.parametrize(("connectivity", "diagonal_cost"), [(4, 1.5), (8, 1.5), (8, 0.5)])
def test_on_a_grid_met_on_the_way(connectivity: int, diagonal_cost: float) -> None:
    shape = 7, 9
    options: dict[str, Any] = {"connectivity": connectivity, "diagonal_cost": diagonal_cost}
    met = ImplicitGraph.on_grid(lambda cell: [], shape, **options).discover((6, 0), (2, 5))
    known = GridGraph(np.ones(shape, bool), **options)
    lower = lower_bound_of(met, met.goal)
    expected = bounds(known, known.node(2, 5))[known.node(6, 0)]
    assert least_cost(met.arrays, lower, met.start) == expected > 0


def test_of_other_graphs_met_on_the_way_nothing_is_known() -> None:
    line = ImplicitGraph(lambda node: [node + 1], lambda node: [float(node)], dim=1)
    assert lower_bound_of(line.discover(0, 5), 1) is NO_BOUND
    wide = ImplicitGraph.on_grid(lambda cell: [], (1, 2**24 + 1))  # too wide for float32
    assert lower_bound_of(wide.discover((0, 0), (0, 9)), 1) is NO_BOUND
