"""The heuristics shipped for the rooms, on problems that no training has seen."""

from __future__ import annotations

import pytest

from phil.evaluation import evaluate, parse_method
from phil.rooms.problems import NAMES, room_problem

pytest.importorskip("mujoco")

OTHER_SEED = 2718  # than that of the sets


@pytest.mark.parametrize("name", NAMES)
def test_they_expand_little_more_than_the_shortest_path(name: str) -> None:
    problems = [room_problem(name, "test", k, OTHER_SEED).problem for k in range(30)]
    methods = [f"phil:room_{name}", "euclidean", "oracle"]
    scores = evaluate(problems, [parse_method(method) for method in methods])
    phil, greedy, shortest = (score.expansions.mean for score in scores)
    assert len(scores[0].solved) == len(problems)
    assert phil is not None
    assert greedy is not None
    assert shortest is not None
    assert phil < 1.15 * shortest
    assert phil < greedy
