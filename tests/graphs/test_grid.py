"""A grid's neighbours, ids, costs and corners, and the maps that it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import GridGraph
from phil.graphs.distances import costs_to
from phil.graphs.formats import read_graph, read_map
from phil.heuristics.registry import load_heuristic
from phil.search import search
from tests.strategies import grids, node_ids, voxel_grids

OPEN = np.ones((3, 3), bool)


@pytest.mark.parametrize(
    ("free", "message"),
    [
        ([], r"non-empty 2D or 3D array, not an array of shape \(0,\)"),
        (np.ones((0, 5), bool), r"shape \(0, 5\)"),
        ([True, False], r"shape \(2,\)"),
        (np.ones((2, 2, 2, 2), bool), r"shape \(2, 2, 2, 2\)"),
        (np.ones((2, 0, 2), bool), r"shape \(2, 0, 2\)"),
        ([[0, 1], [2, 1]], "not int64 values; threshold it first"),
        ([[0.0, 1.0]], "not float64 values; threshold it first"),
        (np.full((2, 2), 255, np.uint8), "not uint8 values"),
        ([["a", "b"]], "must hold True"),
    ],
)
def test_what_is_no_map_is_refused(free: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        GridGraph(free)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"connectivity": 6}, "connectivity must be 4 or 8 on a 2D map, not 6"),
        ({"corners": "one-free"}, "did you mean 'one_free'"),
        ({"diagonal_cost": 0.0}, "diagonal_cost must be a positive number, not 0.0"),
        ({"diagonal_cost": float("nan")}, "diagonal_cost must be a positive number, not nan"),
        ({"diagonal_cost": float("inf")}, "not inf"),
    ],
)
def test_what_is_no_rule_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        GridGraph(OPEN, **arguments)


@pytest.mark.parametrize("dtype", [np.uint8, np.int64, bool])
def test_zeros_and_ones_are_a_map(dtype: Any) -> None:
    free = np.array([[1, 0], [1, 1]], dtype)
    assert GridGraph(free).free.tolist() == [[True, False], [True, True]]


def test_neighbours_come_in_the_written_order() -> None:
    grid = GridGraph(OPEN)
    # Right-up, right-down, left-down, left-up, right, down, left, up; row 0 is the top.
    expected = [(0, 2), (2, 2), (2, 0), (0, 0), (1, 2), (2, 1), (1, 0), (0, 1)]
    assert [grid.cell(node) for node in grid.neighbors(grid.node(1, 1))] == expected
    straight = GridGraph(OPEN, connectivity=4)
    assert [straight.cell(node) for node in straight.neighbors(4)] == expected[4:]


@pytest.mark.parametrize(
    ("corners", "one_blocked", "two_blocked"),
    [("allow", True, True), ("one_free", True, False), ("both_free", False, False)],
)
def test_corner_rules(corners: Any, one_blocked: bool, two_blocked: bool) -> None:
    for free, allowed in (
        ([[True, True], [True, True]], True),
        ([[True, False], [True, True]], one_blocked),
        ([[True, True], [False, True]], one_blocked),
        ([[True, False], [False, True]], two_blocked),
    ):
        grid = GridGraph(free, corners=corners)
        assert (3 in grid.neighbors(0)) == (0 in grid.neighbors(3)) == allowed


@given(grids())
def test_neighbours_are_the_free_cells_that_the_rules_allow(grid: GridGraph) -> None:
    rows, columns = grid.shape
    least = {"allow": 0, "one_free": 1, "both_free": 2}[grid.corners]

    def is_free(row: int, column: int) -> bool:
        return 0 <= row < rows and 0 <= column < columns and bool(grid.free[row, column])

    for node in node_ids(grid):
        row, column = grid.cell(node)
        expected = set()
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                diagonal = down != 0 and right != 0
                sides = is_free(row + down, column) + is_free(row, column + right)
                if (
                    (down or right)
                    and is_free(row + down, column + right)
                    and (not diagonal or (grid.connectivity == 8 and sides >= least))
                ):
                    expected.add(grid.node(row + down, column + right))
        near = grid.neighbors(node).tolist()
        assert len(near) == len(set(near)) <= grid.max_degree
        assert set(near) == expected


@given(grids())
def test_ids_cells_and_features_agree(grid: GridGraph) -> None:
    rows, columns = grid.shape
    ids = [grid.node(row, column) for row in range(rows) for column in range(columns)]
    assert ids == list(range(grid.size))
    assert all(grid.node(*grid.cell(node)) == node for node in ids)
    assert grid.num_nodes == len(node_ids(grid))
    expected = [(column, rows - 1 - row) for row, column in map(grid.cell, ids)]
    assert np.array_equal(grid.features, np.array(expected))
    assert grid.features.shape[1] == len(grid.feature_names)


@given(st.floats(0.1, 10))
def test_moves_cost_one_and_the_diagonal_cost(cost: float) -> None:
    grid = GridGraph(OPEN, diagonal_cost=cost)
    to_centre = costs_to(grid, grid.node(1, 1))
    assert to_centre[grid.node(1, 0)] == 1.0
    assert to_centre[grid.node(0, 0)] == min(cost, 2.0)
    assert GridGraph(OPEN).diagonal_cost == 2**0.5


def test_a_cell_off_the_map_is_named() -> None:
    grid = GridGraph(np.ones((2, 3), bool))
    for row, column in ((-1, 0), (2, 0), (0, -1), (0, 3)):
        with pytest.raises(InputError, match=rf"cell \({row}, {column}\) is off the map"):
            grid.node(row, column)
    for node in (-1, 6):
        with pytest.raises(InputError, match=rf"start {node} is off the map: ids are 0\.\.5"):
            grid.check_node(node, "start")


def test_a_blocked_cell_is_no_node() -> None:
    grid = GridGraph([[True, False]])
    with pytest.raises(InputError, match=r"goal \(0, 1\) is on an obstacle"):
        grid.check_node(1, "goal")
    with pytest.raises(InputError, match="obstacle"):
        grid.neighbors(1)
    assert grid.check_node(0, "goal") == 0


def test_a_grid_never_changes() -> None:
    free = np.ones((2, 2), bool)
    grid = GridGraph(free)
    free[:] = False
    assert grid.free.all()
    for array in (grid.free, grid.features):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 0


def test_a_grid_is_its_own_reverse_and_shows_what_it_is() -> None:
    grid = GridGraph([[True, True, False]], connectivity=4, corners="both_free")
    assert grid.reversed() is grid
    assert repr(grid) == "GridGraph(1x3, free=2, connectivity=4, corners=both_free)"


@given(grid=st.one_of(grids(), voxel_grids()), seed=st.integers(0, 99))
def test_booleans_of_any_bytes_are_the_same_map(
    tmp_path_factory: pytest.TempPathFactory, grid: GridGraph, seed: int
) -> None:
    """A view of other data as booleans, in memory or in a file, is searched like any other."""
    free = (grid.free * _odd_bytes(grid.shape, seed)).view(bool)
    path = tmp_path_factory.getbasetemp() / "odd.npz"
    rules: dict[str, Any] = {"corners": grid.corners, "connectivity": grid.connectivity}
    np.savez(path, free=free, **rules)
    found = read_graph(path)
    assert isinstance(found, GridGraph)
    for same in (GridGraph(free, **rules), found):
        np.testing.assert_array_equal(same.free.view(np.uint8), grid.free.view(np.uint8))
        assert same.num_nodes == grid.num_nodes
    zero = load_heuristic("zero")
    ends = grid.node_ids.tolist()
    for start, goal in zip(ends, reversed(ends), strict=True):
        wanted, result = (search(one, start, goal, zero) for one in (grid, found))
        assert result.cost == wanted.cost
        assert result.path.tolist() == wanted.path.tolist()


def test_booleans_of_any_bytes_in_a_map_file(tmp_path: Path) -> None:
    free = _odd_bytes((4, 5), seed=1).view(bool)
    for cells in (free, np.asfortranarray(free), free[:, ::-1]):
        np.save(tmp_path / "map.npy", cells)
        assert (read_map(tmp_path / "map.npy").view(np.uint8) == 1).all()
        assert (GridGraph(cells).free.view(np.uint8) == 1).all()


def _odd_bytes(shape: tuple[int, ...], seed: int) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).choice(np.array([1, 2, 4, 128, 255], np.uint8), shape)
