"""How good a path a method promises, whatever the problem: only like is compared with like."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

import numpy as np

from phil.evaluation.solvers import Method, Solver
from phil.graphs import AnyGraph
from phil.graphs.lower_bound import STRAIGHT_LINE, lower_bound_of
from phil.heuristics.geometric import Euclidean, Zero
from phil.heuristics.landmarks import Landmarks
from phil.heuristics.octile import Octile
from phil.search import BFS
from phil.search.guide import Heuristic

ROUNDING = 1e-6  # features are float32, so that a distance may exceed an edge's cost by a little


def promise(method: Solver, graphs: Iterable[AnyGraph]) -> float:
    """How many times the least cost a path may cost at most; inf if nothing is promised.

    >>> from phil.evaluation.methods import parse_method
    >>> maps = [GridGraph([[True] * 3] * 3)]
    >>> texts = "astar(octile)", "wastar(octile, 2)", "bfs", "greedy(octile)"
    >>> [promise(parse_method(text), maps) for text in texts]
    [1.0, 2.0, inf, inf]
    """
    if method.bound is not None:
        return method.bound
    if not isinstance(method, Method):
        return inf
    key = method.key
    if key == BFS:
        return 1.0 if all(_all_moves_cost_the_same(graph) for graph in graphs) else inf
    counts_costs = key.g == 1 and key.h >= 0 and key.depth == 0
    if counts_costs and all(is_lower_bound(method.heuristic, graph) for graph in graphs):
        return max(1.0, key.h)
    return inf


def is_lower_bound(heuristic: Heuristic, graph: AnyGraph) -> bool:
    """Whether the heuristic is known never to exceed the cost that is left, and consistent."""
    if heuristic is Euclidean:
        return _is_straight_line_shortest(graph)
    return heuristic is Zero or heuristic is Octile or heuristic is Landmarks


def _is_straight_line_shortest(graph: AnyGraph) -> bool:
    if graph.is_grid:
        lengths = np.linalg.norm(graph.arrays.moves, axis=1)
        return bool((graph.arrays.move_costs >= lengths - ROUNDING).all())
    bound = lower_bound_of(graph, 0)
    return bound.kind == STRAIGHT_LINE and bound.straight >= 1 - ROUNDING


def _all_moves_cost_the_same(graph: AnyGraph) -> bool:
    costs = graph.arrays.move_costs if graph.is_grid else graph.weights
    return costs is None or costs.size == 0 or bool((costs == costs[0]).all())


def has_features(graph: AnyGraph) -> bool:
    """Whether a distance between nodes can be told at all."""
    return bool(graph.feature_names)
