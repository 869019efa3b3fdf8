"""Published lengths beside the least costs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from phil.evaluation import evaluate
from phil.evaluation.methods import parse_method
from phil.evaluation.published import PublishedLengths, compare_published
from phil.graphs import GridGraph
from phil.problems.problem import Problem

ROW = GridGraph([[True, True, True, True, False, True]])


def compare(*lengths: float | None, goals: Sequence[int] = (1, 2, 3)) -> PublishedLengths | None:
    problems = [
        Problem(ROW, 0, goal, f"x.scen:{line}", length)
        for line, (goal, length) in enumerate(zip(goals, lengths, strict=False), start=9)
    ]
    [score] = evaluate(problems[::-1], [parse_method("euclidean")])
    return compare_published(score)


def test_nothing_was_published() -> None:
    assert compare(None, None, None) is None


def test_rounded_lengths_agree() -> None:
    found = compare(1.0, 2.004, None)
    assert found is not None
    assert str(found) == "all 2 published lengths are optimal"
    assert found.json() == {
        "checked": 2,
        "different": 0,
        "largest_difference": 0.0,
        "first": None,
    }


def test_a_diagonal_move_may_count_as_1_4142() -> None:
    size = 400
    diagonal = GridGraph(np.eye(size, dtype=bool))
    cell = diagonal.node(size - 1, size - 1)
    moves = size - 1
    for length, agrees in ((1.4142 * moves, True), (1.414 * moves, False)):
        problem = Problem(diagonal, 0, cell, "x.scen:9", length)
        [score] = evaluate([problem], [parse_method("euclidean")])
        found = compare_published(score)
        assert found is not None
        assert (not found.different) == agrees


def test_the_first_line_and_the_largest_difference() -> None:
    found = compare(1.5, 2.0, 1.0)
    assert found is not None
    assert str(found) == (
        "2 of 3 published lengths differ from the optimal cost, by at most 2.000; the first is "
        "x.scen:9"
    )
    assert found.json() == {
        "checked": 3,
        "different": 2,
        "largest_difference": 2.0,
        "first": "x.scen:9",
    }


def test_a_length_where_there_is_no_path() -> None:
    found = compare(1.0, 5.0, goals=(1, 5))
    assert found is not None
    assert "1 of 2 published lengths differ from the optimal cost, or have no path" in str(found)
    assert found.json()["largest_difference"] is None
