"""What a search knows for free, and lazy look-ahead."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phil.graphs import GridGraph
from phil.heuristics.phil.cache import allocate
from phil.heuristics.phil.inputs import STATES
from phil.heuristics.phil.kernel import begin, set_ends
from phil.heuristics.phil.known import CALLED, CLOSED, is_called, note, write_known
from phil.heuristics.phil.specification import NetworkSettings
from phil.heuristics.scaling import Scaling, frame
from phil.search import Limits, search
from phil.search.guide import WithoutLoop
from tests.implicit import Mirror
from tests.networks import random_heuristic
from tests.strategies import grids

BLOCKED, FREE, EXPANDED = np.eye(STATES).tolist()
UNKNOWN = [0.0] * STATES


def network(*, lazy: bool = True, known: int = 2) -> NetworkSettings:
    """A network without eager look-ahead."""
    return NetworkSettings(
        width=8, memory=8, neighbors=0, remember=False, trail=True, axes=2, known=known, lazy=lazy
    )


class Sight:
    """What is known around cells of a map, after some of them were called or expanded."""

    def __init__(self, grid: GridGraph, known: int = 1) -> None:
        self.grid = grid
        self.settings = network(known=known)
        weights = random_heuristic(self.settings).weights
        self.cache = allocate(weights, grid.size, grid.max_degree, cells=grid.size)
        self.frame = frame(grid, Scaling())
        set_ends(weights, self.cache, grid.arrays, self.frame, 0, 0)
        begin(weights, self.cache, 0)

    def note(self, row: int, column: int, code: int = CLOSED) -> None:
        """Call the neighbours of a cell."""
        note(self.cache, self.grid.arrays, self.frame, self.grid.node(row, column), code)

    def around(self, row: int, column: int) -> dict[tuple[int, int], list[float]]:
        """What the network reads of the cells around one, by row and column."""
        out = np.full(STATES * len(self.settings.window), np.nan, np.float32)
        node = self.grid.node(row, column)
        write_known(self.cache, self.grid.arrays, self.frame, node, 0, out)
        return {
            (row - up, column + right): out[STATES * k : STATES * (k + 1)].tolist()
            for k, (right, up) in enumerate(self.settings.window)
        }


def test_a_call_tells_what_is_around_a_cell() -> None:
    free = np.ones((5, 5), bool)
    free[2, 3] = False
    sight = Sight(GridGraph(free))
    sight.note(2, 2)
    assert sight.around(1, 3) == {
        (0, 2): UNKNOWN, (0, 3): UNKNOWN, (0, 4): UNKNOWN,
        (1, 2): FREE, (1, 4): UNKNOWN,
        (2, 2): EXPANDED, (2, 3): BLOCKED, (2, 4): UNKNOWN,
    }  # fmt: skip


def test_cells_off_the_map_are_blocked() -> None:
    around = Sight(GridGraph(np.ones((3, 3), bool))).around(0, 0)
    assert [cell for cell, known in around.items() if known == BLOCKED] == [
        cell for cell in around if min(cell) < 0
    ]


def test_a_forbidden_diagonal_does_not_hide_a_free_cell() -> None:
    free = np.array([[True, True, True], [True, True, False], [True, True, True]])
    sight = Sight(GridGraph(free, corners="both_free"))
    sight.note(1, 1)  # (0, 2) and (2, 2) are free, but cannot be entered from here
    assert sight.around(1, 1)[0, 2] == BLOCKED
    sight.note(0, 1)
    assert sight.around(1, 1)[0, 2] == FREE


def test_the_next_search_knows_nothing() -> None:
    sight = Sight(GridGraph(np.ones((3, 3), bool)))
    sight.note(1, 1, CALLED)
    assert is_called(sight.cache, sight.grid.arrays, sight.frame, 4)
    begin(random_heuristic(sight.settings).weights, sight.cache, 0)
    assert not is_called(sight.cache, sight.grid.arrays, sight.frame, 4)
    assert set(map(tuple, sight.around(1, 1).values())) == {tuple(UNKNOWN)}


@given(grids(longest=12), st.integers(0, 99), st.booleans())
def test_calls_are_the_nodes_whose_neighbours_are_asked_for(
    grid: GridGraph, seed: int, lazy: bool
) -> None:
    heuristic = random_heuristic(network(lazy=lazy), seed=seed)
    nodes = np.flatnonzero(grid.free)
    start, goal = int(nodes[0]), int(nodes[-1])
    limits = Limits(expansions=40)  # engines part ways in long searches
    here = search(grid, start, goal, heuristic, limits=limits, trace=True)
    mirror = Mirror(grid)
    there = search(
        mirror.graph, grid.cell(start), grid.cell(goal), heuristic, limits=limits, trace=True
    )
    assert here.trace is not None
    assert there.trace is not None
    assert [grid.cell(int(node)) for node in here.trace] == list(there.trace)
    assert here.calls == there.calls == len(mirror.neighbors)
    assert set(mirror.neighbors.values()) <= {1}
    assert here.neighbor_calls == len({*here.trace.tolist()} - {goal})
    assert lazy or not here.lookahead_calls


@given(grids(longest=12), st.integers(0, 99))
def test_lazy_look_ahead_is_the_same_outside_of_the_compiled_loop(
    grid: GridGraph, seed: int
) -> None:
    heuristic = random_heuristic(network(), seed=seed)
    nodes = np.flatnonzero(grid.free)
    ends = int(nodes[0]), int(nodes[-1])
    inside = search(grid, *ends, heuristic, trace=True)
    outside = search(grid, *ends, WithoutLoop(heuristic), trace=True)
    assert inside.trace is not None
    assert outside.trace is not None
    assert inside.trace.tolist() == outside.trace.tolist()
    assert (inside.calls, inside.evaluations) == (outside.calls, outside.evaluations)


def test_looking_ahead_lazily_can_call_nodes_that_are_never_expanded() -> None:
    free = np.random.default_rng(3).random((40, 40)) < 0.75
    free[0, 0] = free[-1, -1] = True
    grid = GridGraph(free)
    found = [
        search(grid, (0, 0), (39, 39), random_heuristic(network(), seed=seed)) for seed in range(5)
    ]
    assert any(result.lookahead_calls > 0 for result in found)


@pytest.mark.parametrize(
    "change", [{"known": 0}, {"remember": True}, {"axes": 0}, {"neighbors": 8}, {"walls": 8}]
)
def test_lazy_look_ahead_needs_known_cells_and_no_memory(change: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="known cells"):
        NetworkSettings.model_validate(network().model_dump() | change)
