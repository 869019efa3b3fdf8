"""Features and distances on the network's scale."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phil.errors import InputError
from phil.graphs import AnyGraph, FeatureGroup, Graph, GridGraph
from phil.graphs.features import add_features
from phil.heuristics.scaling import Frame, Scaling, check_axes, frame, measure
from tests.strategies import graphs, grids, voxel_grids


def scaled(graph: AnyGraph, found: Frame) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return (graph.features.astype(np.float64) - found.centre) / found.spread


@given(st.one_of(grids(longest=40), voxel_grids(longest=12)))
def test_a_map_lies_between_minus_one_and_one(grid: GridGraph) -> None:
    found = frame(grid, Scaling())
    cells = scaled(grid, found)
    assert np.abs(cells).max() <= 1 + 1e-6
    assert np.allclose(cells.min(axis=0), -cells.max(axis=0))
    longest = max(grid.shape)
    if longest > 1:
        assert np.abs(cells).max() == pytest.approx(1.0)
        assert found.distance.tolist() == [longest - 1]
    assert found.distance[0] > 0
    assert found.step.tolist() == [1.0] * len(grid.shape)


def test_a_map_of_another_size_looks_the_same() -> None:
    small, large = (GridGraph(np.ones((n, n), bool)) for n in (11, 101))
    for row, column in ((0, 0), (0, 10), (5, 5), (3, 7)):
        here = scaled(small, frame(small, Scaling()))[small.node(row, column)]
        there = scaled(large, frame(large, Scaling()))[large.node(10 * row, 10 * column)]
        assert here == pytest.approx(there)


@given(st.lists(graphs(), min_size=1, max_size=4), st.floats(1.0, 1e6))
def test_measured_features_have_mean_zero_and_deviation_one(
    several: list[Graph], distance: float
) -> None:
    scaling = measure(several, distance)
    by_graph = [scaled(graph, frame(graph, scaling)) for graph in several]
    together = np.concatenate(by_graph)
    assert together.mean(axis=0) == pytest.approx(0, abs=1e-4)
    within = np.concatenate([nodes - nodes.mean(axis=0) for nodes in by_graph])
    read = within.std(axis=0) > 0.01
    assert together.std(axis=0)[read] == pytest.approx(1, abs=1e-4)
    assert frame(several[0], scaling).distance.tolist() == [distance]
    assert not scaling.grid


@pytest.mark.parametrize("size", [1e-44, 3e38])
def test_features_at_the_limits_of_float32_stay_finite(size: float) -> None:
    features = np.array([[size], [-size], [size]], np.float32)
    graph = Graph.from_edges(3, [(0, 1), (1, 2)], features, edge_features=features[:2])
    scaling = measure([graph], 1.0)
    assert np.isfinite(scaled(graph, frame(graph, scaling))).all()
    assert min(*scaling.spread, *scaling.edge_spread) > 0


def test_a_constant_feature_stays_finite() -> None:
    graph = Graph.from_edges(3, [(0, 1)], [[5.0, 1.0]] * 3)
    scaling = measure([graph], 0.0)
    assert np.array_equal(scaled(graph, frame(graph, scaling)), np.zeros((3, 2)))
    assert frame(graph, scaling).distance.tolist() == [1.0]


@pytest.mark.parametrize("together", [False, True])
def test_what_only_tells_graphs_apart_is_not_read(together: bool) -> None:
    first, second, unlike = (
        Graph.from_edges(2, [(0, 1)], [[0.0, whole], [4.0, whole]]) for whole in (1, 900, 90_000)
    )
    scaling = measure([first, second], 1.0, together=together)
    assert scaled(unlike, frame(unlike, scaling))[:, 1] == pytest.approx(0, abs=1e-9)
    # Nor does it decide how far apart nodes are by the other features.
    places = scaled(unlike, frame(unlike, scaling))[:, 0]
    assert places[1] - places[0] == pytest.approx(2 * np.sqrt(2) if together else 2)


def test_a_heuristic_of_another_kind_of_graph_is_refused() -> None:
    grid = GridGraph([[True]])
    graph = Graph.from_edges(2, [(0, 1)], [[1.0], [2.0]])
    with pytest.raises(InputError, match="learned on grid maps, this is a general graph"):
        frame(graph, Scaling())
    with pytest.raises(InputError, match="learned on general graphs, this is a grid map"):
        frame(grid, measure([graph], 2.0))
    wide = Graph.from_edges(2, [(0, 1)], [[1.0, 0.0], [2.0, 0.0]])
    with pytest.raises(InputError, match="learned with 1 features per node, this graph has 2"):
        frame(wide, measure([graph], 2.0))


def test_features_that_are_alike_share_one_spread() -> None:
    features = [[0.0, 0.0, 0.0], [10.0, 1.0, 1.0]]
    groups = [FeatureGroup("place", 2, alike=True), FeatureGroup("degree", 1)]
    graph = Graph.from_edges(2, [(0, 1)], features, feature_groups=groups)
    scaling = measure([graph], 1.0)
    both = np.sqrt((5.0**2 + 0.5**2) / 2)
    assert scaling.spread == pytest.approx((both, both, 0.5))


def test_edge_features_are_divided_by_their_size() -> None:
    edges = [[3.0, 0.0], [4.0, 0.0]]
    graph = Graph.from_edges(3, [(0, 1), (1, 2)], [[0.0]] * 3, edge_features=edges)
    assert measure([graph], 1.0).edge_spread == pytest.approx((np.sqrt(12.5), 1.0))


def test_a_heuristic_of_2d_maps_is_refused_in_3d() -> None:
    flat, space = (frame(GridGraph(np.ones((3,) * axes, bool)), Scaling()) for axes in (2, 3))
    check_axes(flat, ("x", "y"))
    check_axes(space, ("x", "y", "z"))
    with pytest.raises(InputError, match="learned on 2D maps, this one is 3D"):
        check_axes(space, ("x", "y"))
    with pytest.raises(InputError, match="learned on 3D maps, this one is 2D"):
        check_axes(flat, ("x", "y", "z"))


def test_features_added_to_a_map_are_scaled_as_measured_on_its_free_cells() -> None:
    free = np.ones((6, 9), bool)
    free[2, 1:] = False
    plain = GridGraph(free)
    grid = add_features(plain, "landmarks:3,degree")
    scaling = measure([grid], 12.5)
    assert scaling.grid
    assert scaling.fits(6)
    assert not scaling.fits(4)
    assert len(set(scaling.spread[:3])) == 1  # landmarks are alike
    found = frame(grid, scaling)
    assert found.distance == 12.5
    rows = scaled(grid, found)[grid.node_ids]
    np.testing.assert_allclose(rows[:, 2:].mean(axis=0), 0, atol=1e-5)
    np.testing.assert_allclose(rows[:, 5].std(), 1, rtol=1e-5)
    coordinates = frame(plain, Scaling())
    np.testing.assert_array_equal(found.centre[:2], coordinates.centre)
    np.testing.assert_array_equal(found.spread[:2], coordinates.spread)
    np.testing.assert_array_equal(found.step[:2], [1, 1])
    with pytest.raises(InputError, match="4 features besides the coordinates, this map has 0"):
        frame(plain, scaling)
    with pytest.raises(InputError, match="0 features besides the coordinates, this map has 4"):
        frame(grid, Scaling())
