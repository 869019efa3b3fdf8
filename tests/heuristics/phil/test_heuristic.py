"""What a heuristic keeps between searches changes no search."""

from __future__ import annotations

import numpy as np
import pytest

from phil.graphs import GridGraph
from phil.heuristics.phil.cache import FIRST_ROWS, ROWS
from phil.search import Limits, search
from tests.guides import facts
from tests.networks import PRESETS, random_heuristic


def open_grid(side: int) -> GridGraph:
    return GridGraph(np.ones((side, side), bool))


def test_a_second_search_to_a_goal_finds_the_rows_of_the_first() -> None:
    grid = open_grid(20)
    heuristic = random_heuristic(PRESETS["paper"])
    first = search(grid, 0, 399, heuristic, limits=Limits(80), trace=True)
    [room] = heuristic._free
    rows = int(room.cache.counters[ROWS])
    again = search(grid, 0, 399, heuristic, limits=Limits(80), trace=True)
    assert facts(again) == facts(first)
    assert heuristic._free == [room]
    assert room.cache.counters[ROWS] == rows


def test_another_goal_or_graph_of_the_same_shape_begins_anew() -> None:
    heuristic = random_heuristic(PRESETS["best"])
    walls = np.ones((15, 15), bool)
    walls[3:12, 7] = False
    one, two = open_grid(15), GridGraph(walls)
    for grid, goal in ((one, 224), (one, 100), (two, 100), (one, 100), (two, 224)):
        kept = search(grid, 0, goal, heuristic, limits=Limits(60), trace=True)
        fresh = random_heuristic(PRESETS["best"])
        assert facts(kept) == facts(search(grid, 0, goal, fresh, limits=Limits(60), trace=True))


@pytest.mark.parametrize("changes", [{}, {"neighbors": 0, "walls": 0}])
def test_a_search_that_meets_more_nodes_than_there_are_rows_goes_on(
    changes: dict[str, int],
) -> None:
    grid = open_grid(60)
    assert grid.size > 3 * FIRST_ROWS
    network = PRESETS["best"].model_copy(update=changes)
    heuristic = random_heuristic(network)
    lazy = search(grid, 0, 3599, heuristic, trace=True)
    roomy = random_heuristic(network)
    search(grid, 0, 3599, roomy)
    assert facts(search(grid, 0, 3599, roomy, trace=True)) == facts(lazy)
    assert lazy.evaluations > FIRST_ROWS
