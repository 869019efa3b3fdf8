"""3D grids: neighbours and distances by brute force, and what is said of cells and moves."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from phil.errors import InputError
from phil.graphs import GridGraph
from phil.graphs.distances import components, costs_to, hops_to
from tests.strategies import grids, node_ids, voxel_grids

CUBE = np.ones((3, 3, 3), bool)
MOST_AXES = {6: 1, 18: 2, 26: 3}


def edges_by_hand(grid: GridGraph) -> dict[tuple[int, int], float]:
    """Every move between free cells that the rules allow, and its cost."""
    padded = np.pad(grid.free, 1)
    ids = np.pad(np.arange(grid.size).reshape(grid.shape), 1)
    edges: dict[tuple[int, int], float] = {}
    for move in product((-1, 0, 1), repeat=3):
        axes = int(np.count_nonzero(move))
        if not 0 < axes <= MOST_AXES[grid.connectivity]:
            continue
        allowed = grid.free & at(padded, move)
        box = set(product(*((0, step) for step in move)))
        beside = sum(at(padded, part).astype(int) for part in box - {move, (0, 0, 0)})
        if axes > 1 and grid.corners != "allow":
            allowed &= beside >= (1 if grid.corners == "one_free" else 2**axes - 2)
        pairs = zip(at(ids, (0, 0, 0))[allowed], at(ids, move)[allowed], strict=True)
        edges |= {(int(node), int(other)): axes**0.5 for node, other in pairs}
    return edges


def at(padded: NDArray[Any], move: tuple[int, ...]) -> NDArray[Any]:
    """What is a move away from every cell, in an array with a border of one cell."""
    return padded[tuple(slice(1 + k, n - 1 + k) for k, n in zip(move, padded.shape, strict=True))]


@given(voxel_grids(), st.data())
def test_neighbours_and_distances_are_those_by_hand(grid: GridGraph, data: st.DataObject) -> None:
    edges = edges_by_hand(grid)
    found = {(node, int(other)) for node in node_ids(grid) for other in grid.neighbors(node)}
    assert found == set(edges)
    assert found == {(other, node) for node, other in found}
    goal = data.draw(st.sampled_from(node_ids(grid)))
    pairs = np.array(list(edges), int).reshape(-1, 2).T
    matrix = csr_array((list(edges.values()), tuple(pairs)), shape=(grid.size, grid.size))
    np.testing.assert_allclose(costs_to(grid, goal), dijkstra(matrix, indices=goal))
    np.testing.assert_array_equal(
        hops_to(grid, goal), dijkstra(matrix, indices=goal, unweighted=True)
    )
    number = components(grid)
    assert (number[node_ids(grid)] >= 0).all()
    np.testing.assert_array_equal(np.isfinite(hops_to(grid, goal)), number == number[goal])


@given(grids(longest=6), st.permutations(range(3)))
def test_a_map_of_one_layer_is_a_2d_map(flat: GridGraph, axes: list[int]) -> None:
    free = np.moveaxis(flat.free[:, :, None], (0, 1, 2), axes)
    thin = GridGraph(free, connectivity=6 if flat.connectivity == 4 else 26, corners=flat.corners)
    goal = node_ids(flat)[0]
    cell = np.array([*flat.cell(goal), 0])[np.argsort(axes)]
    costs = costs_to(thin, thin.node(*cell)).reshape(thin.shape)
    expected = costs_to(flat, goal).reshape(*flat.shape, 1)
    np.testing.assert_allclose(np.moveaxis(costs, axes, (0, 1, 2)), expected)


@pytest.mark.parametrize("axes", [2, 3])
@pytest.mark.parametrize(
    ("corners", "no_free", "one_free", "all_but_one_free"),
    [
        ("allow", True, True, True),
        ("one_free", False, True, True),
        ("both_free", False, False, False),
    ],
)
def test_corner_rules(
    axes: int, corners: Any, no_free: bool, one_free: bool, all_but_one_free: bool
) -> None:
    shape = (2,) * axes + (1,) * (3 - axes)
    beside = range(1, 2**axes - 1)
    for kept, allowed in (
        ([], no_free),
        *(([cell], one_free) for cell in beside),
        *(([other for other in beside if other != cell], all_but_one_free) for cell in beside),
        (beside, True),
    ):
        free = np.zeros(2**axes, bool)
        free[[0, -1, *kept]] = True
        grid = GridGraph(free.reshape(shape), corners=corners)
        last = grid.size - 1
        assert (last in grid.neighbors(0)) == (0 in grid.neighbors(last)) == allowed, kept


@given(voxel_grids())
def test_ids_cells_and_features_agree(grid: GridGraph) -> None:
    cells = list(np.ndindex(*grid.shape))
    assert [grid.node(*cell) for cell in cells] == list(range(grid.size))
    assert [grid.cell(node) for node in range(grid.size)] == cells
    assert grid.feature_names == ("x", "y", "z")
    assert np.array_equal(grid.features, np.array(cells))
    assert grid.num_nodes == len(node_ids(grid))


def test_neighbours_come_in_the_written_order() -> None:
    grid = GridGraph(CUBE)
    centre = grid.node(1, 1, 1)
    moves = [np.subtract(grid.cell(int(near)), 1).tolist() for near in grid.neighbors(centre)]
    assert [np.count_nonzero(move) for move in moves] == [3] * 8 + [2] * 12 + [1] * 6
    assert moves == grid.arrays.edge_features.tolist()
    assert moves[-6:] == [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, -1], [0, -1, 0], [-1, 0, 0]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"connectivity": 8}, "connectivity must be 6, 18 or 26 on a 3D map, not 8"),
        ({"diagonal_cost": 1.0}, "diagonal_cost is for 2D maps"),
        ({"corners": "none"}, "corner rule"),
    ],
)
def test_what_is_no_rule_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        GridGraph(CUBE, **arguments)


def test_cells_that_are_none() -> None:
    free = np.ones((2, 3, 4), bool)
    free[1, 2, 3] = False
    grid = GridGraph(free)
    with pytest.raises(InputError, match=r"\(0, 3, 0\) is off the map: x 0..1, y 0..2, z 0..3"):
        grid.node(0, 3, 0)
    with pytest.raises(InputError, match=r"a cell of this map is \(x, y, z\), not \(1, 2\)"):
        grid.node(1, 2)
    with pytest.raises(InputError, match=r"a cell of this map is \(row, column\), not \(0, 0, 0\)"):
        GridGraph([[True]]).node(0, 0, 0)
    with pytest.raises(InputError, match=r"goal \(1, 2, 3\) is on an obstacle"):
        grid.check_node(23, "goal")
    with pytest.raises(InputError, match=r"start 24 is off the map: ids are 0..23"):
        grid.check_node(24, "start")


def test_a_grid_shows_what_it_is_and_refuses_to_be_flat() -> None:
    grid = GridGraph(np.ones((2, 3, 4), bool), connectivity=18, corners="both_free")
    assert repr(grid) == "GridGraph(2x3x4, free=24, connectivity=18, corners=both_free)"
    assert grid.reversed() is grid
    with pytest.raises(InputError, match=r"a picture needs a 2D map; this one .* \(2 x 3 x 4\)"):
        grid.plane("a picture")
