"""A short training sees the train problems alone."""

from __future__ import annotations

from typing import Any

import pytest

from phil.errors import InputError
from phil.graphs import Graph
from phil.learning.short import ITERATIONS, MOST, MOST_CHOOSING, short_training
from phil.problems import single_graph_set
from phil.problems.problem import ProblemSet

LINE = Graph.from_edges(30, [(node, node + 1) for node in range(29)])


@pytest.mark.parametrize(("count", "train", "choosing"), [(600, MOST, MOST_CHOOSING), (12, 10, 2)])
def test_it_learns_and_chooses_by_train_problems(
    count: int, train: int, choosing: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[ProblemSet, Any]] = []
    monkeypatch.setattr(
        "phil.learning.short.train", lambda problems, **given: asked.append((problems, given))
    )
    problems = single_graph_set("line", LINE, count=count)
    short_training(problems)
    [(seen, given)] = asked
    assert seen.train == problems.train[:train]
    assert seen.validation == problems.train[-choosing:]
    assert seen.test == ()
    assert given["settings"]["iterations"] == ITERATIONS
    assert given["settings"]["neighbors"] == 0


def test_one_problem_is_too_few() -> None:
    with pytest.raises(InputError, match="too few to learn from"):
        short_training(single_graph_set("line", LINE, count=1))
