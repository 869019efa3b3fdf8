"""States are lent, never shared, and can get more room in the middle of a search."""

from __future__ import annotations

import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs import GridGraph
from phil.heuristics.classical import euclidean
from phil.search import Limits, loop
from phil.search import state as states
from phil.search.best_first import BestFirst
from phil.search.heap import MOST_ORDERS
from phil.search.state import ASTAR, MOST_SEARCHES, ORDER, SEARCH, StatePool


def test_a_state_is_used_again_when_it_is_large_enough() -> None:
    pool = StatePool()
    first = pool.take(100, 8)
    pool.give_back(first)
    assert pool.take(101, 8) is not first
    assert pool.take(100, 9) is not first
    assert pool.take(50, 8) is first
    assert pool.take(50, 8) is not first


def test_a_state_that_does_not_fit_into_memory_is_refused() -> None:
    with pytest.raises(
        InputError, match=r"^a search on a graph of 1,000,000,000,000,000 nodes nee"
    ):
        states.allocate(10**15, 8)


def test_only_the_largest_states_are_kept() -> None:
    pool = StatePool()
    given = [pool.take(size, 1) for size in range(1, 11)]
    for state in given:
        pool.give_back(state)
    kept = [pool.take(1, 1).nodes.size for _ in given]
    assert sorted(size for size in kept if size > 1) == [7, 8, 9, 10]


def test_a_state_is_not_used_until_its_stamps_run_over() -> None:
    pool = StatePool()
    state = pool.take(10, 1)
    state.counters[SEARCH] = MOST_SEARCHES
    pool.give_back(state)
    assert pool.take(10, 1) is not state


def test_a_search_that_fills_open_goes_on_with_more_room(monkeypatch: pytest.MonkeyPatch) -> None:

    grid = GridGraph(np.ones((40, 40), bool))
    found = []
    for room in (1, states.FIRST_ROOM):
        pool = StatePool()
        small = states.allocate(grid.size, grid.max_degree, room)
        pool.give_back(small)
        monkeypatch.setattr(loop, "_pool", pool)
        ends = grid.node(39, 0), grid.node(0, 39)
        with BestFirst(grid, *ends, euclidean, key=ASTAR, limits=Limits(), trace=True) as search:
            result = search.result(search.run())
        assert result.trace is not None
        found.append((result.cost, result.trace.tolist()))
        assert pool.take(grid.size, grid.max_degree).open.tags.size > 30
    assert found[0] == found[1]


def test_more_entries_than_tags_can_tell_apart_are_refused() -> None:
    state = states.allocate(10, 4)
    state.counters[ORDER] = MOST_ORDERS - 1
    with pytest.raises(InputError, match="limit on expansions"):
        states.make_room_for_entries(state)
