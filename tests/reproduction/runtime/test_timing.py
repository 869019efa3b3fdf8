"""A search without its heuristic, or called from Python, is still the same search."""

from __future__ import annotations

import numpy as np
import pytest

from phil.evaluation import Method, parse_method
from phil.graphs import SearchedGraph
from phil.heuristics.classical import euclidean
from phil.problems.problem import Problem
from phil.search import GREEDY
from phil.search.guide import Guide
from reproduction.runtime.timing import COMPILED, PYTHON, called, is_compiled, measure, replay
from reproduction.table1.methods import METHODS as OF_TABLE_1
from tests.learning.small import grid_problems
from tests.neural import random_neural_astar

PROBLEMS = grid_problems(2)
TEXTS = [OF_TABLE_1[name].text for name in ("manhattan", "astar", "bfws", "mha")]
METHODS = [
    *(parse_method(text) for text in TEXTS),
    parse_method("phil:forest"),
    Method("neural A*", GREEDY, random_neural_astar()),
]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.text)
@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.name)
def test_the_same_nodes_in_the_same_order(method: Method, problem: Problem) -> None:
    trace = method.search(problem, trace=True).trace
    assert trace is not None
    again = replay(method, problem, trace)
    for same in (again, called(again), called(method)):
        found = same.search(problem, trace=True)
        assert found.trace is not None
        assert np.array_equal(found.trace, trace)
    assert not is_compiled(called(method), problem)


def test_who_has_a_compiled_loop() -> None:
    found = {method.text: is_compiled(method, PROBLEMS[0]) for method in METHODS}
    assert all(found.values())
    mixed = parse_method("mha(euclidean, phil:forest)")
    assert not is_compiled(mixed, PROBLEMS[0])


class Spy:
    """A heuristic that remembers the graphs it was asked to search."""

    name = "spy"

    def __init__(self) -> None:
        self.seen: list[SearchedGraph] = []

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> Guide:
        """The straight line's guide."""
        self.seen.append(graph)
        return euclidean.begin(graph, start, goal)


def test_every_timed_search_is_on_a_map_of_its_own() -> None:
    spy = Spy()
    rounds = 3
    found = measure(PROBLEMS, {"spy": Method("spy", GREEDY, spy)}, rounds)["spy"]
    known = [problem.graph for problem in PROBLEMS]
    timed = [graph for graph in spy.seen if all(graph is not each for each in known)]
    assert len(timed) == len({id(graph) for graph in timed}) >= 2 * rounds * len(PROBLEMS)
    assert [*found] == [COMPILED, PYTHON]
    total = sum(parse_method("euclidean").search(problem).expansions for problem in PROBLEMS)
    for engine in found.values():
        assert engine["expansions"] == total
        assert engine["milliseconds"] > 0
        assert engine["replayed"] > 0


def test_methods_without_a_loop_are_called_from_python_only() -> None:
    methods = {text: parse_method(text) for text in ("mha", "bfws(phil:forest)")}
    found = measure(PROBLEMS[:1], methods, 1)
    assert [[*engines] for engines in found.values()] == [[COMPILED, PYTHON], [PYTHON]]
