"""Methods: a key with a heuristic, what it promises, and what it passes on to a search."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs import Graph, GridGraph
from phil.heuristics.classical import euclidean, zero
from phil.problems.problem import Problem
from phil.search import ASTAR, BFS, GREEDY, Key, Limits, Outcome, Result
from phil.search.method import Method, OwnSearch
from tests.guides import table

GRID = GridGraph(np.ones((6, 6), bool))
CHEAP_DIAGONALS = GridGraph(np.ones((6, 6), bool), diagonal_cost=1.0)
# A chain from 0 to 9, and a short cut by way of 10, which looks bad.
CHAIN = [(node, node + 1) for node in range(9)]
LOOP = Graph.from_edges(11, [*CHAIN, (0, 10), (10, 9)], np.zeros((11, 1)), directed=True)
LONG_WAY = table(np.where(np.arange(11) == 10, np.inf, 0.0))


@pytest.mark.parametrize(
    ("key", "most"),
    [
        (ASTAR, 1.0),
        (Key(g=1.0, h=3.0), 3.0),
        (Key(g=1.0, h=0.5), 1.0),
        (Key(g=1.0, h=0.0), 1.0),  # Dijkstra
        (Key(g=1.0, h=-0.5), inf),
        (Key(g=1.0, h=1.0, depth=0.1), inf),
        (Key(g=0.5, h=1.0), inf),
        (GREEDY, inf),
    ],
)
def test_what_a_key_promises_with_an_admissible_heuristic(key: Key, most: float) -> None:
    method = Method("", key, euclidean)
    assert method.promise([GRID]) == method.promise([GRID, GRID]) == most
    assert method.promise([GRID, CHEAP_DIAGONALS]) == inf  # where it is not admissible


def test_breadth_first_search_is_optimal_where_all_moves_cost_the_same() -> None:
    method = Method("", BFS, zero)
    no_edge = Graph.from_edges(3, [], weights=[])
    one_edge = Graph.from_edges(2, [(0, 1)], weights=[2.0], directed=True)
    assert method.promise([CHEAP_DIAGONALS, LOOP, no_edge, one_edge]) == 1.0
    assert method.promise([CHEAP_DIAGONALS, GRID]) == inf


def test_a_bound_is_promised_and_kept() -> None:
    problem, plain = Problem(LOOP, 0, 9), Method("mine", GREEDY, LONG_WAY)
    assert plain.search(problem).cost == 9.0
    bounded = plain.with_bound(2.0)
    assert (bounded.promise([LOOP]), bounded.search(problem).cost) == (2.0, 2.0)
    assert [result.cost for result in plain.anytime(problem)] == [9.0, 2.0]
    assert [result.cost for result in plain.with_bound(9.0).anytime(problem)] == [9.0]
    with pytest.raises(InputError, match="the method 'mine' has a bound of its own"):
        bounded.with_bound(2.0)


def test_limits_and_traces_reach_the_search() -> None:
    problem, method = Problem(LOOP, 0, 9), Method("mine", GREEDY, LONG_WAY)
    few = Limits(expansions=3)
    assert method.search(problem, few).outcome is Outcome.LIMIT
    assert [result.outcome for result in method.anytime(problem, few)] == [Outcome.LIMIT]
    assert method.search(problem).trace is None
    assert next(method.anytime(problem)).trace is None
    for result in (method.search(problem, trace=True), next(method.anytime(problem, trace=True))):
        assert result.trace is not None
        assert result.trace.tolist() == list(range(10))


class Own:
    """A search of a user's own: the method that it is given, which it may bound."""

    text = "own"

    def __init__(self, inner: Method) -> None:
        self.inner = inner

    def search(
        self, problem: Problem, limits: Limits | None = None, *, trace: bool = False
    ) -> Result:
        return self.inner.search(problem, limits, trace=trace)


class Bounded(Own):
    bound = 1.5


def test_a_search_of_ones_own_promises_what_it_declares() -> None:
    plain = Method("inner", GREEDY, LONG_WAY)
    own, bounded = (OwnSearch("own(zero)", kind(plain), (zero,)) for kind in (Own, Bounded))
    assert (own.bound, own.promise([LOOP])) == (None, inf)
    assert (bounded.bound, bounded.promise([LOOP])) == (1.5, 1.5)


def test_a_search_of_ones_own_finds_one_path() -> None:
    problem = Problem(LOOP, 0, 9)
    own = OwnSearch("own(zero)", Own(Method("inner", GREEDY, LONG_WAY)), (zero,))
    assert own.search(problem).trace is None
    assert own.search(problem, Limits(expansions=3)).outcome is Outcome.LIMIT
    traced = own.search(problem, trace=True).trace
    assert traced is not None
    assert traced.tolist() == list(range(10))
    with pytest.raises(InputError, match=r"^the method 'own\(zero\)' finds one path only"):
        own.anytime(problem)
    with pytest.raises(InputError, match=r"^the method 'own\(zero\)' takes no bound"):
        own.with_bound(2.0)
