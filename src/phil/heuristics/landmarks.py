"""Landmarks: how far the goal must at least be, by what is known of 16 nodes (ALT).

No path from v to g costs less than |L(v) - L(g)|, where L is the cost to a landmark, since a detour
over g, or over v, is no short cut. With one-way edges each side holds for one way only:
d(v, g) >= d(v, L) - d(g, L) and d(v, g) >= d(L, g) - d(L, v).
"""

from __future__ import annotations

import threading
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel, primitive
from phil.errors import InputError
from phil.graphs import AnyGraph, SearchedGraph
from phil.graphs.arrays import GraphArrays
from phil.graphs.features.add import feature_table
from phil.graphs.features.landmarks import LANDMARKS, landmark_costs
from phil.graphs.features.recipe import Item
from phil.search.expand import expand, insert
from phil.search.guide import Expansion
from phil.search.state import State

COUNT = 16


@primitive
def least_cost_by_landmarks(
    table: NDArray[np.float64], there: NDArray[np.float64], one_way: bool, node: int
) -> float:
    """The largest of the bounds; inf if a landmark shows that there is no path."""
    best = 0.0
    half = there.size // 2
    for column in range(there.size):
        # Where neither end has a path the gap is nan, which is never greater: it says nothing.
        gap = table[node, column] - there[column]
        if not one_way:
            gap = abs(gap)
        elif column >= half:  # costs from the landmark
            gap = -gap
        if gap > best:
            best = gap
    return best


@kernel
def _score(
    table: NDArray[np.float64],
    there: NDArray[np.float64],
    one_way: bool,
    new: NDArray[np.int32],
    values: NDArray[np.float64],
) -> None:
    for k in range(new.size):
        values[k] = least_cost_by_landmarks(table, there, one_way, new[k])


@kernel
def _run(
    state: State,
    graph: GraphArrays,
    goal: int,
    table: NDArray[np.float64],
    there: NDArray[np.float64],
    one_way: bool,
    budget: int,
) -> int:
    while True:
        count = expand(state, graph, goal, budget)
        if count < 0:
            return count
        for k in range(count):
            state.values[k] = least_cost_by_landmarks(table, there, one_way, state.new[k])
        insert(state, graph, count)


class LandmarkGuide:
    """Guides one search by the costs to and from landmarks."""

    def __init__(self, graph: AnyGraph, table: NDArray[np.float64], goal: int) -> None:
        self._graph = graph
        self._goal = goal
        self._table = table
        self._there = table[goal].copy()

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """What the way from each new node costs at least."""
        values = np.empty(expansion.new.size)
        new = np.ascontiguousarray(expansion.new)
        _score(self._table, self._there, self._graph.directed, new, values)
        return values

    def run(self, state: State, budget: int) -> int:
        """The whole search, compiled."""
        one_way = self._graph.directed
        return _run(
            state, self._graph.arrays, self._goal, self._table, self._there, one_way, budget
        )


class LandmarkHeuristic:
    """A lower bound of the cost to the goal by the costs to 16 landmarks, found once per graph.

    A* with it finds a path of least cost and expands no node twice.

    >>> import phil
    >>> graph = phil.Graph.from_edges(4, [(0, 1), (1, 2), (0, 3)], weights=[2.0, 3.0, 1.0])
    >>> phil.search(graph, 0, 2, phil.load("landmarks"), key=phil.ASTAR).expansions
    3
    """

    name = "landmarks"

    def __init__(self) -> None:
        self._tables: WeakKeyDictionary[AnyGraph, NDArray[np.float64]] = WeakKeyDictionary()
        self._lock = threading.Lock()

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> LandmarkGuide:
        """A guide for one search; the first on a graph computes the costs of all its nodes."""
        if not graph.is_known:
            raise InputError(
                "landmarks are chosen on a graph that is known whole, not on one met while "
                "searching; build one with graph.explored(start, most=...)"
            )
        with self._lock:  # of several threads one computes
            table = self._tables.get(graph)
            if table is None:
                self._tables[graph] = table = _costs(graph)
        return LandmarkGuide(graph, table, goal)


def _costs(graph: AnyGraph) -> NDArray[np.float64]:
    if graph.is_grid:
        return landmark_costs(graph, COUNT)
    table, _ = feature_table(graph, Item(LANDMARKS, COUNT))
    return table.astype(np.float64, copy=False)


Landmarks = LandmarkHeuristic()
