"""Best-first search: counting, outcomes, order, optimality and the contract with guides."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import AnyGraph, Graph, GridGraph, SearchedGraph
from phil.graphs.distances import costs_to, hops_to
from phil.heuristics.classical import euclidean, manhattan, octile, oracle, zero
from phil.heuristics.novelty import Novelty
from phil.search import (
    ASTAR,
    BFS,
    GREEDY,
    Key,
    Limits,
    Outcome,
    anytime,
    search,
    search_many,
    search_mha,
)
from phil.search.guide import Expansion, Heuristic, WithoutLoop
from tests.guides import PythonHeuristic, RevisingPythonGuide, facts, table
from tests.strategies import edge_costs, graphs, grids, node_ids, problems

KEYS = {
    "greedy": GREEDY,
    "astar": ASTAR,
    "fifo": Key(g=1.0, h=1.0, ties_to_goal=False),
    "bfs": BFS,
    "mixed": Key(g=0.5, h=2.0, depth=0.25),
}


def moves(graph: AnyGraph, node: int) -> Iterator[tuple[int, float]]:
    """The moves from a node in their order."""
    if isinstance(graph, GridGraph):
        for other in graph.neighbors(node).tolist():
            axes = np.count_nonzero(np.subtract(graph.cell(other), graph.cell(node)))
            yield other, (0.0, 1.0, graph.diagonal_cost, 3**0.5)[axes]
        return
    for edge in range(graph.indptr[node], graph.indptr[node + 1]):
        yield int(graph.indices[edge]), 1.0 if graph.weights is None else float(graph.weights[edge])


def plain_search(
    graph: AnyGraph, start: int, goal: int, h: NDArray[np.float64], key: Key
) -> tuple[list[int], int]:
    """The rule of the search in its simplest form: the nodes expanded and how many again."""
    g, depth, order = {start: 0.0}, {start: 0}, {start: 0}
    opened, trace, entered = {start}, list[int](), 1

    # Equal up to rounding is equal: then the lower value comes first.
    weight = key.h * (1 + 1e-12) if key.ties_to_goal and key.g > 0 and key.h > 0 else key.h

    def rank(node: int) -> tuple[float, int]:
        value = 0.0 if node == start else h[node]
        return key.g * g[node] + key.depth * depth[node] + weight * value, order[node]

    while opened:
        node = min(opened, key=rank)
        opened.remove(node)
        trace.append(node)
        if node == goal:
            break
        fresh = list[int]()
        for other, cost in moves(graph, node):
            through = g[node] + cost
            if other in g and (key.g == 0 or through >= (1 - 1e-12) * g[other]):
                continue
            if other in g and other not in fresh:
                opened.add(other)
                order[other] = entered
                entered += 1
            elif other not in g:
                fresh.append(other)
            g[other], depth[other] = through, depth[node] + 1
        for other in fresh:
            order[other] = entered
            entered += 1
        opened.update(fresh)
    return trace, len(trace) - len(set(trace))


@given(problems(), st.integers(0, 2**32), st.sampled_from(list(KEYS)))
@settings(max_examples=300)
def test_the_order_of_expansions_follows_the_rule(
    problem: tuple[AnyGraph, int, int], seed: int, name: str
) -> None:
    graph, start, goal = problem
    # Few different values, so that ties are common.
    h = np.random.default_rng(seed).integers(0, 5, graph.size) / 2.0
    result = search(graph, start, goal, table(h), key=KEYS[name], trace=True)
    trace, again = plain_search(graph, start, goal, h, KEYS[name])
    assert result.trace is not None
    assert result.trace.tolist() == trace
    assert (result.expansions, result.reopened) == (len(trace), again)
    assert result.solved == (trace[-1] == goal)
    assert again == 0 or KEYS[name].g > 0


@pytest.mark.parametrize("diagonal_cost", [1.0, 2**0.5])
def test_astar_breaks_ties_towards_the_goal(diagonal_cost: float) -> None:
    # Every node of the box between start and goal has the same key, up to rounding.
    grid = GridGraph(np.ones((40, 90), bool), diagonal_cost=diagonal_cost)
    for key in (ASTAR, Key(g=1.0, h=1.0, reopen=False)):
        result = search(grid, (0, 0), (39, 89), octile, key=key)
        assert result.expansions == 1 + result.length == 90


@given(problems(), st.integers(0, 2**32), st.sampled_from(list(KEYS)))
def test_counts_path_and_cost_fit_together(
    problem: tuple[AnyGraph, int, int], seed: int, name: str
) -> None:
    graph, start, goal = problem
    seen: list[Expansion] = []
    h = np.random.default_rng(seed).random(graph.size) * 10

    def score(expansion: Expansion) -> NDArray[np.float64]:
        seen.append(expansion)
        return h[expansion.new]

    result = search(graph, start, goal, PythonHeuristic(score), key=KEYS[name], trace=True)
    assert result.trace is not None
    assert result.trace[0] == start
    assert (
        result.expansions == result.trace.size == len(set(result.trace.tolist())) + result.reopened
    )
    discovered = [int(node) for expansion in seen for node in expansion.new]
    assert len({start, *discovered}) == 1 + len(discovered) == result.generated
    assert result.evaluations == len(discovered)
    assert len(seen) == result.expansions - result.solved
    assert result.neighbor_calls == len({expansion.node for expansion in seen})
    assert result.lookahead_calls == 0
    assert [expansion.count for expansion in seen] == list(range(1, len(seen) + 1))
    assert [expansion.node for expansion in seen] == result.trace.tolist()[: len(seen)]
    if result.solved:
        costs = edge_costs(graph)
        steps = list(zip(result.path.tolist(), result.path.tolist()[1:], strict=False))
        assert (result.path[0], result.path[-1]) == (start, goal)
        assert len(set(result.path.tolist())) == result.path.size == result.length + 1
        assert result.cost == pytest.approx(sum(costs[step] for step in steps), abs=1e-9)
        assert result.trace[-1] == goal
    else:
        assert result.outcome is Outcome.UNREACHABLE
        assert np.isinf(hops_to(graph, goal)[start])
        assert (result.cost, result.path.size, result.length) == (np.inf, 0, 0)


@given(problems())
def test_what_a_guide_is_shown(problem: tuple[AnyGraph, int, int]) -> None:
    graph, start, goal = problem
    g, depth = {start: 0.0}, {start: 0}

    def score(expansion: Expansion) -> NDArray[np.float64]:
        firsts: dict[int, float] = {}
        for other, cost in moves(graph, expansion.node):
            firsts.setdefault(other, cost)
        for node, cost, steps in zip(expansion.new, expansion.g, expansion.depth, strict=True):
            assert cost == pytest.approx(g[expansion.node] + firsts[int(node)])
            assert steps == depth[expansion.node] + 1
            g[int(node)], depth[int(node)] = float(cost), int(steps)
        return -expansion.depth.astype(float)

    search(graph, start, goal, PythonHeuristic(score))


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_start_is_goal(key: Key) -> None:
    for graph in (GridGraph([[True]]), GridGraph(np.ones((3, 4), bool))):
        result = search(graph, 0, 0, euclidean, key=key, trace=True)
        assert result.outcome is Outcome.SOLVED
        assert (result.expansions, result.path.tolist(), result.cost) == (1, [0], 0.0)
        assert (result.generated, result.evaluations, result.neighbor_calls) == (1, 0, 0)
        assert result.trace is not None
        assert result.trace.tolist() == [0]


def test_start_and_goal_are_counted() -> None:
    row = GridGraph(np.ones((1, 7), bool))
    assert search(row, 0, 6, euclidean).expansions == 7
    assert search(row, (0, 2), (0, 3), euclidean).expansions == 2


def test_a_goal_behind_a_wall_is_unreachable() -> None:
    grid = GridGraph([[True, True, False, True]])
    for key in KEYS.values():
        result = search(grid, 0, 3, euclidean, key=key)
        assert (result.outcome, result.expansions) == (Outcome.UNREACHABLE, 2)


def test_edges_are_followed_one_way() -> None:
    graph = Graph.from_edges(3, [(0, 1), (1, 2)], np.zeros((3, 1)), directed=True)
    assert search(graph, 0, 2, zero).path.tolist() == [0, 1, 2]
    assert search(graph, 2, 0, zero).outcome is Outcome.UNREACHABLE


@given(problems(), st.sampled_from(list(KEYS)), st.data())
def test_a_limit_cuts_a_search_off_exactly(
    problem: tuple[AnyGraph, int, int], name: str, data: st.DataObject
) -> None:
    graph, start, goal = problem
    whole = search(graph, start, goal, euclidean, key=KEYS[name], trace=True)
    assert whole.trace is not None
    enough = whole.expansions + (not whole.solved)
    for heuristic in (euclidean, WithoutLoop(euclidean)):
        free = search(
            graph, start, goal, heuristic, key=KEYS[name], limits=Limits(enough), trace=True
        )
        assert facts(free) == facts(whole)
        most = data.draw(st.integers(0, whole.expansions - 1))
        cut = search(graph, start, goal, heuristic, key=KEYS[name], limits=Limits(most), trace=True)
        assert (cut.outcome, cut.expansions) == (Outcome.LIMIT, most)
        assert (cut.cost, cut.path.size) == (np.inf, 0)
        assert cut.trace is not None
        assert cut.trace.tolist() == whole.trace.tolist()[:most]


def test_a_limit_of_seconds() -> None:
    grid = GridGraph(np.ones((300, 300), bool))
    whole = search(grid, (299, 0), (0, 299), zero, key=BFS)
    none = search(grid, (299, 0), (0, 299), zero, key=BFS, limits=Limits(seconds=0.0))
    assert none.outcome is Outcome.LIMIT
    assert none.expansions < whole.expansions / 2
    ample = search(grid, (299, 0), (0, 299), zero, key=BFS, limits=Limits(seconds=1e9))
    assert facts(ample) == facts(whole)


def test_a_limit_of_seconds_is_looked_at_after_every_expansion_of_a_slow_guide() -> None:
    def slow(expansion: Expansion) -> NDArray[np.float64]:
        time.sleep(0.01)
        return np.zeros(expansion.new.size)

    grid = GridGraph(np.ones((9, 9), bool))
    limits = Limits(seconds=0.005)
    for result in (
        search(grid, 0, 80, PythonHeuristic(slow), limits=limits),
        search_mha(grid, 0, 80, [PythonHeuristic(slow), zero], limits=limits),
    ):
        assert result.outcome is Outcome.LIMIT
        assert result.expansions <= 2


def test_a_long_trace_is_whole() -> None:
    grid = GridGraph(np.ones((150, 150), bool))
    plain = search(grid, (149, 0), (0, 149), euclidean, key=ASTAR)
    traced = search(grid, (149, 0), (0, 149), zero, key=ASTAR, trace=True)
    assert plain.trace is None
    assert traced.trace is not None
    assert traced.trace.size == traced.expansions > 3 * 4096
    assert sorted(traced.trace) == sorted(set(traced.trace.tolist()))


@given(problems())
def test_astar_and_dijkstra_are_optimal(problem: tuple[AnyGraph, int, int]) -> None:
    graph, start, goal = problem
    best = costs_to(graph, goal)[start]
    admissible: list[Heuristic] = [zero, euclidean] if isinstance(graph, GridGraph) else [zero]
    for heuristic in admissible:
        assert search(graph, start, goal, heuristic, key=ASTAR).cost == pytest.approx(best)


@given(problems(), st.integers(0, 2**32))
@settings(max_examples=300)
def test_astar_is_optimal_with_any_admissible_heuristic(
    problem: tuple[AnyGraph, int, int], seed: int
) -> None:
    graph, start, goal = problem
    best = costs_to(graph, goal)
    shrunk = np.random.default_rng(seed).random(graph.size) * best  # admissible, not consistent
    shrunk[~np.isfinite(best)] = np.inf
    assert search(graph, start, goal, table(shrunk), key=ASTAR).cost == pytest.approx(best[start])


def detour() -> tuple[Graph, NDArray[np.float64]]:
    """0 -> 1 -> 3 -> 4, and 0 -> 2 -> 1 is cheaper than 0 -> 1; by the values, 2 looks bad."""
    edges = [(0, 1), (0, 2), (2, 1), (1, 3), (3, 4)]
    weights = [4.0, 1.0, 1.0, 1.0, 10.0]
    graph = Graph.from_edges(5, edges, np.zeros((5, 1)), weights=weights, directed=True)
    return graph, np.array([0.0, 0.0, 9.0, 0.0, 0.0])


def test_astar_opens_a_node_again_for_a_better_path() -> None:
    graph, h = detour()
    result = search(graph, 0, 4, table(h), key=ASTAR, trace=True)
    assert result.trace is not None
    assert result.trace.tolist() == [0, 1, 3, 2, 1, 3, 4]
    assert (result.reopened, result.expansions, result.cost) == (2, 7, 13.0)
    assert search(graph, 0, 4, table(h), key=GREEDY).reopened == 0


def test_a_key_can_leave_closed_nodes_closed() -> None:
    graph, h = detour()
    result = search(graph, 0, 4, table(h), key=Key(1.0, 1.0, reopen=False), trace=True)
    assert result.trace is not None
    assert result.trace.tolist() == [0, 1, 3, 2, 4]
    assert (result.reopened, result.cost, result.path.tolist()) == (0, 15.0, [0, 1, 3, 4])


@given(grids(), st.data(), st.sampled_from([1.0, 1.5, 3.0]))
def test_weighted_astar_keeps_its_bound_without_opening_nodes_again(
    grid: GridGraph, data: st.DataObject, weight: float
) -> None:
    start, goal = (data.draw(st.sampled_from(node_ids(grid))) for _ in range(2))
    result = search(grid, start, goal, euclidean, key=Key(1.0, weight, reopen=False), trace=True)
    assert result.reopened == 0
    assert result.trace is not None
    assert np.unique(result.trace).size == result.trace.size
    least = costs_to(grid, goal)[start]
    assert result.solved == np.isfinite(least)
    assert not result.solved or result.cost <= weight * least * (1 + 1e-9)


def test_the_cheaper_of_two_parallel_edges_counts() -> None:
    edges, weights = [(0, 1), (0, 1), (0, 1), (1, 2)], [5.0, 1.0, 3.0, 1.0]
    graph = Graph.from_edges(3, edges, np.zeros((3, 1)), weights=weights, directed=True)
    for key in KEYS.values():
        result = search(graph, 0, 2, zero, key=key, trace=True)
        assert (result.expansions, result.generated, result.reopened) == (3, 3, 0)
        assert result.cost == 2.0


def test_a_reported_cost_is_that_of_the_reported_path() -> None:
    # The key counts moves, so the goal is closed before 0 -> 2 -> 3 -> 1, cheaper but longer than
    # 0 -> 1, has reached it.
    edges = [(0, 1), (1, 4), (0, 2), (2, 3), (3, 1)]
    weights = [10.0, 1.0, 1.0, 1.0, 1.0]
    graph = Graph.from_edges(5, edges, np.zeros((5, 1)), weights=weights, directed=True)
    h = np.array([0.0, 0.0, 50.0, 0.0, 50.0])
    result = search(graph, 0, 4, table(h), key=Key(g=1.0, h=1.0, depth=100.0))
    assert (result.path.tolist(), result.cost) == ([0, 2, 3, 1, 4], 4.0)


@given(problems())
def test_bfs_takes_no_notice_of_values(problem: tuple[AnyGraph, int, int]) -> None:
    graph, start, goal = problem
    plain = search(graph, start, goal, zero, key=BFS, trace=True)
    for heuristic in (oracle, table(np.full(graph.size, np.inf))):
        assert facts(search(graph, start, goal, heuristic, key=BFS, trace=True)) == facts(plain)


@given(problems())
def test_bfs_finds_a_path_of_fewest_moves(problem: tuple[AnyGraph, int, int]) -> None:
    graph, start, goal = problem
    result = search(graph, start, goal, zero, key=BFS)
    hops = hops_to(graph, goal)[start]
    assert (result.length if result.solved else np.inf) == hops


@given(graphs(directed=False), st.data())
def test_solved_means_that_networkx_finds_a_path_too(graph: Graph, data: st.DataObject) -> None:
    start, goal = (data.draw(st.integers(0, graph.size - 1)) for _ in "ab")
    other = nx.Graph([*edge_costs(graph), *((node, node) for node in range(graph.size))])
    assert search(graph, start, goal, euclidean).solved == nx.has_path(other, start, goal)


@given(problems())
def test_the_oracle_expands_a_shortest_path_and_nothing_else(
    problem: tuple[AnyGraph, int, int],
) -> None:
    graph, start, goal = problem
    result = search(graph, start, goal, oracle)
    assume(result.solved)
    assert result.expansions == result.length + 1 == hops_to(graph, goal)[start] + 1


@given(problems(), st.sampled_from(list(KEYS)))
@pytest.mark.parametrize("heuristic", [euclidean, manhattan, zero, oracle], ids=lambda h: h.name)
def test_python_and_compiled_loops_agree(
    heuristic: Heuristic, problem: tuple[AnyGraph, int, int], name: str
) -> None:
    graph, start, goal = problem
    compiled = search(graph, start, goal, heuristic, key=KEYS[name], trace=True)
    python = search(graph, start, goal, WithoutLoop(heuristic), key=KEYS[name], trace=True)
    assert facts(compiled) == facts(python)


@given(st.lists(problems(), min_size=2, max_size=5))
def test_a_search_does_not_depend_on_those_before_it(
    several: list[tuple[AnyGraph, int, int]],
) -> None:
    first = [facts(search(*problem, euclidean, key=ASTAR, trace=True)) for problem in several]
    for problem, expected in zip(reversed(several), reversed(first), strict=True):
        assert facts(search(*problem, euclidean, key=ASTAR, trace=True)) == expected


def test_searches_in_threads_do_not_disturb_each_other() -> None:
    random = np.random.default_rng(5)
    several = []
    for rows, columns in ((40, 60), (90, 20), (64, 64), (10, 100)) * 6:
        free = random.random((rows, columns)) < 0.75
        free[-1, 0] = free[0, -1] = True
        several.append(GridGraph(free))

    def run(grid: GridGraph) -> list[dict[str, object]]:
        goal = grid.node(0, grid.shape[1] - 1)
        start = grid.node(grid.shape[0] - 1, 0)
        return [
            facts(search(grid, start, goal, heuristic, key=key, trace=True))
            for heuristic in (euclidean, oracle, zero)
            for key in (GREEDY, ASTAR)
        ]

    alone = [run(grid) for grid in several]
    with ThreadPoolExecutor(4) as pool:
        for together in (list(pool.map(run, several)) for _ in range(3)):
            assert together == alone


def test_a_guide_that_fails_breaks_no_later_search() -> None:
    grid = GridGraph(np.ones((5, 5), bool))
    before = facts(search(grid, 0, 24, euclidean, trace=True))

    def fail(expansion: Expansion) -> NDArray[np.float64]:
        if expansion.count == 3:
            raise RuntimeError("no value today")
        return np.zeros(expansion.new.size)

    with pytest.raises(RuntimeError, match="no value today"):
        search(grid, 0, 24, PythonHeuristic(fail))
    assert facts(search(grid, 0, 24, euclidean, trace=True)) == before


@pytest.mark.parametrize(
    "bad", [["far"] * 3, [10**400] * 3, [1j] * 3, [[1], [1, 2], []], {"far": 1}], ids=repr
)
def test_values_must_be_numbers(bad: object) -> None:
    heuristic = PythonHeuristic(lambda expansion: bad)  # type: ignore[arg-type, return-value]
    grid = GridGraph(np.ones((2, 2), bool))
    searches: list[Callable[[], object]] = [
        lambda: search(grid, 0, 3, heuristic),
        lambda: search(grid, 0, 3, Novelty(heuristic)),
        lambda: search_mha(grid, 0, 3, [heuristic, zero]),
    ]
    for run in searches:
        with pytest.raises(InputError, match=r"no numbers for the 3 new nodes of expansion 1"):
            run()


class Revising:
    """A heuristic whose values are the nodes' ids, but for one node, which is revised."""

    name = "revising"

    def __init__(self, node: int, value: float) -> None:
        self._revised = np.array([node], np.int32), np.array([value])

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> RevisingPythonGuide:
        return RevisingPythonGuide(
            lambda expansion: expansion.new.astype(np.float64), lambda: self._revised
        )


@pytest.mark.parametrize("node", [-1, 4])
def test_only_nodes_can_be_revised(node: int) -> None:
    with pytest.raises(InputError, match=f"revised node {node}, which does not exist"):
        search(GridGraph(np.ones((2, 2), bool)), 0, 3, Revising(node, 0.0))


def test_a_revised_value_changes_the_order() -> None:
    # From 0 to 4 by way of 1, 2 or 3; 3 is revised as soon as it is met, and later not in OPEN.
    graph = Graph.from_edges(5, [(0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 4)], directed=True)
    plain = search(graph, 0, 4, table(np.arange(5.0)), trace=True)
    for heuristic in (Revising(3, 0.5), WithoutLoop(Revising(3, 0.5))):
        revised = search(graph, 0, 4, heuristic, trace=True)
        assert plain.trace is not None
        assert revised.trace is not None
        assert (plain.trace.tolist(), revised.trace.tolist()) == ([0, 1, 2, 3, 4], [0, 3, 1, 2, 4])
        assert revised.path.tolist() == [0, 3, 4]


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_nan_is_no_value(key: Key) -> None:
    grid = GridGraph(np.ones((4, 4), bool))

    def score(expansion: Expansion) -> NDArray[np.float64]:
        return np.where(expansion.new == 2, np.nan, expansion.new)

    with pytest.raises(InputError, match=r"NaN for node \(0, 2\) at expansion 2"):
        search(grid, 0, 15, PythonHeuristic(score), key=key)


@pytest.mark.parametrize("extra", [-1, 1])
def test_a_guide_must_give_one_value_per_node(extra: int) -> None:
    grid = GridGraph(np.ones((4, 4), bool))

    def score(expansion: Expansion) -> NDArray[np.float64]:
        return np.zeros(expansion.new.size + (extra if expansion.count == 2 else 0))

    with pytest.raises(InputError, match=r"values of shape \(\d,\) for the \d new nodes of exp"):
        search(grid, 0, 15, PythonHeuristic(score))


def test_a_node_that_does_not_exist_is_refused_with_its_role() -> None:
    grid = GridGraph([[True, False]])
    graph = Graph.from_edges(2, [(0, 1)], np.zeros((2, 1)))
    with pytest.raises(InputError, match=r"goal \(0, 1\) is on an obstacle"):
        search(grid, 0, 1, euclidean)
    with pytest.raises(InputError, match="start 2 is off the map"):
        search(grid, 2, 0, euclidean)
    with pytest.raises(InputError, match=r"cell \(1, 0\) is off the map"):
        search(grid, (0, 0), (1, 0), euclidean)
    with pytest.raises(InputError, match="goal 7 is not a node"):
        search(graph, 0, 7, euclidean)
    with pytest.raises(InputError, match=r"\(0, 1\): cells name nodes of grids"):
        search(graph, 0, (0, 1), euclidean)


class Holding:
    """A heuristic whose guides count how often they are closed."""

    name = "holding"

    def __init__(self, value: float = 0.0) -> None:
        self.closed: list[int] = []
        self._value = value

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> HoldingGuide:
        self.closed.append(0)
        return HoldingGuide(self, len(self.closed) - 1, self._value)


class HoldingGuide:
    def __init__(self, owner: Holding, number: int, value: float) -> None:
        self._owner, self._number, self._value = owner, number, value

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        return np.full(expansion.new.size, self._value)

    def close(self) -> None:
        self._owner.closed[self._number] += 1


def test_every_guide_is_closed_once_when_its_search_is_over() -> None:
    grid = GridGraph(np.ones((4, 4), bool))
    holding = Holding()
    search(grid, 0, 15, holding)
    search_many(grid, [(0, 15), (3, 12)], holding, threads=2)
    search_mha(grid, 0, 15, [WithoutLoop(holding), Novelty(holding)])
    results = anytime(grid, 0, 15, holding)
    next(results)
    assert holding.closed == [1, 1, 1, 1, 1, 0]
    results.close()
    assert set(holding.closed) == {1}


def test_guides_are_closed_when_a_search_fails() -> None:
    grid = GridGraph(np.ones((4, 4), bool))
    holding, bad = Holding(), Holding(float("nan"))
    with pytest.raises(InputError, match="NaN"):
        search(grid, 0, 15, bad)
    graph = Graph.from_edges(2, [(0, 1)])
    with pytest.raises(InputError, match="octile"):  # does not begin on a graph
        search_mha(graph, 0, 1, [holding, octile])
    assert holding.closed == bad.closed == [1]
