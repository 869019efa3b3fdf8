"""Implicit graphs asked in batches: the same searches, and every node asked for is counted."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import phil
from phil.graphs import GridGraph, ImplicitGraph
from phil.heuristics.classical import euclidean, zero
from phil.search import ASTAR, BFS, GREEDY, Limits, Result, search, search_mha
from phil.search.guide import Heuristic, WithoutLoop
from tests.implicit import Mirror, own_facts
from tests.networks import AHEAD, random_heuristic

Cell = tuple[int, ...]


class Server:
    """A map that answers for several cells at once."""

    def __init__(self, grid: GridGraph, batch: int = 1) -> None:
        self.batches: list[list[Cell]] = []
        self._mirror = Mirror(grid)
        self.graph = ImplicitGraph.on_grid(
            neighbors_of_many=self._answer, shape=grid.shape, batch=batch
        )

    def _answer(self, cells: list[Cell]) -> list[list[Cell]]:
        self.batches.append(cells)
        return [self._mirror._cells(cell) for cell in cells]

    @property
    def asked(self) -> Counter[Cell]:
        """How often each cell was asked for."""
        return Counter(cell for batch in self.batches for cell in batch)


def random_grid(side: int, seed: int) -> GridGraph:
    free = np.random.default_rng(seed).random((side, side)) < 0.8
    free[-1, 0] = free[0, -1] = True
    return GridGraph(free)


def without_calls(result: Result[Any]) -> dict[str, object]:
    return own_facts(result) | {"lookahead_calls": 0}


@given(st.integers(0, 99), st.integers(1, 9), st.sampled_from([GREEDY, ASTAR, BFS]))
@pytest.mark.parametrize("heuristic", [euclidean, zero], ids=lambda h: h.name)
def test_a_batch_changes_nothing_but_calls(
    heuristic: Heuristic, seed: int, batch: int, key: phil.Key
) -> None:
    grid = random_grid(9, seed)
    ends = (8, 0), (0, 8)
    alone = search(Mirror(grid).graph, *ends, heuristic, key=key, trace=True)
    for guided in (heuristic, WithoutLoop(heuristic)):
        server = Server(grid, batch)
        result = search(server.graph, *ends, guided, key=key, trace=True)
        assert without_calls(result) == without_calls(alone)
        asked = server.asked
        assert set(asked.values()) <= {1}
        assert asked.total() == result.calls
        assert not alone.solved or ends[1] not in asked
        assert max(map(len, server.batches)) <= batch
    assert batch > 1 or result.lookahead_calls == 0


def test_batches_are_filled() -> None:
    grid = random_grid(40, 3)
    server = Server(grid, 16)
    result = search(server.graph, (39, 0), (0, 39), zero, key=BFS)
    assert result.neighbor_calls > 900
    assert len(server.batches) < result.neighbor_calls / 6
    assert result.lookahead_calls < 64


def test_the_best_nodes_of_open_are_asked_for_in_order() -> None:
    asked: list[list[int]] = []

    def near(numbers: list[int]) -> list[dict[int, float]]:
        asked.append(numbers)
        return [{10 * number + k: k for k in (5, 3, 1, 4)} for number in numbers]

    search(ImplicitGraph(neighbors_of_many=near, batch=3), 1, 131, zero, key=ASTAR)
    assert asked == [[1], [11, 13, 14], [111, 113, 15], [1111, 114, 1113]]


@pytest.mark.parametrize("bound", [1.0, 1.5])
def test_a_batch_with_a_bound(bound: float) -> None:
    grid = random_grid(25, 5)
    ends = (24, 0), (0, 24)
    alone = search(Mirror(grid).graph, *ends, euclidean, bound=bound, trace=True)
    server = Server(grid, 8)
    result = search(server.graph, *ends, euclidean, bound=bound, trace=True)
    assert without_calls(result) == without_calls(alone)
    assert server.asked.total() == result.calls


def test_no_more_is_asked_for_than_the_limit_allows() -> None:
    server = Server(random_grid(25, 5), 100)
    result = search(server.graph, (24, 0), (0, 24), zero, key=BFS, limits=Limits(expansions=9))
    assert result.neighbor_calls == 9
    assert server.asked.total() == result.calls <= 15


def test_a_look_ahead_asks_for_all_new_nodes_at_once() -> None:
    grid = random_grid(25, 1)
    heuristic = random_heuristic(AHEAD)
    ends = (24, 0), (0, 24)
    server = Server(grid)
    result = search(server.graph, *ends, heuristic, trace=True)
    assert own_facts(result) == own_facts(search(Mirror(grid).graph, *ends, heuristic, trace=True))
    assert server.asked.total() == result.calls
    assert len(server.batches) <= result.expansions < server.asked.total()


def test_several_queues_ask_one_by_one() -> None:
    server = Server(random_grid(15, 2), 8)
    result = search_mha(server.graph, (14, 0), (0, 14), [euclidean, zero])
    assert {len(batch) for batch in server.batches} == {1}
    assert result.lookahead_calls == 0
