"""The frame of the goal: a problem and its mirror images are the same to a network."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phil.graphs import GridGraph
from phil.graphs.grid import CONNECTIVITIES, CORNER_RULES
from phil.heuristics.phil import PhilHeuristic
from phil.heuristics.phil.specification import NetworkSettings
from phil.heuristics.scaling import Scaling, frame
from phil.search import Limits, search
from tests.networks import random_heuristic

Cell = tuple[int, ...]
Symmetry = tuple[tuple[int, ...], tuple[bool, ...]]  # the order of the axes, and which are flipped


def symmetries(axes: int) -> list[Symmetry]:
    """All ways to mirror a map and swap its axes: 8 in 2D, 48 in 3D."""
    return [
        (order, flips)
        for order in permutations(range(axes))
        for flips in product((False, True), repeat=axes)
    ]


def turned(cell: Cell, shape: Cell, symmetry: Symmetry) -> Cell:
    """Where a cell lies on the turned map."""
    order, flips = symmetry
    flipped = [
        side - 1 - at if flip else at for at, side, flip in zip(cell, shape, flips, strict=True)
    ]
    return tuple(flipped[axis] for axis in order)


def turned_map(free: np.ndarray, symmetry: Symmetry) -> np.ndarray:
    """The turned map."""
    order, flips = symmetry
    flipped = np.flip(free, tuple(axis for axis, flip in enumerate(flips) if flip))
    return np.transpose(flipped, order)


def network(axes: int, **changes: object) -> PhilHeuristic:
    """A random network in the frame of the goal, with every input."""
    settings = {
        "features": axes,
        "edge_features": axes,
        "axes": axes,
        "width": 8,
        "memory": 8,
        "neighbors": 0,
        "remember": False,
        "trail": True,
        "frame": "goal",
        "known": 1,
        "lazy": True,
    }
    chosen = NetworkSettings.model_validate(settings | changes)
    return random_heuristic(chosen, Scaling(lengths="distance"))


@st.composite
def problems(draw: st.DrawFn) -> tuple[GridGraph, Cell, Cell]:
    """A map, and a start and goal whose frame is unique: no two distances are alike, none is 0."""
    axes = draw(st.sampled_from([2, 3]))
    shape = draw(st.permutations([7, 9, 11][:axes]))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    free = random.random(shape) > draw(st.sampled_from([0.1, 0.3]))
    gap = draw(st.permutations([1, 3, 5][:axes]))
    signs = draw(st.tuples(*[st.booleans()] * axes))
    start = tuple(
        side // 2 + (gap // 2 if sign else -(gap - gap // 2))
        for side, gap, sign in zip(shape, gap, signs, strict=False)
    )
    goal = tuple(at + (-g if sign else g) for at, g, sign in zip(start, gap, signs, strict=False))
    free[start] = free[goal] = True
    grid = GridGraph(
        free,
        connectivity=draw(st.sampled_from(CONNECTIVITIES[axes])),
        corners=draw(st.sampled_from(CORNER_RULES)),
    )
    return grid, start, goal


@given(problems(), st.data())
def test_a_problem_and_its_mirror_images_give_the_same_search(
    problem: tuple[GridGraph, Cell, Cell], data: st.DataObject
) -> None:
    grid, start, goal = problem
    axes = len(start)
    walls = grid.connectivity if grid.connectivity <= 8 else 0
    eager = {"neighbors": 30, "walls": walls, "lazy": False}
    heuristic = network(axes, **data.draw(st.sampled_from([{}, eager])))
    symmetry = data.draw(st.sampled_from(symmetries(axes)))
    other = GridGraph(
        turned_map(grid.free, symmetry), connectivity=grid.connectivity, corners=grid.corners
    )
    from_cell, to_cell = (turned(cell, grid.shape, symmetry) for cell in (start, goal))
    # Values differ by rounding, so that searches of random networks part after some expansions.
    limits = Limits(expansions=12)
    here = search(grid, start, goal, heuristic, limits=limits, trace=True)
    there = search(other, from_cell, to_cell, heuristic, limits=limits, trace=True)
    assert here.trace is not None
    assert there.trace is not None
    cells = [turned(grid.cell(int(node)), grid.shape, symmetry) for node in here.trace]
    assert cells == [other.cell(int(node)) for node in there.trace]
    assert here.calls == there.calls


@pytest.mark.parametrize("axes", [2, 3])
def test_there_are_8_and_48_symmetries(axes: int) -> None:
    assert len(set(symmetries(axes))) == {2: 8, 3: 48}[axes]


@given(problems())
def test_the_start_always_lies_in_the_same_direction(
    problem: tuple[GridGraph, Cell, Cell],
) -> None:
    grid, start, goal = problem
    ends = grid.node(*start), grid.node(*goal)
    found = frame(grid, Scaling(lengths="distance"), "goal", ends)
    scaled = (grid.features[ends[0]][found.axes] - found.centre) / found.spread
    assert (scaled >= 0).all()
    assert (np.diff(scaled) <= 0).all()
    assert np.hypot.reduce(scaled) == pytest.approx(1.0)
    assert sorted(found.turn.tolist()) == list(range(grid.connectivity))


def test_an_empty_map_of_any_size_is_searched_alike() -> None:
    heuristic = network(2, known=0, lazy=False)
    traces = []
    for side in (60, 300):
        grid = GridGraph(np.ones((side, side), bool))
        result = search(
            grid, (20, 20), (30, 42), heuristic, limits=Limits(expansions=10), trace=True
        )
        assert result.trace is not None
        traces.append([grid.cell(int(node)) for node in result.trace])
    assert traces[0] == traces[1]
