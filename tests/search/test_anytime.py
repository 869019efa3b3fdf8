"""Anytime search: better and better paths, until one is good enough or a limit is reached."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phil.errors import InputError
from phil.graphs import AnyGraph, Graph, GridGraph
from phil.graphs.distances import costs_to
from phil.heuristics.classical import euclidean, zero
from phil.heuristics.node_value import TableHeuristic
from phil.search import ASTAR, GREEDY, Key, Limits, Outcome, Result, anytime, loop, search
from phil.search.guide import WithoutLoop
from phil.search.state import StatePool
from tests.guides import facts
from tests.strategies import problems

KEYS = {"greedy": GREEDY, "astar": ASTAR, "deep": Key(g=0.0, h=1.0, depth=-1.0)}
CLOSE = 1 + 1e-9


def check(results: list[Result], bound: float, least: float) -> None:
    """Costs fall; only the last result may repeat a path, with more proven; it is good enough."""
    assert results
    if np.isinf(least):
        assert [result.outcome for result in results] == [Outcome.UNREACHABLE]
        return
    assert all(result.solved for result in results)
    steps = list(pairwise(results))
    for number, (before, after) in enumerate(steps, start=1):
        assert after.cost < before.cost or (number == len(steps) and after.cost == before.cost)
        assert after.expansions > before.expansions
        assert after.lower_bound >= before.lower_bound / CLOSE
    assert 1 <= results[-1].proven <= bound * CLOSE
    if bound < np.inf:
        assert results[-1].cost <= bound * least * CLOSE
    assert all(result.lower_bound <= least * CLOSE for result in results)


@given(
    problems(),
    st.integers(0, 2**32),
    st.sampled_from(list(KEYS)),
    st.sampled_from([1.0, 1.2, 2.0, np.inf]),
)
@settings(max_examples=300)
def test_paths_get_better_until_the_bound(
    problem: tuple[AnyGraph, int, int], seed: int, name: str, bound: float
) -> None:
    graph, start, goal = problem
    heuristic = TableHeuristic(np.random.default_rng(seed).normal(size=graph.size))
    results = list(anytime(*problem, heuristic, bound=bound, key=KEYS[name]))
    check(results, bound, costs_to(graph, goal)[start])
    first = search(*problem, heuristic, key=KEYS[name], bound=np.inf)
    assert facts(results[0]) == facts(first)
    if KEYS[name].depth == 0:
        assert first.expansions == search(*problem, heuristic, key=KEYS[name]).expansions


def test_random_maps() -> None:
    random = np.random.default_rng(4)
    for number in range(40):
        free = random.random((25, 30)) < 0.7
        free[24, 0] = free[0, 29] = True
        grid = GridGraph(free, connectivity=(4, 8)[number % 2])
        heuristic = TableHeuristic(random.random(grid.size))
        for bound in (1.0, 1.5):
            results = list(anytime(grid, (24, 0), (0, 29), heuristic, bound=bound))
            check(results, bound, costs_to(grid, 29)[grid.node(24, 0)])


def ladder() -> tuple[Graph, TableHeuristic]:
    """Five ways from 0 to 6 by way of one node each; the dearer the way, the better it looks."""
    ways = range(1, 6)
    edges = [*((0, way) for way in ways), *((way, 6) for way in ways)]
    weights = [*(8.0 - way for way in ways), *(3.0 * way for way in ways)]
    values = np.array([0.0, *(6.0 - way for way in ways), 0.0])
    graph = Graph.from_edges(7, edges, np.zeros((7, 1)), weights=weights, directed=True)
    return graph, TableHeuristic(values)


def test_every_better_path_is_given_as_it_is_met() -> None:
    graph, heuristic = ladder()
    results = list(anytime(graph, 0, 6, heuristic, lower=zero))
    assert [result.cost for result in results] == [18.0, 16.0, 14.0, 12.0, 10.0]
    assert [result.path.tolist() for result in results] == [[0, way, 6] for way in (5, 4, 3, 2, 1)]
    assert [result.lower_bound for result in results] == [4.0, 5.0, 6.0, 7.0, 10.0]
    assert [result.cost for result in anytime(graph, 0, 6, heuristic, bound=2.5, lower=zero)] == [
        18,
        16,
        14,
    ]


def test_results_in_python_and_compiled_are_the_same() -> None:
    graph, heuristic = ladder()
    compiled, python = (
        [facts(result) for result in anytime(graph, 0, 6, guided, trace=True)]
        for guided in (heuristic, WithoutLoop(heuristic))
    )
    assert compiled == python


def test_a_trace_goes_on() -> None:
    traces = [result.trace for result in anytime(*_ladder_ends(), trace=True)]
    assert all(trace is not None for trace in traces)
    for before, after in pairwise(trace.tolist() for trace in traces if trace is not None):
        assert after[: len(before)] == before
        assert after[-1] == 6


def _ladder_ends() -> tuple[Graph, int, int, TableHeuristic]:
    graph, heuristic = ladder()
    return graph, 0, 6, heuristic


def test_a_limit_ends_it_with_what_is_proven() -> None:
    whole = list(anytime(*_ladder_ends(), lower=zero))
    counts = [result.expansions for result in whole]
    assert counts == [3, 5, 7, 9, 11]
    for most in range(12):
        cut = list(anytime(*_ladder_ends(), lower=zero, limits=Limits(most)))
        if most < counts[0]:
            assert [(result.outcome, result.expansions) for result in cut] == [
                (Outcome.LIMIT, most)
            ]
            continue
        assert [result.cost for result in cut if result.expansions in counts] == [
            result.cost for result in whole if result.expansions <= most
        ]
        assert cut[-1].expansions == most
        assert cut[-1].solved
        assert cut[-1].proven >= 1


def test_a_limit_of_seconds_ends_it() -> None:
    late = list(anytime(*_ladder_ends(), limits=Limits(seconds=0.0), trace=True))
    assert [(result.outcome, result.expansions) for result in late] == [(Outcome.LIMIT, 0)]
    ample = anytime(*_ladder_ends(), limits=Limits(seconds=1e9))
    assert [facts(result) for result in ample] == [
        facts(result) for result in anytime(*_ladder_ends())
    ]


@pytest.mark.parametrize("bound", [1.0, 2.0])
def test_one_result_is_enough_where_nothing_can_be_better(bound: float) -> None:
    grid = GridGraph([[True, True, False, True]])
    for goal, outcome in ((0, Outcome.SOLVED), (1, Outcome.SOLVED), (3, Outcome.UNREACHABLE)):
        results = list(anytime(grid, 0, goal, euclidean, bound=bound))
        assert [result.outcome for result in results] == [outcome]


def test_an_infinite_bound_is_met_by_the_first_path() -> None:
    assert [result.cost for result in anytime(*_ladder_ends(), bound=np.inf)] == [18.0]


def test_working_room_is_given_back_when_it_is_left_early(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = StatePool()
    monkeypatch.setattr(loop, "_pool", pool)
    started = anytime(*_ladder_ends())
    assert not pool._free
    next(started)
    [lent] = pool._free  # to look for the first path
    started.close()
    assert lent in pool._free
    assert len(pool._free) == 2
    anytime(*_ladder_ends()).close()
    assert len(pool._free) == 2


def test_two_at_once_do_not_disturb_each_other() -> None:
    alone = [facts(result) for result in anytime(*_ladder_ends())]
    both = zip(anytime(*_ladder_ends()), anytime(*_ladder_ends()), strict=True)
    assert [[facts(one), facts(two)] for one, two in both] == [[each, each] for each in alone]


def test_what_is_wrong_is_said_at_once() -> None:
    grid = GridGraph([[True, True]])
    with pytest.raises(InputError, match="at least 1"):
        anytime(grid, 0, 1, zero, bound=0.5)
    with pytest.raises(InputError, match="goal 2 is off the map"):
        anytime(grid, 0, 2, zero)
