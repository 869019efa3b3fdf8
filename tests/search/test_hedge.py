"""Hedged search: never many more expansions than the fallback alone, whatever the heuristic."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from phil.errors import InputError
from phil.evaluation import evaluate, parse_method
from phil.graphs import AnyGraph, Graph, GridGraph, SearchedGraph
from phil.graphs.distances import costs_to, hops_to
from phil.graphs.lower_bound import fewest_moves
from phil.heuristics.classical import euclidean, manhattan, oracle, zero
from phil.heuristics.node_value import TableHeuristic
from phil.heuristics.obstacles import obstacles
from phil.problems.problem import Problem
from phil.search import Limits, Outcome, Result, search, search_hedge
from phil.search.guide import Expansion, Heuristic, WithoutLoop
from tests.guides import PythonGuide, PythonHeuristic, facts, table
from tests.implicit import NAMES, Mirror, own_facts, simplified
from tests.networks import PRESETS, random_heuristic
from tests.strategies import grids, node_ids, problems

KINDS = ("random", "constant", "huge", "exact", "turned round", "straight away", "infinite")


def values(kind: str, seed: int, graph: AnyGraph, goal: int) -> NDArray[np.float64]:
    """Values of a heuristic that may mislead in one of several ways."""
    random = np.random.default_rng(seed)
    costs = np.nan_to_num(costs_to(graph, goal), posinf=1e9)
    places = graph.features if isinstance(graph, Graph) else np.argwhere(np.ones(graph.shape))
    kinds: dict[str, NDArray[np.float64]] = {
        "random": random.normal(size=costs.size) * 10,
        "constant": np.full(costs.size, 3.0),
        "huge": random.choice([-1e300, 1e300], costs.size),
        "exact": costs,
        "turned round": -costs,
        "straight away": -np.linalg.norm(places - places[goal], axis=1),
        "infinite": random.choice([-np.inf, np.inf, 0.0], costs.size),
    }
    return kinds[kind]


def check_bound(result: Result[Any], plain: Result[Any], fewest: int) -> None:
    """The promise of the docstring, for expansions and for calls."""
    assert result.outcome is plain.outcome
    bound = 2 * plain.expansions + 2 * fewest if plain.solved else plain.expansions
    assert fewest <= plain.expansions or not plain.solved
    assert result.expansions <= bound <= 4 * plain.expansions
    assert result.neighbor_calls <= bound
    if not plain.solved:
        assert result.neighbor_calls == result.expansions == plain.expansions


@given(problems(), st.sampled_from(KINDS), st.integers(0, 2**32), st.booleans())
@settings(max_examples=500)
def test_expansions_are_bounded_by_those_of_the_fallback(
    problem: tuple[AnyGraph, int, int], kind: str, seed: int, compiled: bool
) -> None:
    graph, start, goal = problem
    given = values(kind, seed, graph, goal)
    heuristic: Heuristic = TableHeuristic(given) if compiled else table(given)
    fewest = 1 + fewest_moves(graph, start, goal)
    plain = search(graph, start, goal, euclidean)
    result = search_hedge(graph, start, goal, heuristic, euclidean)
    check_bound(result, plain, fewest)
    assert result.lookahead_calls == 0


@given(problems(), st.sampled_from(KINDS), st.integers(0, 2**32))
@settings(max_examples=200)
def test_it_counts_the_union_of_both_searches(
    problem: tuple[AnyGraph, int, int], kind: str, seed: int
) -> None:
    graph, start, goal = problem
    heuristic = TableHeuristic(values(kind, seed, graph, goal))
    result = search_hedge(graph, start, goal, heuristic, euclidean, trace=True)
    assert result.trace is not None
    trace = result.trace.tolist()
    alone = [search(graph, start, goal, each, trace=True).trace for each in (heuristic, euclidean)]
    orders = [order.tolist() for order in alone if order is not None]
    assert len(set(trace)) == len(trace) == result.expansions
    assert result.neighbor_calls == len(set(trace) - {goal})
    # Each side expands what it would expand alone, in the same order, as far as it gets.
    firsts = [len([*_shared_prefix(order, set(trace))]) for order in orders]
    assert set(trace) == {
        node for order, n in zip(orders, firsts, strict=True) for node in order[:n]
    }
    discovered = {start} | {int(k) for node in trace if node != goal for k in _near(graph, node)}
    assert result.generated == len(discovered)


class ByName:
    """A table for a graph and its mirror, on which the ids are others but the names are known."""

    name = "table"

    def __init__(
        self, known: NDArray[np.float64], ids: dict[Any, int], *, looks_ahead: bool
    ) -> None:
        self._known, self._ids, self._looks_ahead = known, ids, looks_ahead

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> PythonGuide:
        """A guide for one search."""

        def score(expansion: Expansion) -> NDArray[np.float64]:
            nodes = expansion.new.tolist()
            if not graph.is_known:
                nodes = [self._ids[graph.user_node(node)] for node in nodes]
            return np.array([self._known[node] for node in nodes])

        return PythonGuide(score, looks_ahead=self._looks_ahead)


def _shared_prefix(order: list[int], nodes: set[int]) -> list[int]:
    misses = [k for k, node in enumerate(order) if node not in nodes]
    return order[: misses[0]] if misses else order


def _near(graph: AnyGraph, node: int) -> NDArray[np.int32]:
    near: NDArray[np.int32] = graph.neighbors(node)
    return near


@given(problems(), st.sampled_from(KINDS), st.integers(0, 2**32), st.booleans())
@settings(max_examples=200)
def test_implicit_graphs_are_searched_alike(
    problem: tuple[AnyGraph, int, int], kind: str, seed: int, ahead: bool
) -> None:
    graph, start, goal = simplified(problem[0]), *problem[1:]
    known = values(kind, seed, graph, goal)
    mirror = Mirror(graph, NAMES["texts"])
    ids = {mirror.name(node): node for node in node_ids(graph)}
    heuristic = ByName(known, ids, looks_ahead=ahead)
    ends = mirror.name(start), mirror.name(goal)
    met = search_hedge(mirror.graph, *ends, heuristic, euclidean, trace=True)
    written = search_hedge(graph, start, goal, heuristic, euclidean, trace=True)
    assert own_facts(met) == mirror.named(written)
    assert mirror.neighbors.total() == met.neighbor_calls + met.lookahead_calls
    assert not mirror.neighbors or max(mirror.neighbors.values()) == 1
    check_bound(met, search(mirror.graph, *ends, euclidean), 1 + fewest_moves(graph, start, goal))


@given(problems(), st.sampled_from(KINDS), st.integers(0, 2**32), st.integers(0, 60))
@settings(max_examples=200)
def test_a_limit_ends_it_at_the_same_node(
    problem: tuple[AnyGraph, int, int], kind: str, seed: int, most: int
) -> None:
    graph, start, goal = problem
    heuristic = TableHeuristic(values(kind, seed, graph, goal))
    whole = search_hedge(graph, start, goal, heuristic, euclidean, trace=True)
    assert whole.trace is not None
    limits = Limits(expansions=most)
    result = search_hedge(graph, start, goal, heuristic, euclidean, limits=limits, trace=True)
    assert result.trace is not None
    if whole.expansions <= most:
        assert facts(result) == facts(whole)
    else:
        assert (result.outcome, result.expansions) == (Outcome.LIMIT, most)
        assert result.trace.tolist() == whole.trace.tolist()[:most]


@given(grids(), st.data())
@settings(max_examples=100)
def test_compiled_and_python_guides_agree(grid: GridGraph, data: st.DataObject) -> None:
    nodes = st.sampled_from(node_ids(grid))
    ends = data.draw(nodes), data.draw(nodes)
    for heuristic in (manhattan, obstacles, random_heuristic(PRESETS["paper"], seed=3)):
        asked = search_hedge(grid, *ends, WithoutLoop(heuristic), euclidean, trace=True)
        compiled = search_hedge(grid, *ends, heuristic, euclidean, trace=True)
        assert facts(asked) == facts(compiled)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_learned_heuristic_searches_an_implicit_grid_alike(preset: str) -> None:
    grid = GridGraph(np.random.default_rng(7).random((60, 60)) < 0.7)
    start, goal = node_ids(grid)[0], node_ids(grid)[-1]
    heuristic, mirror = random_heuristic(PRESETS[preset]), Mirror(grid)
    met = search_hedge(
        mirror.graph, grid.cell(start), grid.cell(goal), heuristic, euclidean, trace=True
    )
    written = search_hedge(grid, start, goal, heuristic, euclidean, trace=True)
    assert own_facts(met) == mirror.named(written)
    assert mirror.neighbors.total() == met.neighbor_calls + met.lookahead_calls
    assert written.expansions > 2 * (1 + fewest_moves(grid, start, goal))  # both took turns


def test_a_good_heuristic_is_not_slowed_down() -> None:
    random = np.random.default_rng(0)
    grid = GridGraph(random.random((60, 60)) < 0.7)
    start, goal = node_ids(grid)[0], node_ids(grid)[-1]
    assert np.isfinite(hops_to(grid, goal)[start])
    result = search_hedge(grid, start, goal, oracle, euclidean)
    assert facts(result) == facts(search(grid, start, goal, oracle))


def test_the_fallback_alone_is_as_good_as_ever() -> None:
    random = np.random.default_rng(1)
    grid = GridGraph(random.random((40, 40)) < 0.65)
    start, goal = node_ids(grid)[0], node_ids(grid)[-1]
    plain = search(grid, start, goal, euclidean)
    hedged = search_hedge(grid, start, goal, euclidean, euclidean)
    assert (hedged.expansions, hedged.cost) == (plain.expansions, plain.cost)


def test_the_values_of_both_are_counted() -> None:
    grid = GridGraph(np.ones((30, 30), bool))
    result = search_hedge(grid, (29, 0), (0, 29), zero, euclidean)
    assert result.evaluations > result.generated


def test_a_guide_sees_all_expansions_of_its_own_side() -> None:
    counts: list[int] = []

    def score(expansion: Expansion) -> NDArray[np.float64]:
        counts.append(expansion.count)
        return -expansion.g

    grid = GridGraph(np.random.default_rng(2).random((30, 30)) < 0.8)
    start, goal = node_ids(grid)[0], node_ids(grid)[-1]
    search_hedge(grid, start, goal, PythonHeuristic(score), euclidean)
    assert counts == sorted(set(counts))


def test_a_limit_of_seconds_ends_it() -> None:
    grid = GridGraph(np.ones((30, 30), bool))
    result = search_hedge(grid, (29, 0), (0, 29), zero, euclidean, limits=Limits(seconds=0.0))
    assert (result.outcome, result.expansions, result.generated) == (Outcome.LIMIT, 0, 1)


def test_nan_is_refused() -> None:
    nothing = PythonHeuristic(lambda expansion: np.full(expansion.new.size, np.nan))
    with pytest.raises(InputError, match="gave NaN"):
        search_hedge(GridGraph(np.ones((9, 9), bool)), (8, 0), (0, 8), nothing, euclidean)


def test_as_a_method() -> None:
    method = parse_method("hedge(manhattan)")
    assert method.heuristics == (manhattan, euclidean)
    assert (method.bound, method.promise([])) == (None, np.inf)
    problem = Problem(GridGraph(np.ones((9, 9), bool)), 0, 80)
    [score] = evaluate([problem], [method])
    assert (score.method, score.expansions.mean) == ("hedge(manhattan)", 9)
    with pytest.raises(InputError, match="bounds the expansions"):
        method.with_bound(1.5)
    with pytest.raises(InputError, match="one path only"):
        method.anytime(problem)
    with pytest.raises(InputError, match="needs a heuristic"):
        parse_method("hedge")
    with pytest.raises(InputError, match="takes one heuristic"):
        parse_method("hedge(manhattan, octile)")
