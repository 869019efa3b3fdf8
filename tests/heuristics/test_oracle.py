"""The oracle knows the exact distance in moves."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from phil.graphs import AnyGraph, Graph
from phil.graphs.distances import hops_to
from phil.heuristics.oracle import Oracle
from phil.search import search
from phil.search.guide import Expansion
from tests.strategies import problems


@given(problems())
def test_values_are_the_least_numbers_of_moves(problem: tuple[AnyGraph, int, int]) -> None:
    graph, start, goal = problem
    nodes = np.arange(graph.size, dtype=np.int32)
    shown = Expansion(start, nodes, np.zeros(graph.size), np.zeros(graph.size, np.int32), 1)
    values = Oracle.begin(graph, start, goal).score(shown)
    assert np.array_equal(values, hops_to(graph, goal))


def test_dead_ends_of_a_directed_graph_are_never_entered() -> None:
    # 1 and 2 look like ways to the goal 4, but there is no way out of them.
    edges = [(0, 1), (1, 2), (2, 1), (0, 3), (3, 4)]
    graph = Graph.from_edges(5, edges, np.zeros((5, 1)), directed=True)
    result = search(graph, 0, 4, Oracle, trace=True)
    assert result.trace is not None
    assert result.trace.tolist() == [0, 3, 4]
    assert Oracle.name == "oracle"
