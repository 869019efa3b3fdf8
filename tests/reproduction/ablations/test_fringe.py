"""Searches that compute values of OPEN anew expand what a plain Python search would."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import GridGraph, SearchedGraph
from phil.heuristics.registry import load_heuristic
from phil.problems.problem import Problem
from phil.search import Limits, Outcome, search
from phil.search.guide import Expansion
from reproduction.ablations.coarse import coarse_set
from reproduction.ablations.fringe import FRINGES, Fringe, FringeMethod
from tests.guides import facts
from tests.networks import networks, random_heuristic

SIDE = 9
OPEN_GRID = GridGraph(np.ones((SIDE, SIDE), bool), connectivity=4)
PROBLEM = Problem(OPEN_GRID, 0, OPEN_GRID.size - 1)
every_way = pytest.mark.parametrize("fringe", FRINGES)


@st.composite
def coarse_problems(draw: st.DrawFn) -> Problem:
    """A coarse map as those of the ablations, with a path or without."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    free = random.random((5 * SIDE, 5 * SIDE)) < draw(st.sampled_from([0.53, 0.57, 0.65]))
    free[-5:, :5] = free[:5, -5:] = True
    solvable = coarse_set("random", {"train": {}, "validation": {}, "test": {"0": free}})
    assume(solvable.problems.test)
    return solvable.problems.test[0]


class Moody:
    """Values that change with every expansion: one row of a table an expansion."""

    name = "moody"

    def __init__(self, table: NDArray[np.float64]) -> None:
        self._table = table
        self._now = 0

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> Moody:
        """A guide for one search."""
        return Moody(self._table)

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """The values by the row of now; then it is the next one's turn."""
        values: NDArray[np.float64] = self._table[self._now, expansion.new]
        self._now = expansion.count if values.size else self._now
        return values

    def rescore(
        self, nodes: NDArray[np.int32], parents: NDArray[np.int32], depths: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        """The values by the row of now."""
        values: NDArray[np.float64] = self._table[self._now, nodes]
        return values


def plain_search(
    problem: Problem, table: NDArray[np.float64], fringe: Fringe
) -> tuple[list[int], int]:
    """What is expanded, and how many values are computed, with lists and nothing else."""
    graph = problem.graph
    assert isinstance(graph, GridGraph)
    entered, values, closed = [problem.start], {problem.start: 0.0}, [problem.start]
    anew: set[int] = set()  # lazily, by the row of now
    computed, now = 0, 0
    while closed[-1] != problem.goal:
        new = [node for node in graph.neighbors(closed[-1]).tolist() if node not in values]
        entered += new
        values |= {node: table[now, node] for node in new}
        computed += len(new)
        if new:  # else nothing is scored
            now = len(closed)
            anew.clear()
        fringe_nodes = [node for node in entered if node not in closed]
        if fringe == "all" and new:
            values |= {node: table[now, node] for node in fringe_nodes}
            computed += len(fringe_nodes)
        while True:
            first = min(fringe_nodes, key=lambda node: (values[node], entered.index(node)))
            if fringe != "lazy" or first in anew:
                break
            values[first] = table[now, first]
            anew.add(first)
            computed += 1
        closed.append(first)
    return closed, computed


@given(coarse_problems(), st.data(), st.integers(0, 2**32))
@settings(max_examples=25)
def test_frozen_is_the_search_that_there_is(
    problem: Problem, data: st.DataObject, seed: int
) -> None:
    network = data.draw(networks(problem.graph)).model_copy(update={"known": 0, "lazy": False})
    heuristic = random_heuristic(network, seed=seed)
    known = search(problem.graph, problem.start, problem.goal, heuristic, trace=True)
    frozen = FringeMethod("frozen", heuristic, "frozen").search(problem, trace=True)
    assert facts(frozen) == facts(known)


@every_way
@given(coarse_problems(), st.integers(0, 2**32), st.sampled_from([3, 1000]))
@settings(max_examples=25)
def test_every_way_expands_what_it_should(
    fringe: Fringe, problem: Problem, seed: int, different: int
) -> None:
    size = problem.graph.size
    table = np.random.default_rng(seed).integers(different, size=(size + 1, size)).astype(float)
    result = FringeMethod("moody", Moody(table), fringe).search(problem, trace=True)
    trace, computed = plain_search(problem, table, fringe)
    assert result.trace is not None
    assert result.trace.tolist() == trace
    assert result.expansions == len(trace)
    assert result.evaluations == computed


@given(coarse_problems(), st.data(), st.integers(0, 2**32))
@settings(max_examples=10)
def test_without_memory_nothing_changes_but_the_cost(
    problem: Problem, data: st.DataObject, seed: int
) -> None:
    fixed = {"remember": False, "known": 0, "lazy": False}
    network = data.draw(networks(problem.graph)).model_copy(update=fixed)
    heuristic = random_heuristic(network, seed=seed)
    frozen, lazy, all_anew = (
        FringeMethod(fringe, heuristic, fringe).search(problem, trace=True) for fringe in FRINGES
    )
    assert facts(lazy) == facts(frozen) | {"evaluations": lazy.evaluations}
    assert facts(all_anew) == facts(frozen) | {"evaluations": all_anew.evaluations}
    # The first node of OPEN stays the first, so that each but the start is computed once more.
    assert lazy.evaluations == frozen.evaluations + frozen.expansions - 1
    assert all_anew.evaluations >= lazy.evaluations


@every_way
def test_a_limit_ends_it(fringe: Fringe) -> None:
    method = FringeMethod("moody", Moody(np.zeros((SIDE**2 + 1, SIDE**2))), fringe)
    result = method.search(PROBLEM, Limits(5))
    assert (result.outcome, result.expansions) == (Outcome.LIMIT, 5)


def test_values_that_cannot_be_computed_anew_can_be_frozen() -> None:
    fixed = load_heuristic("euclidean")
    assert FringeMethod("fixed", fixed, "frozen").search(PROBLEM).solved
    with pytest.raises(InputError, match="cannot compute values anew"):
        FringeMethod("fixed", fixed, "lazy").search(PROBLEM)


def test_nan_is_refused() -> None:
    table = np.zeros((SIDE**2 + 1, SIDE**2))
    table[4] = np.nan
    table[4, :3] = 0  # V_new is scored by row 3, and only computed anew by row 4
    with pytest.raises(InputError, match="gave NaN"):
        FringeMethod("moody", Moody(table), "all").search(PROBLEM)
