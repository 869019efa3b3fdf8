"""Searches from both ends: shortest paths, counts, and what the halves share."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phil.errors import InputError
from phil.evaluation import parse_method
from phil.graphs import AnyGraph, Graph, GridGraph, ImplicitGraph
from phil.graphs.distances import costs_to, hops_to
from phil.graphs.lower_bound import cheapest_edge
from phil.heuristics.classical import euclidean, octile, oracle, zero
from phil.heuristics.landmarks import landmarks
from phil.problems.problem import Problem
from phil.search import (
    ASTAR,
    BFS,
    GREEDY,
    Key,
    Limits,
    Outcome,
    Result,
    loop,
    search,
    search_bidirectional,
)
from phil.search.guide import Expansion, Heuristic, WithoutLoop
from phil.search.state import StatePool
from tests.guides import PythonHeuristic, facts, table
from tests.networks import PRESETS, random_heuristic
from tests.strategies import edge_costs, problems

KEYS = {"bidirectional": GREEDY, "bidijkstra": ASTAR, "bibfs": BFS}
CLOSE = 1e-9


def check(result: Result, graph: AnyGraph, start: int, goal: int) -> None:
    """A real path of distinct nodes, or none where there is none; and every count."""
    assert result.trace is not None
    trace, path = result.trace.tolist(), result.path.tolist()
    assert result.expansions == len(trace) == len(set(trace)) == result.neighbor_calls
    assert (result.reopened, result.lookahead_calls) == (0, 0)
    assert trace[0] == start
    assert result.generated >= len(trace)
    if np.isinf(hops_to(graph, goal)[start]):
        assert (result.outcome, path, result.cost) == (Outcome.UNREACHABLE, [], np.inf)
        assert result.lower_bound == np.inf
        return
    assert result.solved
    assert (path[0], path[-1]) == (start, goal)
    assert len(set(path)) == len(path)
    costs = edge_costs(graph)
    assert result.cost == pytest.approx(sum(costs[move] for move in pairwise(path)))
    # Every move of the path was met by expanding one of its ends.
    assert all(set(move) & set(trace) for move in pairwise(path))


def calls(result: Result, start: int, goal: int) -> Result:
    """The result as if the neighbours of a start that is the goal were asked for."""
    if start == goal:
        assert (result.expansions, result.neighbor_calls) == (1, 0)
        vars(result)["neighbor_calls"] = 1
    return result


@given(problems())
@settings(max_examples=300)
def test_breadth_first_finds_the_fewest_moves(problem: tuple[AnyGraph, int, int]) -> None:
    graph, start, goal = problem
    result = search_bidirectional(graph, start, goal, zero, key=BFS, trace=True)
    check(calls(result, start, goal), graph, start, goal)
    assert result.evaluations == 0
    if result.solved:
        assert result.length == hops_to(graph, goal)[start]


@given(problems())
@settings(max_examples=300)
def test_dijkstra_finds_the_least_cost(problem: tuple[AnyGraph, int, int]) -> None:
    graph, start, goal = problem
    result = search_bidirectional(graph, start, goal, zero, key=ASTAR, trace=True)
    check(calls(result, start, goal), graph, start, goal)
    assert result.cost == pytest.approx(costs_to(graph, goal)[start], rel=CLOSE)


@given(problems(), st.sampled_from([landmarks, octile]))
@settings(max_examples=300)
def test_a_star_finds_the_least_cost(
    problem: tuple[AnyGraph, int, int], heuristic: Heuristic
) -> None:
    graph, start, goal = problem
    heuristic = heuristic if graph.is_grid else landmarks
    result = search_bidirectional(graph, start, goal, heuristic, key=ASTAR, trace=True)
    check(calls(result, start, goal), graph, start, goal)
    assert result.cost == pytest.approx(costs_to(graph, goal)[start], rel=CLOSE)


def test_costs_are_least_on_larger_weighted_graphs() -> None:
    random = np.random.default_rng(3)
    for number in range(60):
        places = random.random((200, 2))
        edges = random.integers(0, 200, (500, 2))
        lengths = np.linalg.norm(np.subtract(*places[edges.T]), axis=1)
        weights = lengths * (1 + random.exponential(0.3, 500)) + 1e-6
        graph = Graph.from_edges(200, edges, places, weights=weights, directed=number % 2 == 0)
        least = costs_to(graph, 7)[0]
        for heuristic in (zero, euclidean, landmarks):
            result = search_bidirectional(graph, 0, 7, heuristic, key=ASTAR)
            assert result.cost == pytest.approx(least, rel=1e-6)


@given(problems(), st.integers(0, 2**32), st.sampled_from([GREEDY, ASTAR]))
@settings(max_examples=300)
def test_any_values_lead_to_a_path(problem: tuple[AnyGraph, int, int], seed: int, key: Key) -> None:
    graph, start, goal = problem
    random = np.random.default_rng(seed)
    values = random.normal(size=graph.size) * 10
    values[random.random(graph.size) < 0.2] = random.choice([np.inf, -np.inf])
    result = search_bidirectional(graph, start, goal, table(values), key=key, trace=True)
    check(calls(result, start, goal), graph, start, goal)


@given(problems(), st.sampled_from([zero, euclidean, oracle]), st.sampled_from([GREEDY, ASTAR]))
@settings(max_examples=200)
def test_heuristics_in_python_search_the_same(
    problem: tuple[AnyGraph, int, int], heuristic: Heuristic, key: Key
) -> None:
    compiled, asked = (
        facts(search_bidirectional(*problem, each, key=key, trace=True))
        for each in (heuristic, WithoutLoop(heuristic))
    )
    assert compiled == asked


@pytest.mark.parametrize("preset", PRESETS)
def test_learned_heuristics_guide_both_halves(preset: str) -> None:
    grid = GridGraph(np.random.default_rng(1).random((20, 20)) < 0.8)
    start, goal = (int(node) for node in np.flatnonzero(grid.free)[[0, -1]])
    heuristic = random_heuristic(PRESETS[preset])
    results = [
        facts(search_bidirectional(grid, start, goal, each, trace=True))
        for each in (heuristic, WithoutLoop(heuristic))
    ]
    assert results[0] == results[1]


def star(*, directed: bool) -> Graph:
    """A start with many neighbours, joined to a goal with one."""
    edges = [(0, k) for k in range(1, 50)] + [(1, 50), (50, 51)]
    return Graph.from_edges(52, edges, np.zeros((52, 1)), directed=directed)


@pytest.mark.parametrize("directed", [False, True])
def test_the_smaller_half_goes_on(directed: bool) -> None:
    result = search_bidirectional(star(directed=directed), 0, 51, zero, key=BFS, trace=True)
    assert result.trace is not None
    assert result.trace.tolist() == [0, 51, 50]
    assert result.path.tolist() == [0, 1, 50, 51]


def test_the_smaller_part_shows_that_there_is_no_path() -> None:
    grid = GridGraph(np.arange(900).reshape(30, 30) != 1)
    island = GridGraph([[True] * 30, [True] * 28 + [False] * 2, [True] * 28 + [False, True]])
    for key in KEYS.values():
        result = search_bidirectional(island, 0, 89, zero, key=key)
        assert (result.outcome, result.lower_bound) == (Outcome.UNREACHABLE, np.inf)
        assert result.expansions <= 3
        assert search_bidirectional(grid, 0, 899, zero, key=key).solved


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_neighbours_are_one_expansion_apart(key: Key) -> None:
    graph = Graph.from_edges(
        3, [(0, 0), (0, 1), (0, 1), (1, 2)], np.zeros((3, 1)), weights=[1, 5, 2, 0]
    )
    result = search_bidirectional(graph, 0, 1, zero, key=key)
    assert (result.path.tolist(), result.cost) == ([0, 1], 2.0)
    assert result.expansions == 1 if key != ASTAR else result.expansions <= 2


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_zero_weights(key: Key) -> None:
    graph = Graph.from_edges(
        6, [(k, k + 1) for k in range(5)], np.zeros((6, 1)), weights=np.zeros(5)
    )
    result = search_bidirectional(graph, 0, 5, zero, key=key)
    assert (result.length, result.cost) == (5, 0.0)


def test_a_long_search_makes_room_and_can_be_cut_into_pieces() -> None:
    grid = GridGraph(np.random.default_rng(0).random((150, 150)) < 0.9)
    start, goal = (int(node) for node in np.flatnonzero(grid.free)[[0, -1]])
    for key in KEYS.values():
        whole = search_bidirectional(grid, start, goal, zero, key=key, trace=True)
        assert whole.solved
        assert whole.expansions > 4096
        pieces = search_bidirectional(
            grid, start, goal, zero, key=key, trace=True, limits=Limits(seconds=1e9)
        )
        assert facts(whole) == facts(pieces)
        assert (
            search_bidirectional(grid, start, goal, zero, limits=Limits(seconds=0)).expansions == 0
        )


def test_states_are_as_good_as_new_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = StatePool()
    monkeypatch.setattr(loop, "_pool", pool)
    grid = GridGraph([[True] * 9] * 9)
    alone = facts(search(grid, 0, 80, euclidean, trace=True))
    for _ in range(3):
        search_bidirectional(grid, 0, 80, euclidean, trace=True)
        assert facts(search(grid, 0, 80, euclidean, trace=True)) == alone
        one, other = pool._free
        assert one.counters is not other.counters
        assert (one.trace.size, other.trace.size) == (0, 0)


def test_nan_is_refused() -> None:
    bad = PythonHeuristic(lambda expansion: np.full(expansion.new.size, np.nan))
    grid = GridGraph([[True] * 9] * 9)
    for key in (GREEDY, ASTAR):
        with pytest.raises(InputError, match="gave NaN for node"):
            search_bidirectional(grid, 0, 80, bad, key=key)


def test_guides_see_their_own_half() -> None:
    shown: list[Expansion] = []

    ends: list[tuple[int, int]] = []

    class Spy:
        name = "spy"

        def begin(self, graph: Any, start: int, goal: int) -> Any:
            ends.append((start, goal))
            return PythonHeuristic(self.score).begin(graph, start, goal)

        def score(self, expansion: Expansion) -> Any:
            shown.append(expansion)
            return np.zeros(expansion.new.size)

    path = Graph.from_edges(6, [(k, k + 1) for k in range(5)], np.zeros((6, 1)), directed=True)
    assert search_bidirectional(path, 0, 5, Spy()).path.tolist() == [0, 1, 2, 3, 4, 5]
    assert ends == [(0, 5), (5, 0)]
    assert [(each.node, each.new.tolist(), each.count) for each in shown] == [
        (0, [1], 1),
        (5, [4], 2),
        (1, [2], 3),
        (4, [3], 4),
        (2, [3], 5),
    ]


def test_what_cannot_be_searched_is_refused() -> None:
    numbers = ImplicitGraph(lambda number: [number + 1])
    with pytest.raises(InputError, match="follows edges backwards"):
        search_bidirectional(numbers, 0, 3, zero)
    with pytest.raises(InputError, match="takes the key GREEDY, ASTAR or BFS"):
        search_bidirectional(GridGraph([[True]]), 0, 0, zero, key=Key(g=1.0, h=2.0))


def test_promises() -> None:
    grid, plain = GridGraph([[True] * 3] * 3), GridGraph([[True] * 3] * 3, connectivity=4)
    for text, on_grid, on_plain in (
        ("bibfs", np.inf, 1.0),
        ("bidijkstra", 1.0, 1.0),
        ("biastar", 1.0, 1.0),
        ("biastar(manhattan)", np.inf, np.inf),
        ("bidirectional(octile)", np.inf, np.inf),
    ):
        method = parse_method(text)
        assert (method.promise([grid]), method.promise([plain])) == (on_grid, on_plain)
        assert method.search(Problem(grid, 0, 8)).solved
        with pytest.raises(InputError, match="takes no bound"):
            method.with_bound(1.5)
        with pytest.raises(InputError, match="finds one path only"):
            method.anytime(Problem(grid, 0, 8))


def test_the_cheapest_edge() -> None:
    edges = [(0, 1), (1, 2)]
    assert cheapest_edge(Graph.from_edges(3, edges, np.zeros((3, 1)))) == 1.0
    assert cheapest_edge(GridGraph([[True] * 2] * 2, diagonal_cost=0.5)) == 0.5
    weighted = Graph.from_edges(3, edges, np.zeros((3, 1)), weights=[0.25, 3])
    assert [cheapest_edge(weighted) for _ in range(2)] == [0.25, 0.25]
    assert cheapest_edge(Graph.from_edges(1, [], np.zeros((1, 1)), weights=[])) == np.inf


def test_dijkstra_expands_less_from_both_ends() -> None:
    grid = GridGraph([[True] * 61] * 61)
    middle = grid.node(30, 15), grid.node(30, 45)
    both = search_bidirectional(grid, *middle, zero, key=ASTAR)
    assert both.expansions < 0.7 * search(grid, *middle, zero, key=ASTAR).expansions
