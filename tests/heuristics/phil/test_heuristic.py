"""What a heuristic keeps between searches changes no search; nodes of OPEN are scored again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from phil.graphs import AnyGraph, GridGraph, SearchedGraph
from phil.heuristics.phil import PhilHeuristic
from phil.heuristics.phil.cache import FIRST_ROWS, ROWS
from phil.heuristics.phil.heuristic import PhilGuide
from phil.search import Limits, search
from phil.search.guide import Expansion, RescoringGuide
from tests.guides import facts
from tests.networks import PRESETS, networks, random_heuristic, scaling_for
from tests.strategies import problems


def open_grid(side: int) -> GridGraph:
    return GridGraph(np.ones((side, side), bool))


def test_a_second_search_to_a_goal_finds_the_rows_of_the_first() -> None:
    grid = open_grid(20)
    heuristic = random_heuristic(PRESETS["paper"])
    first = search(grid, 0, 399, heuristic, limits=Limits(80), trace=True)
    [lent] = heuristic._free
    rows = int(lent.cache.counters[ROWS])
    again = search(grid, 0, 399, heuristic, limits=Limits(80), trace=True)
    assert facts(again) == facts(first)
    assert heuristic._free == [lent]
    assert lent.cache.counters[ROWS] == rows


def test_another_goal_or_graph_of_the_same_shape_changes_no_search() -> None:
    heuristic = random_heuristic(PRESETS["best"])
    walls = np.ones((15, 15), bool)
    walls[3:12, 7] = False
    one, two = open_grid(15), GridGraph(walls)
    for grid, goal in ((one, 224), (one, 100), (two, 100), (one, 100), (two, 224)):
        kept = search(grid, 0, goal, heuristic, limits=Limits(60), trace=True)
        fresh = random_heuristic(PRESETS["best"])
        assert facts(kept) == facts(search(grid, 0, goal, fresh, limits=Limits(60), trace=True))


def test_on_another_map_of_the_same_size_only_what_walls_change_is_computed_anew() -> None:
    heuristic = random_heuristic(PRESETS["best"])
    search(open_grid(15), 0, 224, heuristic, limits=Limits(60))
    [lent] = heuristic._free
    rows = int(lent.cache.counters[ROWS])
    embedding = lent.cache.embedding[:rows].copy()
    search(open_grid(15), 0, 224, heuristic, limits=Limits(30))
    [lent] = heuristic._free
    assert lent.cache.counters[ROWS] >= rows
    assert np.array_equal(lent.cache.embedding[:rows], embedding)
    assert not lent.cache.ready[:rows].all()


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


class Curious:
    """Another heuristic, which computes values anew at every expansion and keeps them."""

    name = "curious"

    def __init__(self, inner: PhilHeuristic) -> None:
        self._inner = inner
        self.guides: list[CuriousGuide] = []

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> CuriousGuide:
        """A guide for one search."""
        self.guides.append(CuriousGuide(self._inner.begin(graph, start, goal)))
        return self.guides[-1]


class CuriousGuide:
    """Asks for the values of V_new before they are scored, and for those of all met after."""

    def __init__(self, inner: PhilGuide) -> None:
        self.looks_ahead = inner.looks_ahead
        self._inner = inner
        self._nodes, self._parents, self._depths = (np.empty(0, np.int32) for _ in range(3))
        self.frozen = np.empty(0)  # values of all nodes met, when they were discovered
        self.anew = np.empty(0)  # and now
        self.before: list[NDArray[np.float64]] = []  # of each V_new, by the memory before it
        self.scored: list[NDArray[np.float64]] = []

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """What the other says."""
        parents = np.full(expansion.new.size, expansion.node, np.int32)
        self.before.append(self._inner.rescore(expansion.new, parents, expansion.depth))
        values = self._inner.score(expansion)
        self.scored.append(values)
        self._nodes = np.append(self._nodes, expansion.new)
        self._parents = np.append(self._parents, parents)
        self._depths = np.append(self._depths, expansion.depth)
        self.frozen = np.append(self.frozen, values)
        self.anew = self._inner.rescore(self._nodes, self._parents, self._depths)
        # Not even a way that the search did not take leaves a trace.
        self._inner.rescore(self._nodes, np.roll(self._parents, 1), self._depths + 1)
        return values


def test_guides_of_phil_can() -> None:
    grid = GridGraph(np.ones((3, 3), bool))
    assert isinstance(random_heuristic(PRESETS["paper"]).begin(grid, 0, 8), RescoringGuide)


@given(problems(), st.data(), st.integers(0, 2**32))
@settings(max_examples=60)
def test_rescoring_changes_no_search(
    problem: tuple[AnyGraph, int, int], data: st.DataObject, seed: int
) -> None:
    graph, start, goal = problem
    # What is known around a node changes its value.
    network = data.draw(networks(graph)).model_copy(update={"known": 0, "lazy": False})
    heuristic = random_heuristic(network, scaling_for(graph), seed)
    curious = Curious(heuristic)
    found = search(graph, start, goal, curious, trace=True)
    assert facts(found) == facts(search(graph, start, goal, heuristic, trace=True))
    [guide] = curious.guides
    # By the memory that V_new was scored by, it gets the values that it got.
    for before, scored in zip(guide.before, guide.scored, strict=True):
        np.testing.assert_array_equal(before, scored)
    if not network.remember:
        np.testing.assert_array_equal(guide.anew, guide.frozen)


def test_the_memory_of_now_counts() -> None:
    grid = GridGraph(np.ones((8, 8), bool))
    curious = Curious(random_heuristic(PRESETS["paper"]))
    search(grid, 0, 63, curious, limits=Limits(10))
    [guide] = curious.guides
    assert not np.allclose(guide.anew, guide.frozen, rtol=1e-3)
