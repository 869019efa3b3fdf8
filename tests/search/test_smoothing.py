"""Paths shortened along straight lines, which an independent check in fractions finds clear."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from math import dist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import phil
from phil.errors import InputError
from phil.graphs import Graph, GridGraph, ImplicitGraph
from phil.graphs.grid import Cell
from phil.graphs.line_of_sight import first_blocked, points_of, sight_of
from phil.heuristics.classical import euclidean, zero
from phil.search import GREEDY, Key, Smoothed, search, smooth
from tests.strategies import grids, node_ids, voxel_grids

HALF = Fraction(1, 2)
Line = tuple[Cell, Cell]


def is_clear(grid: GridGraph, here: Cell, there: Cell) -> bool:
    """Whether a line passes no blocked cell, nor a corner that the grid's rule forbids."""
    box = [range(min(ends), max(ends) + 1) for ends in zip(here, there, strict=True)]
    if any(not grid.free[cell] and _passes(here, there, cell) for cell in product(*box)):
        return False
    return all(_may_pass(grid, *corner) for corner in _corners(here, there))


def _at(here: Cell, there: Cell, time: Fraction) -> list[Fraction]:
    return [a + time * (b - a) for a, b in zip(here, there, strict=True)]


def _passes(here: Cell, there: Cell, cell: Cell) -> bool:
    """Whether more than a point of a line lies inside a cell."""
    first, last = Fraction(0), Fraction(1)
    for a, b, c in zip(here, there, cell, strict=True):
        if a == b:
            if a != c:
                return False
            continue
        enters, leaves = sorted(Fraction(c + side - a, b - a) for side in (-HALF, HALF))
        first, last = max(first, enters), min(last, leaves)
    return first < last


def _corners(here: Cell, there: Cell) -> list[tuple[Cell, Cell]]:
    """The cells before and after each point where a line crosses several borders at once."""
    times: dict[Fraction, int] = {}
    for a, b in zip(here, there, strict=True):
        for border in range(min(a, b), max(a, b)):
            time = (border + HALF - a) / (b - a)
            times[time] = times.get(time, 0) + 1
    moment = Fraction(1, 10**6)  # less than between two crossings on maps this small
    return [
        (_cell(_at(here, there, time - moment)), _cell(_at(here, there, time + moment)))
        for time, borders in times.items()
        if borders > 1
    ]


def _cell(point: list[Fraction]) -> Cell:
    return tuple(round(part) for part in point)


def _may_pass(grid: GridGraph, before: Cell, after: Cell) -> bool:
    box = product(*({a, b} for a, b in zip(before, after, strict=True)))
    beside = [bool(grid.free[cell]) for cell in box if cell not in (before, after)]
    crossed = sum(a != b for a, b in zip(before, after, strict=True))
    has_move = (
        crossed in {4: (1,), 8: (1, 2), 6: (1,), 18: (1, 2), 26: (1, 2, 3)}[grid.connectivity]
    )
    rule = grid.corners if has_move else "both_free"
    return {"allow": True, "one_free": any(beside), "both_free": all(beside)}[rule]


@st.composite
def lines(draw: st.DrawFn) -> tuple[GridGraph, Cell, Cell]:
    grid = draw(grids(longest=12) | voxel_grids(longest=6))
    nodes = st.sampled_from(node_ids(grid))
    return grid, grid.cell(draw(nodes)), grid.cell(draw(nodes))


@given(lines())
@settings(max_examples=400)
def test_a_line_is_clear_if_an_exact_check_says_so(line: tuple[GridGraph, Cell, Cell]) -> None:
    grid, here, there = line
    points = points_of(grid, np.array([grid.node(*here), grid.node(*there)]))
    sight = sight_of(grid)
    assert (first_blocked(sight, points) == 0) == is_clear(grid, here, there)
    assert first_blocked(sight, points) == first_blocked(sight, points[::-1].copy())


@st.composite
def zigzags(draw: st.DrawFn) -> tuple[GridGraph, np.ndarray]:
    """A grid with a path: a long way, if depth comes first."""
    grid = draw(grids(longest=12) | voxel_grids(longest=6))
    nodes = st.sampled_from(node_ids(grid))
    key = draw(st.sampled_from([GREEDY, Key(g=0.0, h=0.0, depth=-1.0)]))
    return grid, search(grid, draw(nodes), draw(nodes), zero, key=key).path


@given(zigzags())
@settings(max_examples=300)
def test_a_smoothed_path_is_clear_and_never_longer(case: tuple[GridGraph, np.ndarray]) -> None:
    grid, path = case
    if path.size == 0:
        return
    cells = [grid.cell(node) for node in path.tolist()]
    smoothed = smooth(grid, path)
    points = smoothed.waypoints
    assert (points[0], points[-1]) == (cells[0], cells[-1])
    assert len(points) <= len(cells)
    assert smoothed.length_before == pytest.approx(sum(dist(*move) for move in pairwise(cells)))
    assert smoothed.length == pytest.approx(sum(dist(*line) for line in pairwise(points)))
    assert dist(points[0], points[-1]) * (1 - 1e-9) <= smoothed.length <= smoothed.length_before
    assert all(is_clear(grid, *line) for line in pairwise(points))
    again = smooth(grid, points)
    assert again.length_before == pytest.approx(smoothed.length)
    assert again.length <= again.length_before


def test_a_path_on_a_free_map_becomes_a_line() -> None:
    for shape in ((30, 50), (9, 20, 14)):
        grid = GridGraph(np.ones(shape, bool))
        goal = tuple(side - 1 for side in shape)
        path = search(grid, 0, grid.node(*goal), euclidean).path
        smoothed = smooth(grid, path)
        assert smoothed.waypoints == ((0,) * len(shape), goal)
        assert smoothed.length == pytest.approx(dist(*smoothed.waypoints))


def test_lines_longer_than_the_reach_are_joined() -> None:
    grid = GridGraph(np.ones((2, 2000), bool))
    path = [(0, column) for column in range(2000)]
    assert smooth(grid, path).waypoints == ((0, 0), (0, 1999))


@pytest.mark.parametrize(
    ("corners", "waypoints"), [("allow", 2), ("one_free", 2), ("both_free", 3)]
)
def test_an_exact_corner_follows_the_rule_of_the_grid(corners: str, waypoints: int) -> None:
    free = np.ones((2, 2), bool)
    free[0, 1] = False
    grid = GridGraph(free, corners=corners)  # type: ignore[arg-type]
    assert len(smooth(grid, [(0, 0), (1, 0), (1, 1)]).waypoints) == waypoints


def test_without_diagonal_moves_no_corner_is_cut() -> None:
    free = np.ones((2, 2), bool)
    free[0, 1] = False
    grid = GridGraph(free, connectivity=4)
    assert len(smooth(grid, [(0, 0), (1, 0), (1, 1)]).waypoints) == 3


def test_a_repr_is_short() -> None:
    grid = GridGraph(np.ones((40, 40), bool))
    smoothed = phil.smooth(grid, [(0, 0), (1, 1), (1, 2)])
    assert isinstance(smoothed, Smoothed)
    assert repr(smoothed) == "Smoothed(2 waypoints, length 2.414 -> 2.236)"


@pytest.mark.parametrize("path", [[], [4], [(1, 1)]])
def test_nothing_to_shorten(path: list[int | Cell]) -> None:
    smoothed = smooth(GridGraph(np.ones((3, 3), bool)), path)
    assert (len(smoothed.waypoints), smoothed.length) == (len(path), 0.0)


def test_what_cannot_be_smoothed_is_refused() -> None:
    with pytest.raises(InputError, match="only a path on a GridGraph can be smoothed"):
        smooth(Graph.from_edges(2, [(0, 1)]), [0, 1])
    with pytest.raises(InputError, match="ImplicitGraph"):
        smooth(ImplicitGraph(lambda node: [node + 1]), [0, 1])  # type: ignore[arg-type]
    grid = GridGraph([[True, False, True]])
    with pytest.raises(InputError, match=r"from \(0, 0\) to \(0, 2\), and the line between them"):
        smooth(grid, [0, 2])
    with pytest.raises(InputError, match="obstacle"):
        smooth(grid, [0, 1])
    with pytest.raises(InputError, match="off the map"):
        smooth(grid, [0, 9])
