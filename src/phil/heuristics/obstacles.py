"""The blocked cells that a search on a grid has discovered, and the nearest of them, compiled.

They are stored as bits by row and by column, so that finding the nearest reads words instead of
cells: the time does not grow with their number. (SaIL's own search for it is linear.) Clearing
touches only what was added.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from phil.compiled import Array1, Array2, Struct, kernel, primitive, routine
from phil.errors import InputError
from phil.graphs import GridGraph, SearchedGraph
from phil.graphs.arrays import GraphArrays
from phil.graphs.grid import check_plane
from phil.heuristics.bits import (
    NONE,
    Bits,
    add,
    at_or_after,
    at_or_before,
    empty_lines,
    forget_word,
    has,
)
from phil.search.expand import expand, insert
from phil.search.guide import Expansion, Guide, SharedLoop, Traits, Unique
from phil.search.state import EXPANDED, State

FAR = 2**62


class Obstacles(Struct):
    """Cells by their ids, row * columns + column, as in a `GridGraph`."""

    by_row: Array2[np.uint64]  # the columns of each row's cells
    by_column: Array2[np.uint64]  # the rows of each column's cells
    rows: Array2[np.uint64]  # one line: the rows with any cell
    columns: Array2[np.uint64]  # one line: the columns with any cell
    cells: Array1[np.int32]  # in order of insertion
    size: Array1[np.int64]  # [0]: their number


def allocate(rows: int, columns: int) -> Obstacles:
    """An empty set for a grid of this shape; memory is committed only as cells are added."""
    return Obstacles(
        by_row=empty_lines(rows, columns),
        by_column=empty_lines(columns, rows),
        rows=empty_lines(1, rows),
        columns=empty_lines(1, columns),
        cells=np.empty(rows * columns, np.int32),
        size=np.zeros(1, np.int64),
    )


@primitive
def insert_cell(obstacles: Obstacles, row: int, column: int) -> None:
    """Add a cell unless it is already present."""
    if has(obstacles.by_row, row, column):
        return
    add(obstacles.by_row, row, column)
    add(obstacles.by_column, column, row)
    add(obstacles.rows, 0, row)
    add(obstacles.columns, 0, column)
    obstacles.cells[obstacles.size[0]] = row * obstacles.by_column.shape[0] + column
    obstacles.size[0] += 1


@primitive
def discover_around(obstacles: Obstacles, graph: GraphArrays, node: int) -> None:
    """Add the blocked cells among the neighbours of a node that is expanded."""
    rows = graph.shape[0]
    columns = graph.shape[1]
    row = node // columns
    column = node - row * columns
    for move in range(graph.moves.shape[0]):
        to_row = row + graph.moves[move, 0]
        to_column = column + graph.moves[move, 1]
        if to_row < 0 or to_row >= rows or to_column < 0 or to_column >= columns:
            continue
        if graph.free[to_row * columns + to_column] == 0:
            insert_cell(obstacles, to_row, to_column)


@kernel
def clear(obstacles: Obstacles) -> None:
    """Remove all cells."""
    columns = obstacles.by_column.shape[0]
    for k in range(obstacles.size[0]):
        row = obstacles.cells[k] // columns
        column = obstacles.cells[k] - row * columns
        forget_word(obstacles.by_row, row, column)
        forget_word(obstacles.by_column, column, row)
        forget_word(obstacles.rows, 0, row)
        forget_word(obstacles.columns, 0, column)
    obstacles.size[0] = 0


@kernel
def nearest(obstacles: Obstacles, row: int, column: int) -> int:
    """The cell at the least Euclidean distance; NONE if there is no cell.

    Ties go to the nearer row, then the upper, then the left cell.
    """
    found = NONE
    if obstacles.size[0] == 0:
        return found
    rows = obstacles.by_row.shape[0]
    columns = obstacles.by_column.shape[0]
    least = FAR
    down = 0
    while down * down < least and (row - down >= 0 or row + down < rows):
        for line in (row - down, row + down):
            if line < 0 or line >= rows or not has(obstacles.rows, 0, line):
                continue
            left = at_or_before(obstacles.by_row, line, column)
            if left != NONE:
                square = down * down + (column - left) * (column - left)
                if square < least:
                    least = square
                    found = line * columns + left
            right = at_or_after(obstacles.by_row, line, column)
            if right != NONE:
                square = down * down + (right - column) * (right - column)
                if square < least:
                    least = square
                    found = line * columns + right
        down += 1
    return found


@primitive
def _nearest_in(lines: Bits, by_line: Bits, line: int, place: int) -> tuple[int, int]:
    """Line and place of the nearest member in the nearest line that has any.

    Ties go to the lower line, then to the lower place.
    """
    before = at_or_before(lines, 0, line)
    after = at_or_after(lines, 0, line)
    gap = FAR
    if before != NONE:
        gap = line - before
    if after != NONE:
        gap = min(gap, after - line)
    found_line, found_place = NONE, NONE
    least = FAR
    for near in (line - gap, line + gap):
        if near < 0 or near not in (before, after):  # NONE is below 0
            continue
        low = at_or_before(by_line, near, place)
        if low != NONE and place - low < least:
            least = place - low
            found_line, found_place = near, low
        high = at_or_after(by_line, near, place)
        if high != NONE and high - place < least:
            least = high - place
            found_line, found_place = near, high
    return found_line, found_place


@kernel
def nearest_by_column(obstacles: Obstacles, row: int, column: int) -> int:
    """The cell with the least |dx|, then the least |dy|; NONE if there is no cell.

    Ties go to the left, then the upper cell.
    """
    if obstacles.size[0] == 0:
        return NONE
    found, place = _nearest_in(obstacles.columns, obstacles.by_column, column, row)
    return int(place * obstacles.by_column.shape[0] + found)


@kernel
def nearest_by_row(obstacles: Obstacles, row: int, column: int) -> int:
    """The cell with the least |dy|, then the least |dx|; NONE if there is no cell.

    Ties go to the upper, then the left cell.
    """
    if obstacles.size[0] == 0:
        return NONE
    found, place = _nearest_in(obstacles.rows, obstacles.by_row, row, column)
    return int(found * obstacles.by_column.shape[0] + place)


def check_known_map(graph: SearchedGraph, name: str) -> GridGraph:
    """The graph if it is a 2D map known in full, whose blocked cells can be read; else an error."""
    if graph.shape is not None:
        check_plane(graph.shape, name)
    if not (graph.is_known and graph.is_grid):
        raise InputError(
            f"{name} reads the blocked cells of a map, so it needs a grid that is known in full (a "
            "GridGraph); choose another heuristic for this graph"
        )
    return graph


class ObstaclesPool:
    """Reuses sets, so that a query clears only what it added."""

    KEPT = 4

    def __init__(self) -> None:
        self._free: list[Obstacles] = []
        self._lock = Lock()

    def take(self, grid: GridGraph) -> Obstacles:
        """An empty set for a grid."""
        rows, columns = grid.plane("a set of blocked cells")
        with self._lock:
            for position, kept in enumerate(self._free):
                if (kept.by_row.shape[0], kept.by_column.shape[0]) == (rows, columns):
                    return self._free.pop(position)
        return allocate(rows, columns)

    def give_back(self, obstacles: Obstacles) -> None:
        """Keep a set for the next search; if there are too many, the oldest is dropped."""
        clear(obstacles)
        with self._lock:
            self._free.append(obstacles)
            del self._free[: -self.KEPT]


@primitive
def _distance(obstacles: Obstacles, columns: int, node: int) -> float:
    """The distance to the nearest cell; 0 while there is none."""
    row = node // columns
    column = node - row * columns
    cell = nearest(obstacles, row, column)
    if cell == NONE:
        return 0.0
    down = row - cell // columns
    right = column - cell % columns
    return math.hypot(down, right)


@routine
def evaluate_new(
    obstacles: Obstacles,
    graph: GraphArrays,
    expanded: int,
    new: NDArray[np.int32],
    count: int,
    values: NDArray[np.float64],
) -> None:
    """Write the distances of the first `count` nodes that an expansion discovered."""
    discover_around(obstacles, graph, expanded)
    for k in range(count):
        values[k] = _distance(obstacles, graph.shape[1], new[k])


@kernel
def _score(
    obstacles: Obstacles,
    graph: GraphArrays,
    expanded: int,
    new: NDArray[np.int32],
    values: NDArray[np.float64],
) -> None:
    evaluate_new(obstacles, graph, expanded, new, new.size, values)


@kernel
def _run(state: State, graph: GraphArrays, goal: int, obstacles: Obstacles, budget: int) -> int:
    while True:
        count = expand(state, graph, goal, budget)
        if count < 0:
            return count
        evaluate_new(obstacles, graph, state.counters[EXPANDED], state.new, count, state.values)
        insert(state, graph, count)


class ObstacleGuide:
    """Guides one search on a grid towards the blocked cells that it discovers."""

    def __init__(self, pool: ObstaclesPool, grid: GridGraph, goal: int) -> None:
        self.obstacles = pool.take(grid)
        self._pool = pool
        self._grid = grid
        self._goal = goal
        self._closed = False

    def close(self) -> None:
        """Return the set of obstacles to the pool; further calls do nothing."""
        if not self._closed:
            self._closed = True
            self._pool.give_back(self.obstacles)

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """The distance of each new node to the closest blocked cell."""
        values = np.empty(expansion.new.size)
        arrays = self._grid.arrays
        new = np.ascontiguousarray(expansion.new)
        _score(self.obstacles, arrays, expansion.node, new, values)
        return values

    def run(self, state: State, budget: int) -> int:
        """The whole search, compiled."""
        return _run(state, self._grid.arrays, self._goal, self.obstacles, budget)

    def share_loop(self, guides: Sequence[Guide]) -> SharedLoop | None:
        """The compiled loop of MHA* if all guides are classical."""
        from phil.heuristics.classical_mha import share_loop  # which knows this class

        return share_loop(self._grid, self._goal, guides)


class ObstacleHeuristic(Unique):
    """The distance to the nearest blocked cell discovered so far; 0 while there is none.

    It is of no use alone; SaIL's MHA* combines it with two distances to the goal.

    >>> import phil
    >>> grid = phil.GridGraph([[True, True, True], [True, False, True], [True, True, True]])
    >>> phil.search(grid, (2, 0), (0, 2), phil.load("obstacles")).solved
    True
    """

    name = "obstacles"
    traits = Traits(
        "the distance to the nearest obstacle discovered so far",
        needs_grid=True,
        needs_whole_graph=True,
    )

    def __init__(self) -> None:
        self._pool = ObstaclesPool()

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> ObstacleGuide:
        """A guide for one search; raises `InputError` if the graph is not a 2D map."""
        return ObstacleGuide(self._pool, check_known_map(graph, self.name), goal)


obstacles = ObstacleHeuristic()
