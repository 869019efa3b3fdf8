"""The limit: a heuristic that knows the least number of moves to the goal."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel
from phil.errors import InputError
from phil.graphs import AnyGraph, SearchedGraph
from phil.graphs.arrays import GraphArrays
from phil.graphs.distances import hops_to
from phil.search.expand import expand, insert
from phil.search.guide import Expansion
from phil.search.state import State


@kernel
def _run(
    state: State, graph: GraphArrays, goal: int, table: NDArray[np.float64], budget: int
) -> int:
    while True:
        count = expand(state, graph, goal, budget)
        if count < 0:
            return count
        for k in range(count):
            state.values[k] = table[state.new[k]]
        insert(state, graph, count)


class OracleGuide:
    """Guides one search by a table of exact distances."""

    def __init__(self, graph: AnyGraph, goal: int) -> None:
        self._arrays = graph.arrays
        self._goal = goal
        self._table = hops_to(graph, goal)

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """The exact distance of each new node."""
        return self._table[expansion.new]

    def run(self, state: State, budget: int) -> int:
        """The whole search, compiled."""
        return _run(state, self._arrays, self._goal, self._table, budget)


class OracleHeuristic:
    """Exact distances in moves: greedy search with it expands a shortest path and nothing else."""

    name = "oracle"

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> OracleGuide:
        """A guide for one search; computes the distances of all nodes first."""
        if not graph.is_known:
            raise InputError(
                "the oracle needs a graph that is known whole, not one met while searching; "
                "build one with graph.explored(start, most=...)"
            )
        return OracleGuide(graph, goal)


Oracle = OracleHeuristic()
