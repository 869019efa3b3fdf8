"""Landmarks (ALT): lower bounds on the path cost from the distances to 16 nodes.

By the triangle inequality, no path from v to g costs less than |L(v) - L(g)|, where L is the cost
to a landmark. On directed graphs each side holds in one direction only:
d(v, g) >= d(v, L) - d(g, L) and d(v, g) >= d(L, g) - d(L, v).
"""

from __future__ import annotations

import threading
from functools import partial
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import AnyGraph, SearchedGraph
from phil.graphs.features.add import feature_table
from phil.graphs.features.landmarks import LANDMARKS, landmark_costs
from phil.graphs.features.registry import Item
from phil.heuristics.node_value import NodeValueGuide, landmark_bound
from phil.search.guide import Traits, Unique

COUNT = 16


class LandmarkHeuristic(Unique):
    """A lower bound on the cost to the goal from 16 landmarks, chosen once per graph.

    It is consistent: A* with it finds an optimal path and expands no node twice. Costs to landmarks
    are rounded to 1e-16 of themselves, so on a graph whose weights differ by a factor of 1e12 or
    more, values may exceed small costs, and the path may cost more than the optimum.

    >>> import phil
    >>> graph = phil.Graph.from_edges(4, [(0, 1), (1, 2), (0, 3)], weights=[2.0, 3.0, 1.0])
    >>> phil.search(graph, 0, 2, phil.load("landmarks"), key=phil.ASTAR).expansions
    3
    """

    name = "landmarks"
    traits = Traits(
        "a lower bound from the costs to and from 16 landmarks, chosen once per graph",
        admissible=lambda graph: True,
        needs_whole_graph=True,
        preparation=lambda graph: [partial(landmark_costs, graph, COUNT)],
        batches=True,
    )

    def __init__(self) -> None:
        self._tables: WeakKeyDictionary[AnyGraph, NDArray[np.float64]] = WeakKeyDictionary()
        self._lock = threading.Lock()

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> NodeValueGuide:
        """A guide for one search; the first one on a graph computes the costs of all its nodes."""
        if not graph.is_known:
            raise InputError(
                "landmarks need a graph that is known in full, not one discovered by searching; "
                "build one with graph.explored(start, most=...)"
            )
        with self._lock:  # only one of several threads computes
            table = self._tables.get(graph)
            if table is None:
                self._tables[graph] = table = _costs(graph)
        return NodeValueGuide(graph, goal, landmark_bound(table, goal, one_way=graph.directed))


def _costs(graph: AnyGraph) -> NDArray[np.float64]:
    table, _ = feature_table(graph, Item(LANDMARKS, COUNT))
    return np.ascontiguousarray(table, np.float64)


landmarks = LandmarkHeuristic()
