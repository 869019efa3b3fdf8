"""Problem sets from what users hold in memory."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import phil

FREE = np.ones((6, 6), bool)
GRID = phil.GridGraph(FREE)
IMPLICIT = phil.ImplicitGraph(lambda node: [node + 1])


@pytest.mark.parametrize("given", [GRID, FREE, FREE.tolist(), nx.path_graph(9)])
def test_pairs_are_drawn_on_a_graph_as_on_its_file(given: object, tmp_path: Path) -> None:
    problems = phil.open_set(given, count=10)
    assert repr(problems) == "ProblemSet('given', train=10, validation=1, test=10)"
    if isinstance(given, phil.GridGraph):
        phil.write_graph(tmp_path / "map.png", given)
        again = phil.open_set(tmp_path / "map.png", count=10)
        assert [(p.start, p.goal) for p in again.all] == [(p.start, p.goal) for p in problems.all]


def test_corners_and_files_of_pairs_choose_starts_and_goals(tmp_path: Path) -> None:
    [problem] = phil.open_set(FREE, pairs="corners").all
    assert (problem.start, problem.goal) == (GRID.node(5, 0), GRID.node(0, 5))
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("0,0,5,5\n1,1,2,2\n")
    assert {problem.start for problem in phil.open_set(GRID, pairs=pairs).all} == {0, 7}


def test_several_maps_are_split_like_files() -> None:
    problems = phil.open_set([np.ones((6, 6), bool) for _ in range(20)])
    assert repr(problems) == "ProblemSet('given', train=16, validation=2, test=2)"
    assert len({id(problem.graph) for problem in problems.all}) == 20
    with pytest.raises(phil.InputError, match=r"graphs \(1\) and 2D maps \(0\)"):
        phil.open_set([GRID, nx.path_graph(3)])


def test_one_in_ten_problems_validates() -> None:
    given = [phil.Problem(GRID, 0, goal) for goal in range(1, 23)]
    problems = phil.open_set(given)
    assert [len(problems.train), len(problems.validation), len(problems.test)] == [20, 2, 0]
    assert problems.all == tuple(given)
    assert phil.open_set(problems) is problems
    with pytest.raises(phil.InputError, match="have their starts and goals"):
        phil.open_set(given, count=3)


def test_what_is_no_problem_set_is_told_what_would_be() -> None:
    problem = phil.Problem(GRID, 0, 1)
    with pytest.raises(phil.InputError, match="a problem set must be a Graph or GridGraph"):
        phil.open_set(3)
    with pytest.raises(phil.InputError, match="either problems or graphs"):
        phil.open_set([GRID, problem])
    with pytest.raises(phil.InputError, match="item 1 must be a Graph"):
        phil.open_set([GRID, None])
    with pytest.raises(phil.InputError, match=r"explored\(start, most"):
        phil.open_set(IMPLICIT)
    with pytest.raises(phil.InputError, match=r"known in full.*explored\(start, most"):
        phil.open_set([phil.Problem(IMPLICIT, 0, 1)])
