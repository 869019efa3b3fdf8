"""Bounded search: the path costs at most the bound times the least cost, whatever guides it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import AnyGraph, Graph, GridGraph
from phil.graphs.distances import costs_to
from phil.graphs.lower_bound import best_lower_bound, least_cost
from phil.heuristics.classical import euclidean, manhattan, oracle, zero
from phil.heuristics.node_value import TableHeuristic
from phil.search import (
    ASTAR,
    BFS,
    GREEDY,
    Key,
    Limits,
    Outcome,
    Result,
    anytime,
    loop,
    search,
    state,
)
from phil.search.bounded import BoundedSearch
from phil.search.expand import path_cost
from phil.search.guide import Expansion, Heuristic, WithoutLoop
from phil.search.state import OPEN_NODES, StatePool
from tests.guides import PythonHeuristic, facts, table
from tests.implicit import NAMES, Mirror, own_facts, simplified
from tests.strategies import graphs, grids, node_ids, problems

KEYS = {"greedy": GREEDY, "astar": ASTAR, "bfs": BFS, "deep": Key(g=0.5, h=2.0, depth=-0.25)}
BOUNDS = (1.0, 1.1, 1.5, 4.0)
NODES, EDGES = 12, 30
CLOSE = 1 + 1e-9


def random_graphs(count: int) -> Iterator[Graph]:
    """Weighted graphs, of which the last node can be reached from the first in most.

    In turn: directed or not; with free edges; with costs that are distances, stretched.
    """
    random = np.random.default_rng(2)
    pairs = random.integers(0, NODES, (count, EDGES, 2))
    features = random.random((count, NODES, 2))
    weights = random.integers(0, 20, (count, EDGES)) / 4
    stretch = 1 + random.random((count, EDGES)) * random.integers(0, 3, (count, 1))
    for number in range(count):
        places, edges = features[number], pairs[number]
        costs = weights[number] + number % 3 / 8
        if number % 4 == 0:
            gaps = places[edges[:, 0]] - places[edges[:, 1]]
            costs = np.linalg.norm(gaps, axis=1) * stretch[number]
        yield Graph.from_edges(NODES, edges, places, weights=costs, directed=number % 2 == 0)


def bad_values(random: np.random.Generator, costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values that mislead in one of several ways."""
    return [
        random.normal(size=costs.size) * 10,
        np.zeros(costs.size),
        -costs,
        costs * random.lognormal(size=costs.size),
        np.where(random.random(costs.size) < 0.5, np.inf, random.random(costs.size)),
        np.full(costs.size, np.inf),
    ][random.integers(6)]


def check_result(result: Result[Any], bound: float, least: float) -> None:
    """What a bound promises."""
    if np.isinf(least):
        assert (result.outcome, result.cost) == (Outcome.UNREACHABLE, np.inf)
        assert (result.lower_bound, result.proven) == (np.inf, np.inf)
        return
    assert result.outcome is Outcome.SOLVED
    assert least <= result.cost * CLOSE
    assert result.lower_bound <= min(result.cost, least * CLOSE)
    if bound < np.inf:
        assert result.cost <= bound * least * CLOSE
        assert 1 <= result.proven <= bound * CLOSE


def test_thousands_of_random_graphs_with_bad_heuristics() -> None:
    random = np.random.default_rng(3)
    solved = 0
    for number, graph in enumerate(random_graphs(3000)):
        costs = costs_to(graph, NODES - 1)
        heuristic = TableHeuristic(bad_values(random, costs))
        key = list(KEYS.values())[number // 7 % len(KEYS)]
        for bound in BOUNDS:
            result = search(graph, 0, NODES - 1, heuristic, key=key, bound=bound)
            check_result(result, bound, costs[0])
            solved += result.solved
    assert solved > 2000 * len(BOUNDS)


@given(problems(), st.integers(0, 2**32), st.sampled_from(list(KEYS)), st.floats(1, 1e6))
@settings(max_examples=300)
def test_a_bound_holds_on_any_graph(
    problem: tuple[AnyGraph, int, int], seed: int, name: str, bound: float
) -> None:
    graph, start, goal = problem
    costs = costs_to(graph, goal)
    heuristic = TableHeuristic(bad_values(np.random.default_rng(seed), costs))
    result = search(graph, start, goal, heuristic, key=KEYS[name], bound=bound, trace=True)
    check_result(result, bound, costs[start])
    assert result.trace is not None
    assert (
        result.expansions == result.trace.size == len(set(result.trace.tolist())) + result.reopened
    )


@given(problems(), st.integers(0, 2**32), st.sampled_from(["greedy", "astar", "bfs"]))
@settings(max_examples=200)
def test_an_infinite_bound_keeps_the_order_of_a_plain_search(
    problem: tuple[AnyGraph, int, int], seed: int, name: str
) -> None:
    graph, start, goal = problem
    heuristic = TableHeuristic(np.random.default_rng(seed).integers(0, 5, graph.size) / 2.0)
    plain = search(graph, start, goal, heuristic, key=KEYS[name], trace=True)
    bounded = search(graph, start, goal, heuristic, key=KEYS[name], bound=np.inf, trace=True)
    assert plain.trace is not None
    assert bounded.trace is not None
    assert bounded.trace.tolist() == plain.trace.tolist()
    # A better way to an open node is taken, though its place in OPEN stays.
    assert bounded.cost <= plain.cost * CLOSE
    check_result(bounded, np.inf, costs_to(graph, goal)[start])


@given(problems(), st.integers(0, 2**32), st.sampled_from(BOUNDS))
@settings(max_examples=200)
def test_a_proof_expands_once_each_node_that_may_lead_to_a_better_path(
    problem: tuple[AnyGraph, int, int], seed: int, bound: float
) -> None:
    graph, start, goal = problem
    assume(np.isfinite(costs_to(graph, goal)[start]))
    heuristic = TableHeuristic(np.random.default_rng(seed).random(graph.size))
    plain = search(graph, start, goal, heuristic, trace=True)
    bounded = search(graph, start, goal, heuristic, bound=bound, trace=True)
    lower = best_lower_bound(graph, goal, landmarks=False)
    from_start = costs_to(graph.reversed(), start)
    assert plain.trace is not None
    assert bounded.trace is not None
    assert bounded.reopened == 0
    assert max(Counter(bounded.trace.tolist()).values()) == 1
    for node in {*bounded.trace.tolist()} - {*plain.trace.tolist()}:
        assert from_start[node] + least_cost(graph.arrays, lower, node) <= plain.cost * CLOSE


@given(problems(), st.sampled_from(list(KEYS)), st.sampled_from([*BOUNDS, np.inf]))
@pytest.mark.parametrize("heuristic", [euclidean, manhattan, zero, oracle], ids=lambda h: h.name)
def test_python_and_compiled_loops_agree(
    heuristic: Heuristic, problem: tuple[AnyGraph, int, int], name: str, bound: float
) -> None:
    compiled, python = (
        facts(search(*problem, guided, key=KEYS[name], bound=bound, trace=True))
        for guided in (heuristic, WithoutLoop(heuristic))
    )
    assert compiled == python


@given(problems(), st.sampled_from(BOUNDS), st.data())
def test_a_limit_gives_the_best_path_known_and_what_is_proven(
    problem: tuple[AnyGraph, int, int], bound: float, data: st.DataObject
) -> None:
    graph, start, goal = problem
    least = costs_to(graph, goal)[start]
    whole = search(*problem, manhattan, bound=bound, trace=True)
    most = data.draw(st.integers(0, whole.expansions - 1))
    cut = search(*problem, manhattan, bound=bound, limits=Limits(most), trace=True)
    assert (cut.outcome, cut.solved, cut.expansions) == (Outcome.LIMIT, False, most)
    lower = best_lower_bound(graph, goal, landmarks=False)
    assert least_cost(graph.arrays, lower, start) <= cut.lower_bound * CLOSE
    assert cut.lower_bound <= least * CLOSE
    assert cut.trace is not None
    assert whole.trace is not None
    assert cut.trace.tolist() == whole.trace.tolist()[:most]
    if cut.path.size:
        assert (cut.path[0], cut.path[-1]) == (start, goal)
        assert cut.cost == pytest.approx(path_cost(graph.arrays, cut.path))
        assert least <= cut.cost * CLOSE
        assert cut.proven >= 1
    else:
        assert (cut.cost, cut.proven) == (np.inf, np.inf)


def test_a_path_is_known_as_soon_as_the_goal_is_discovered() -> None:
    # 0 -> 1 -> 3, or 0 -> 2 -> 3 at half the cost; the proof meets it last.
    edges, weights = [(0, 1), (0, 2), (1, 3), (2, 3)], [2.0, 1.0, 2.0, 1.0]
    graph = Graph.from_edges(4, edges, np.zeros((4, 1)), weights=weights, directed=True)
    heuristic = table(np.array([0.0, 0.0, 9.0, 1.0]))
    found = [
        search(graph, 0, 3, heuristic, bound=1.0, lower=zero, limits=Limits(most))
        for most in range(5)
    ]
    assert [result.cost for result in found] == [np.inf, np.inf, 4.0, 2.0, 2.0]
    assert [result.lower_bound for result in found] == [0.0, 1.0, 1.0, 2.0, 2.0]
    assert [str(result.outcome) for result in found] == ["limit"] * 4 + ["solved"]


@given(grids(), st.sampled_from([*BOUNDS, np.inf]), st.data())
def test_a_map_met_on_the_way_is_searched_alike(
    grid: GridGraph, bound: float, data: st.DataObject
) -> None:
    start, goal = (data.draw(st.sampled_from(node_ids(grid))) for _ in "ab")
    mirror = Mirror(grid, directed=False)  # edges seen from one end may be used from the other
    met = search(
        mirror.graph, grid.cell(start), grid.cell(goal), manhattan, bound=bound, trace=True
    )
    known = search(grid, start, goal, manhattan, bound=bound, trace=True)
    assert own_facts(met) == mirror.named(known)
    assert max(mirror.neighbors.values(), default=0) <= 1


@given(graphs(), st.integers(0, 2**32), st.sampled_from(BOUNDS), st.data())
def test_a_bound_holds_on_graphs_met_on_the_way(
    graph: Graph, seed: int, bound: float, data: st.DataObject
) -> None:
    start, goal = (data.draw(st.integers(0, graph.size - 1)) for _ in "ab")
    simple = simplified(graph)
    assert isinstance(simple, Graph)
    mirror = Mirror(simple, NAMES["texts"])
    values = np.random.default_rng(seed).normal(size=graph.size + 2)
    ends = mirror.name(start), mirror.name(goal)
    met = search(mirror.graph, *ends, table(values), bound=bound)
    check_result(met, bound, costs_to(simple, goal)[start])
    *_, last = anytime(mirror.graph, *ends, table(values), bound=bound)
    check_result(last, bound, costs_to(simple, goal)[start])


def test_a_better_path_of_a_closed_node_is_passed_on() -> None:
    # 0 -> 1 -> 3 is found first; 0 -> 2 -> 1 is cheaper than 0 -> 1, but 2 looks bad.
    edges, weights = [(0, 1), (0, 2), (2, 1), (1, 3)], [4.0, 1.0, 1.0, 1.0]
    graph = Graph.from_edges(4, edges, np.zeros((4, 1)), weights=weights, directed=True)
    heuristic = table(np.array([0.0, 0.0, 9.0, 0.0]))
    found = {}
    for bound in (1.0, 2.5, 5.0):
        result = search(graph, 0, 3, heuristic, bound=bound, lower=zero, trace=True)
        assert result.trace is not None
        found[bound] = result.cost, result.trace.tolist(), result.reopened, result.lower_bound
    assert found == {
        1.0: (3.0, [0, 1, 2, 3], 0, 3.0),
        2.5: (3.0, [0, 1, 2, 3], 0, 3.0),
        5.0: (5.0, [0, 1, 3], 0, 1.0),
    }


def test_a_key_with_path_costs_expands_closed_nodes_again_until_the_goal_is_reached() -> None:
    # 0 -> 2 -> 1 is cheaper than 0 -> 1, which is seen before the goal, 4, is.
    edges, weights = [(0, 1), (0, 2), (2, 1), (1, 3), (3, 4)], [4.0, 1.0, 1.0, 1.0, 1.0]
    graph = Graph.from_edges(5, edges, np.zeros((5, 1)), weights=weights, directed=True)
    heuristic = table(np.array([0.0, 0.0, 5.0, 9.0, 0.0]))
    traces = {}
    for name in ("greedy", "astar"):
        result = search(graph, 0, 4, heuristic, key=KEYS[name], bound=1.0, trace=True)
        assert result.trace is not None
        traces[name] = result.trace.tolist(), result.cost
    assert traces == {"greedy": ([0, 1, 2, 3, 4], 4.0), "astar": ([0, 1, 2, 1, 3, 4], 4.0)}


def test_an_open_node_with_a_better_path_keeps_its_place() -> None:
    # The key prefers deep nodes. 0 -> 1 -> 3 -> 2 is cheaper than 0 -> 2, and deeper.
    edges, weights = [(0, 1), (0, 2), (1, 3), (3, 2), (3, 4), (2, 4)], [1.0, 9.0, 1.0, 1.0, 5, 1]
    graph = Graph.from_edges(5, edges, np.zeros((5, 1)), weights=weights, directed=True)
    heuristic = table(np.array([0.0, 0.0, 3.0, 0.0, 4.0]))
    deep = Key(g=0.0, h=1.0, depth=-1.0)
    result = search(graph, 0, 4, heuristic, key=deep, bound=np.inf, trace=True)
    assert result.trace is not None
    assert result.trace.tolist() == [0, 1, 3, 4]


def test_the_path_of_a_plain_search_can_be_far_from_the_bound() -> None:
    # A chain from 0 to 19, and a short cut by way of 20, which looks bad.
    edges = [*zip(range(19), range(1, 20), strict=True), (0, 20), (20, 19)]
    graph = Graph.from_edges(21, edges, np.zeros((21, 1)), directed=True)
    heuristic = TableHeuristic(np.where(np.arange(21) == 20, np.inf, 0.0))
    assert search(graph, 0, 19, heuristic).cost == 19.0
    for bound, cost in ((1.0, 2.0), (9.4, 2.0), (19.0, 19.0)):
        assert search(graph, 0, 19, heuristic, bound=bound).cost == cost


@pytest.mark.parametrize("bound", [1, 1.5, np.inf])
@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_start_is_goal(bound: float, key: Key) -> None:
    result = search(GridGraph(np.ones((3, 3), bool)), 4, 4, euclidean, key=key, bound=bound)
    assert (result.expansions, result.cost, result.path.tolist()) == (1, 0.0, [4])
    assert (result.lower_bound, result.proven) == (0.0, 1.0)


def test_free_edges_prove_a_free_path() -> None:
    graph = Graph.from_edges(3, [(0, 1), (1, 2)], np.zeros((3, 1)), weights=[0.0, 0.0])
    result = search(graph, 0, 2, zero, bound=1.0)
    assert (result.cost, result.lower_bound, result.proven) == (0.0, 0.0, 1.0)


def test_the_largest_costs_end_all_the_same() -> None:
    edges, weights = [(0, 1), (1, 2)], [1e100, 1e100]
    graph = Graph.from_edges(3, edges, np.zeros((3, 1)), weights=weights)
    assert search(graph, 0, 2, zero, bound=1.5).path.tolist() == [0, 1, 2]


def test_without_a_bound_nothing_is_proven() -> None:
    grid = GridGraph([[True, True, False, True]])
    found = search(grid, 0, 1, euclidean)
    assert (found.lower_bound, found.proven) == (0.0, np.inf)
    assert search(grid, 0, 0, euclidean).proven == 1.0
    none = search(grid, 0, 3, euclidean)
    assert (none.lower_bound, none.proven) == (np.inf, np.inf)


@pytest.mark.parametrize("bound", [0.999, 0, -1, -np.inf, np.nan])
def test_a_bound_below_1_is_refused(bound: float) -> None:
    with pytest.raises(InputError, match=f"must be at least 1 .optimal., not {bound}"):
        search(GridGraph([[True]]), 0, 0, zero, bound=bound)


def test_nan_is_no_value() -> None:
    def score(expansion: Expansion) -> NDArray[np.float64]:
        return np.where(expansion.new == 2, np.nan, expansion.new)

    with pytest.raises(InputError, match=r"NaN for node \(0, 2\) at expansion 2"):
        search(GridGraph(np.ones((4, 4), bool)), 0, 15, PythonHeuristic(score), bound=1.2)


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_open_grows_in_both_parts_of_a_search(key: Key, monkeypatch: pytest.MonkeyPatch) -> None:
    free = np.random.default_rng(0).random((40, 40)) < 0.8
    free[39, 0] = free[0, 39] = True
    grid = GridGraph(free)
    found = []
    for room in (1, state.FIRST_ROOM):
        pool = StatePool()
        pool.give_back(state.allocate(grid.size, grid.max_degree, room))
        monkeypatch.setattr(loop, "_pool", pool)
        found.append(
            facts(search(grid, (39, 0), (0, 39), manhattan, key=key, bound=1.0, trace=True))
        )
    assert found[0] == found[1]


def test_searches_with_and_without_a_bound_share_states(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = StatePool()
    monkeypatch.setattr(loop, "_pool", pool)
    grid = GridGraph(np.ones((30, 30), bool))
    ends = (29, 0), (0, 29)
    options: list[dict[str, Any]] = [{}, {"bound": 1.0}, {"key": ASTAR}, {"bound": 2.0}]
    first = [facts(search(grid, *ends, manhattan, **option, trace=True)) for option in options]
    rooms = set()
    for _ in range(12):
        again = [facts(search(grid, *ends, manhattan, **option, trace=True)) for option in options]
        assert again == first
        kept, lent = pool._free  # the second one to look for the first path
        rooms.add(frozenset((each.open.tags.size, each.waiting.tags.size) for each in (kept, lent)))
    assert len(rooms) == 1


@given(problems(), st.integers(0, 2**32), st.sampled_from(list(KEYS)), st.integers(0, 12))
def test_open_nodes_are_counted_in_all_parts(
    problem: tuple[AnyGraph, int, int], seed: int, name: str, most: int
) -> None:
    graph, start, goal = problem
    heuristic = TableHeuristic(np.random.default_rng(seed).random(graph.size))
    with BoundedSearch(
        graph,
        start,
        goal,
        heuristic,
        key=KEYS[name],
        limits=Limits(most),
        trace=False,
        bound=1.0,
    ) as searched:
        searched.run()
        known = searched.state
        opened = [node for node in range(graph.size) if state.is_open(known, node)]
        assert known.counters[OPEN_NODES] == len(opened)
