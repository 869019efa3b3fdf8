"""The method if none is named, in Python; `tests/cli/test_solve.py` has the command."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import phil
from phil.evaluation import default_method, parse_method
from phil.graphs import AnyGraph, Graph, GridGraph
from phil.heuristics import default
from phil.heuristics.default import FOR_ANY_PROBLEM, best_shipped, default_heuristics
from phil.heuristics.registry import shipped_names
from tests.guides import facts
from tests.implicit import Mirror, own_facts

FLAT = GridGraph(np.random.default_rng(5).random((40, 40)) < 0.75)
FOUR = GridGraph(FLAT.free, connectivity=4)
SPACE = GridGraph(np.ones((4, 4, 4), bool))
LINE = Graph.from_edges(3, [(0, 1), (1, 2)], np.arange(3.0).reshape(3, 1))
START, GOAL = np.flatnonzero(FLAT.free)[[0, -1]].tolist()


@pytest.fixture
def forest() -> Iterator[None]:
    """Makes phil:forest, which is for 2D maps, the heuristic for any problem."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(default, "FOR_ANY_PROBLEM", ("phil:forest",))
        default._shipped_for_any_problem.cache_clear()
        yield
    default._shipped_for_any_problem.cache_clear()


@pytest.mark.usefixtures("forest")
def test_the_best_shipped_heuristic_fits_the_graph() -> None:
    assert best_shipped(FLAT, START, GOAL) == "phil:forest"
    assert default_method(phil.Problem(FLAT, START, GOAL)) == "hedge(phil:forest)"
    for graph in (SPACE, LINE):
        assert best_shipped(graph, 0, 1) is None
    assert default_method(phil.Problem(LINE, 0, 1)) == "greedy(euclidean)"


@pytest.mark.usefixtures("forest")
@pytest.mark.parametrize("graph", [FLAT, FOUR], ids=["hedged", "greedy"])
def test_a_search_without_a_heuristic_is_the_default_method(graph: AnyGraph) -> None:
    method = parse_method(default_method(phil.Problem(graph, START, GOAL)))
    named = method.search(phil.Problem(graph, START, GOAL), trace=True)
    assert facts(phil.search(graph, START, GOAL, trace=True)) == facts(named)


@pytest.mark.usefixtures("forest")
def test_implicit_grids_have_the_same_default() -> None:
    mirror = Mirror(FLAT)
    met = phil.search(mirror.graph, FLAT.cell(START), FLAT.cell(GOAL), trace=True)
    assert own_facts(met) == mirror.named(phil.search(FLAT, START, GOAL, trace=True))
    assert mirror.neighbors.total() == met.neighbor_calls + met.lookahead_calls


@pytest.mark.usefixtures("forest")
def test_with_a_key_or_a_bound_the_default_heuristic_is_euclidean() -> None:
    euclidean = phil.load("euclidean")
    for options in ({"key": phil.ASTAR}, {"key": phil.GREEDY}, {"bound": 1.2}):
        unnamed = phil.search(FLAT, START, GOAL, **options)
        assert facts(unnamed) == facts(phil.search(FLAT, START, GOAL, euclidean, **options))


@pytest.mark.usefixtures("forest")
def test_limits_hold() -> None:
    result = phil.search(FLAT, START, GOAL, limits=phil.Limits(expansions=7))
    assert (result.outcome, result.expansions) == (phil.Outcome.LIMIT, 7)


@pytest.mark.parametrize("graph", [FLAT, FOUR, SPACE, LINE], ids=["2D", "4", "3D", "graph"])
def test_the_default_is_among_what_is_shipped(graph: AnyGraph) -> None:
    name = best_shipped(graph, 0, 1)
    assert name is None or name in {*FOR_ANY_PROBLEM} & {*shipped_names()}
    *_, fallback = default_heuristics(graph, 0, 1)
    assert fallback is phil.load("euclidean")
