"""Grids that grow around the same query."""

from __future__ import annotations

import pytest

import phil
from reproduction.speed.growth import DISTANCE, PATCH, grid_around, methods


@pytest.mark.parametrize("method", ["A*", "greedy"])
def test_a_query_is_the_same_on_every_size(method: str) -> None:
    heuristic, key = methods()[method]
    found = set()
    for side in (PATCH, 150, 231):
        grid, start, goal = grid_around(side, seed=1)
        assert goal[1] - start[1] == DISTANCE
        result = phil.search(grid, start, goal, heuristic, key=key)
        assert result.solved
        found.add((result.expansions, result.cost))
    assert len(found) == 1
