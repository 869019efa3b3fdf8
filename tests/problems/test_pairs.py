"""Starts and goals: corners, and random nodes connected by a path, the same for the same seed."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray
from scipy import ndimage

from phil.errors import InputError
from phil.graphs import Graph, GridGraph
from phil.graphs.distances import hops_to
from phil.problems.pairs import PairDraw, map_problem, single_graph_set
from phil.problems.problem import Problem
from tests.strategies import graphs

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
    with pytest.raises(InputError, match="set/map has no two free cells connected by a path"):
        map_problem(free, "set", "map", "random")


def test_an_unknown_choice_names_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean 'corners'"):
        map_problem(np.ones((2, 2), bool), "set", "map", "corner")


@given(graphs(), st.integers(0, 9))
def test_every_pair_is_joined_by_a_path(graph: Graph, seed: int) -> None:
    try:
        draw = PairDraw(graph, "it")
    except InputError:
        assume(False)
    random = np.random.default_rng(seed)
    for start, goal in draw.pairs(4, random):
        assert 0 < hops_to(graph, goal)[start] < np.inf
    goal = draw.pair(random)[1]
    for start in draw.starts(goal, 3, random):
        assert 0 < hops_to(graph, goal)[start] < np.inf


def test_all_joined_pairs_are_equally_likely() -> None:
    graph = Graph.from_edges(6, [(0, 1), (2, 3), (3, 4)])
    counts = Counter(PairDraw(graph, "it").pairs(8000, np.random.default_rng(0)))
    assert len(counts) == 2 + 6
    assert max(counts.values()) - min(counts.values()) < 200


def test_splits_are_drawn_anew_by_seed_and_training_shares_goals() -> None:
    grid = GridGraph(np.ones((20, 20), bool))
    problems = single_graph_set("it", grid)
    assert [len(problems.split(name)) for name in ("train", "validation", "test")] == [600, 60, 100]
    assert problems.test == single_graph_set("it", grid).test
    assert problems.test != single_graph_set("it", grid, seed=1).test
    assert len({problem.goal for problem in problems.train[:8]}) > 4
    large = single_graph_set("it", GridGraph(np.ones((400, 400), bool)), count=8)
    assert len({problem.goal for problem in large.train}) == 2
    assert problems.test[:60] != problems.validation


@pytest.mark.parametrize(
    "graph",
    [
        Graph.from_edges(3, []),
        Graph.from_edges(1, [(0, 0)]),
        Graph.from_edges(3, [], directed=True),
        GridGraph([[True, False, True]]),
    ],
)
def test_a_graph_without_pairs_is_refused(graph: Graph) -> None:
    with pytest.raises(InputError, match="it has no two"):
        PairDraw(graph, "it")
