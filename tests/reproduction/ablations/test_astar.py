"""A* by any values: what it costs, and how many values are too large."""

from __future__ import annotations

import pytest

from phil.heuristics.given import as_heuristic
from phil.heuristics.registry import load_heuristic
from phil.search import search
from reproduction.ablations.astar import FIFO_ASTAR, OVERESTIMATED, PATH_COST, by_astar
from tests.reproduction.ablations.test_fringe import PROBLEM


def test_exact_values_are_not_too_large() -> None:
    heuristic = load_heuristic("oracle")
    found = by_astar([PROBLEM], heuristic)
    known = search(PROBLEM.graph, PROBLEM.start, PROBLEM.goal, heuristic, key=FIFO_ASTAR)
    assert found["test"]["expansions"] == [known.expansions]
    assert (found[OVERESTIMATED], found[PATH_COST]) == (0.0, 1.0)


@pytest.mark.parametrize(("factor", "share"), [(0.5, 0.0), (2.0, 1.0)])
def test_the_share_of_values_that_are_too_large(factor: float, share: float) -> None:
    def value(cell: tuple[int, int], goal: tuple[int, int]) -> float:
        return factor * (abs(cell[0] - goal[0]) + abs(cell[1] - goal[1])) + 0.1 * (factor - 1)

    assert by_astar([PROBLEM], as_heuristic(value))[OVERESTIMATED] == share
