"""Domains: what they accept, and what they draw."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from phil import Domain, ImplicitGraph, InputError

RING: ImplicitGraph[int] = ImplicitGraph(
    lambda node: [(node - 1) % 9, (node + 1) % 9], lambda node: [node], 1
)


def problem(random: np.random.Generator, difficulty: float) -> tuple[int, int]:
    return int(random.integers(1, 2 + round(7 * difficulty))), 0


def test_problems_get_random_numbers_and_a_difficulty() -> None:
    domain = Domain(RING, problem, directed=False)
    assert domain.draw(np.random.default_rng(0), 0.0) == (1, 0)
    drawn = [domain.draw(np.random.default_rng(seed)) for seed in (3, 3, 4)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_the_graph_says_whether_it_is_directed_unless_the_domain_does() -> None:
    both_ways: ImplicitGraph[int] = ImplicitGraph(
        lambda _: [], lambda node: [node], 1, directed=False
    )
    assert Domain(RING, problem).directed
    assert not Domain(both_ways, problem).directed
    assert Domain(both_ways, problem, directed=True).directed


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"graph": 3}, "graph must be an ImplicitGraph, not 3"),
        ({"problems": 3}, "problems must be a function, not 3"),
        ({"graph": ImplicitGraph(lambda _: [])}, "needs features"),
        ({"graph": ImplicitGraph.on_grid(lambda _: [], (3, 3))}, "must not be a grid"),
        ({"predecessors": lambda _: [], "directed": False}, "predecessors are for directed"),
        ({"demonstrations": [[1]]}, "at least two nodes"),
        ({"demonstrations": [[[1], [0]]]}, "a node of a demonstration must be hashable"),
        ({"demonstrations": [3]}, "a demonstration must be a sequence"),
    ],
)
def test_invalid_arguments_are_refused(changes: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {"graph": RING, "problems": problem}
    with pytest.raises(InputError, match=message):
        Domain(**arguments | changes)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (lambda *_: 3, r"problems returned 3; it must return \(start, goal\)"),
        (lambda *_: (1, 2, 3), r"it must return \(start, goal\)"),
        (lambda *_: 1 / 0, "problems raised ZeroDivisionError"),
    ],
)
def test_a_wrong_problem_is_an_error(given: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Domain(RING, given).draw(np.random.default_rng(0))
