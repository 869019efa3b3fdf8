"""The classical heuristics that need no preparation: zero, distances and the oracle."""

from __future__ import annotations

import numpy as np

from phil.errors import InputError
from phil.graphs import AnyGraph, SearchedGraph
from phil.graphs.distances import hops_to
from phil.graphs.lower_bound import NO_BOUND, STRAIGHT_LINE, LowerBound, lower_bound_of
from phil.heuristics.node_value import (
    EUCLIDEAN,
    MANHATTAN,
    NO_VALUE,
    NodeValueGuide,
    feature_distance,
    free_way,
    table_lookup,
)
from phil.search.guide import Traits, Unique

ROUNDING = 1e-6  # features are float32, so a distance may exceed an edge weight by a little


class ZeroHeuristic(Unique):
    """No heuristic at all: with it, A* is Dijkstra's algorithm."""

    name = "zero"
    traits = Traits("0 for every node", admissible=lambda graph: True, batches=True)

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> NodeValueGuide:
        """A guide for one search."""
        return NodeValueGuide(graph, goal, NO_VALUE)

    def lower_bound(self, graph: SearchedGraph, goal: int) -> LowerBound:
        """No bound at all."""
        return NO_BOUND


class FeatureDistance(Unique):
    """A distance between the features of a node and those of the goal."""

    def __init__(self, name: str, kind: int, traits: Traits) -> None:
        self.name = name
        self.traits = traits
        self._kind = kind

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> NodeValueGuide:
        """A guide for one search."""
        return NodeValueGuide(graph, goal, feature_distance(self._kind, graph, goal))

    def lower_bound(self, graph: SearchedGraph, goal: int) -> LowerBound:
        """What follows from the distance where it is admissible, or a little more."""
        return lower_bound_of(graph, goal)


class OctileHeuristic(Unique):
    """The cost of the way to the goal on the same grid without obstacles.

    It is exact where nothing is in the way, and so a tighter bound than the straight line: A*
    expands fewer nodes. With diagonal moves of cost 1 this is the Chebyshev distance, with 4 moves
    the Manhattan distance.

    >>> import phil
    >>> grid = phil.GridGraph([[True] * 9] * 9)
    >>> ends = (8, 0), (0, 5)
    >>> phil.search(grid, *ends, phil.load("octile"), key=phil.ASTAR).cost
    10.071067811865476
    """

    name = "octile"
    traits = Traits(
        "the path cost on a grid without obstacles",
        admissible=lambda graph: graph.is_grid,
        needs_grid=True,
        batches=True,
    )

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> NodeValueGuide:
        """A guide for one search; raises `InputError` if the graph is not a grid."""
        if not graph.is_grid:
            raise InputError("octile is a distance between grid cells; this graph is not a grid")
        return NodeValueGuide(graph, goal, free_way(self.lower_bound(graph, goal)))

    def lower_bound(self, graph: SearchedGraph, goal: int) -> LowerBound:
        """The same values for a proof."""
        return lower_bound_of(graph, goal)


class OracleHeuristic(Unique):
    """Exact distances in moves, with which greedy search expands only a shortest path."""

    name = "oracle"
    traits = Traits(
        "the exact number of moves, computed before the search",
        needs_whole_graph=True,
        knows_answer=True,
    )

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> NodeValueGuide:
        """A guide for one search, which computes the distances of all nodes first."""
        if not graph.is_known:
            raise InputError(
                "the oracle needs a graph that is known in full, not one discovered by searching; "
                "build one with graph.explored(start, most=...)"
            )
        return NodeValueGuide(graph, goal, table_lookup(hops_to(graph, goal)))


def _is_straight_line_shortest(graph: AnyGraph) -> bool:
    """Whether no edge costs less than the straight line between its ends."""
    if graph.is_grid:
        lengths = np.linalg.norm(graph.arrays.moves, axis=1)
        return bool((graph.arrays.move_costs >= lengths - ROUNDING).all())
    bound = lower_bound_of(graph, 0)
    return bound.kind == STRAIGHT_LINE and bound.straight >= 1 - ROUNDING


zero = ZeroHeuristic()
euclidean = FeatureDistance(
    "euclidean",
    EUCLIDEAN,
    Traits(
        "the straight-line distance of features",
        admissible=_is_straight_line_shortest,
        batches=True,
    ),
)
manhattan = FeatureDistance(
    "manhattan", MANHATTAN, Traits("the sum of absolute differences of features", batches=True)
)
octile = OctileHeuristic()
oracle = OracleHeuristic()
