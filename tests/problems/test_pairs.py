"""Starts and goals: corners, and random cells that a path joins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray
from scipy import ndimage

from phil.errors import InputError
from phil.graphs import GridGraph
from phil.problems.pairs import map_problem
from phil.problems.problem import Problem

maps = hnp.arrays(bool, hnp.array_shapes(min_dims=2, max_dims=2, max_side=12))


def cells(problem: Problem) -> tuple[tuple[int, int], tuple[int, int]]:
    assert isinstance(problem.graph, GridGraph)
    return problem.graph.cell(problem.start), problem.graph.cell(problem.goal)


def test_corners_go_from_bottom_left_to_top_right() -> None:
    assert cells(map_problem(np.ones((4, 7), bool), "set", "map")) == ((3, 0), (0, 6))


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ((3, 0), r"set/a\.png: the bottom-left \(start\) corner, row 3, column 0,.*--pairs random"),
        ((0, 6), r"set/a\.png: the top-right \(goal\) corner, row 0, column 6,.*--pairs random"),
    ],
)
def test_a_corner_on_an_obstacle_is_named(cell: tuple[int, int], words: str) -> None:
    free = np.ones((4, 7), bool)
    free[cell] = False
    with pytest.raises(InputError, match=words):
        map_problem(free, "set", "a.png")


def test_a_1x1_map_starts_at_its_goal() -> None:
    problem = map_problem(np.ones((1, 1), bool), "set", "map")
    assert problem.start == problem.goal == 0


@given(free=maps, seed=st.integers(0, 9))
def test_random_pairs_are_different_cells_of_one_component(
    free: NDArray[np.bool_], seed: int
) -> None:
    labels, count = ndimage.label(free, np.ones((3, 3)))
    assume(any((labels == label).sum() > 1 for label in range(1, count + 1)))
    start, goal = cells(map_problem(free, "set", "map", "random", seed))
    assert start != goal
    assert labels[start] == labels[goal] > 0


def test_a_random_pair_depends_on_seed_and_map_name_alone() -> None:
    free = np.random.default_rng(0).random((30, 40)) < 0.7
    first = cells(map_problem(free, "here", "train/a.png", "random", 3))
    assert first == cells(map_problem(free, "there", "train/a.png", "random", 3))
    assert first != cells(map_problem(free, "here", "train/b.png", "random", 3))
    assert first != cells(map_problem(free, "here", "train/a.png", "random", 4))


def test_random_pairs_reach_every_joined_cell_and_no_lonely_one() -> None:
    free = np.array([[True, True, True, False, True]])
    problems = [map_problem(free, "set", "map", "random", seed) for seed in range(60)]
    assert {problem.start for problem in problems} == {0, 1, 2}
    assert {problem.goal for problem in problems} == {0, 1, 2}


@pytest.mark.parametrize("free", [np.ones((1, 1), bool), np.eye(1, 5, dtype=bool)])
def test_a_map_without_two_joined_cells_has_no_random_pair(free: NDArray[np.bool_]) -> None:
    with pytest.raises(InputError, match="set/map has no two free cells that a path joins"):
        map_problem(free, "set", "map", "random")


def test_an_unknown_choice_names_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'corners'"):
        map_problem(np.ones((2, 2), bool), "set", "map", "corner")
