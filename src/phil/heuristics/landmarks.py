"""Landmarks (ALT): lower bounds on the path cost from the distances to 16 nodes.

By the triangle inequality, no path from v to g costs less than |L(v) - L(g)|, where L is the cost
to a landmark. On directed graphs each side holds in one direction only:
d(v, g) >= d(v, L) - d(g, L) and d(v, g) >= d(L, g) - d(L, v).
"""

from __future__ import annotations

from functools import partial

from phil.errors import InputError
from phil.graphs import AnyGraph, SearchedGraph
from phil.graphs.features.landmarks import landmark_costs
from phil.graphs.landmarks import COUNT, landmark_table
from phil.graphs.lower_bound import NO_BOUND, LowerBound, with_landmarks
from phil.heuristics.node_value import NodeValueGuide, landmark_bound
from phil.search.guide import Traits, Unique


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
        landmarks=True,
    )

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> NodeValueGuide:
        """A guide for one search; the first one on a graph computes the costs of all its nodes."""
        known = _known(graph)
        value = landmark_bound(landmark_table(known), goal, one_way=known.directed)
        return NodeValueGuide(known, goal, value)

    def lower_bound(self, graph: SearchedGraph, goal: int) -> LowerBound:
        """The same values for a proof, lowered by what rounding may have added."""
        return with_landmarks(NO_BOUND, _known(graph), goal)


def _known(graph: SearchedGraph) -> AnyGraph:
    if not graph.is_known:
        raise InputError(
            "landmarks need a graph that is known in full, not one discovered by searching; "
            "build one with graph.explored(start, most=...)"
        )
    return graph


landmarks = LandmarkHeuristic()
