"""Maps scaled down."""

from __future__ import annotations

import numpy as np

from phil.graphs import GridGraph
from phil.heuristics.neural_astar.maps import block_of, picture, scaled_down


def test_a_block_is_free_if_half_of_it_is() -> None:
    free = np.array(
        [
            [1, 0, 0, 0, 1],
            [1, 0, 0, 1, 0],
            [0, 1, 1, 0, 0],
        ],
        bool,
    )
    # At the edge only the cells of the map count: 1 of 2, and 0 of 1.
    expected = [[True, False, True], [True, True, False]]
    assert scaled_down(GridGraph(free), 2).free.tolist() == expected


def test_start_and_goal_stay_free() -> None:
    grid = GridGraph(np.eye(6, dtype=bool))
    coarse = scaled_down(grid, 3, grid.node(0, 0), grid.node(5, 5))
    assert coarse.free.tolist() == [[True, False], [False, True]]


def test_moves_stay_the_same() -> None:
    grid = GridGraph(np.ones((5, 7)) == 1, connectivity=4, corners="both_free", diagonal_cost=1.0)
    coarse = scaled_down(grid, 2)
    assert coarse.shape == (3, 4)
    assert (coarse.connectivity, coarse.corners, coarse.diagonal_cost) == (4, "both_free", 1.0)


def test_every_cell_is_part_of_its_block() -> None:
    grid = GridGraph(np.ones((5, 7), bool))
    coarse = scaled_down(grid, 2)
    for node in range(grid.size):
        row, column = grid.cell(node)
        assert coarse.cell(block_of(grid, 2, node)) == (row // 2, column // 2)


def test_the_picture() -> None:
    grid = GridGraph([[True, False, True], [True, True, True]])
    image = picture(grid, grid.node(1, 0), grid.node(0, 2))
    assert image[:, :, 0].tolist() == [[1, 0, 1], [1, 1, 1]]
    assert image[:, :, 1].tolist() == [[0, 0, 1], [1, 0, 0]]
