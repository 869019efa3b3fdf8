"""The blocked cells that a search has discovered, and the distance to the nearest."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phil.errors import InputError
from phil.graphs import Graph, GridGraph
from phil.heuristics.obstacles import (
    Obstacles,
    ObstaclesPool,
    allocate,
    clear,
    discover_around,
    insert_cell,
    nearest,
    nearest_by_column,
    nearest_by_row,
    obstacles,
)
from phil.search.guide import Expansion

Cell = tuple[int, int]
SHAPES = st.tuples(st.integers(1, 150), st.integers(1, 150))


def filled(shape: Cell, cells: Iterable[Cell]) -> Obstacles:
    obstacles = allocate(*shape)
    for row, column in cells:
        insert_cell(obstacles, row, column)
    return obstacles


def first(cells: set[Cell], order: Callable[[Cell], tuple[int, ...]], columns: int) -> int:
    """The id of the first cell in an order; -1 if there is none."""
    if not cells:
        return -1
    row, column = min(cells, key=order)
    return row * columns + column


@given(st.data())
def test_the_nearest_are_those_of_a_plain_list(data: st.DataObject) -> None:
    rows, columns = data.draw(SHAPES)
    cell = st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1))
    cells = set(data.draw(st.lists(cell, max_size=30)))
    obstacles = filled((rows, columns), cells)
    for row, column in data.draw(st.lists(cell, min_size=1, max_size=5)):

        def straight(at: Cell, row: int = row, column: int = column) -> tuple[int, ...]:
            down, right = abs(at[0] - row), abs(at[1] - column)
            return down * down + right * right, down, *at

        def by_column(at: Cell, row: int = row, column: int = column) -> tuple[int, ...]:
            return abs(at[1] - column), abs(at[0] - row), at[1], at[0]

        def by_row(at: Cell, row: int = row, column: int = column) -> tuple[int, ...]:
            return abs(at[0] - row), abs(at[1] - column), *at

        assert nearest(obstacles, row, column) == first(cells, straight, columns)
        assert nearest_by_column(obstacles, row, column) == first(cells, by_column, columns)
        assert nearest_by_row(obstacles, row, column) == first(cells, by_row, columns)


@given(SHAPES)
def test_clearing_takes_everything_out(shape: Cell) -> None:
    rows, columns = shape
    cells = [(k * 7 % rows, k * 13 % columns) for k in range(20)]
    obstacles = filled(shape, cells + cells)
    assert obstacles.size[0] == len(set(cells))
    clear(obstacles)
    assert obstacles.size[0] == 0
    bits = (obstacles.by_row, obstacles.by_column, obstacles.rows, obstacles.columns)
    assert not any(lines.any() for lines in bits)


def test_an_expansion_uncovers_the_blocked_cells_of_its_moves() -> None:
    free = np.ones((5, 6), bool)
    free[1, 1] = free[1, 2] = free[2, 4] = free[4, 4] = False
    for connectivity, seen in ((8, {(1, 1), (1, 2)}), (4, {(1, 2)})):
        grid = GridGraph(free, connectivity=connectivity)
        obstacles = allocate(5, 6)
        discover_around(obstacles, grid.arrays, grid.node(2, 2))
        known = {grid.cell(cell) for cell in obstacles.cells[: obstacles.size[0]]}
        assert known == seen


def test_what_lies_beyond_the_edge_of_the_map_is_no_cell() -> None:
    grid = GridGraph(np.ones((3, 3), bool))
    obstacles = allocate(3, 3)
    discover_around(obstacles, grid.arrays, 0)
    assert obstacles.size[0] == 0


def test_a_pool_lends_empty_sets_of_the_right_shape() -> None:
    pool = ObstaclesPool()
    wide, tall = (GridGraph(np.ones(shape, bool)) for shape in ((3, 70), (70, 3)))
    one = pool.take(wide)
    insert_cell(one, 2, 69)
    pool.give_back(one)
    other = pool.take(tall)
    assert other.by_row.shape[0] == 70
    again = pool.take(wide)
    assert again is one
    assert nearest(again, 0, 0) == -1


def expansion(node: int, *new: int) -> Expansion:
    count = len(new)
    return Expansion(
        node, np.array(new, np.int32), np.zeros(count), np.zeros(count, np.int32), count=1
    )


def test_it_is_0_until_a_blocked_cell_is_met_and_then_straight_to_the_closest() -> None:
    free = np.ones((7, 9), bool)
    free[0, 8] = False
    grid = GridGraph(free)
    guide = obstacles.begin(grid, grid.node(6, 0), grid.node(3, 3))
    far, near = grid.node(4, 5), grid.node(0, 6)
    assert guide.score(expansion(grid.node(3, 3), far)).tolist() == [0.0]
    assert guide.score(expansion(grid.node(1, 7), far, near)).tolist() == [5.0, 2.0]


def test_a_graph_without_cells_is_refused() -> None:
    graph = Graph.from_edges(2, [(0, 1)], np.zeros((2, 1)))
    with pytest.raises(InputError, match=r"obstacles reads the blocked cells.*GridGraph"):
        obstacles.begin(graph, 0, 1)
