"""The classical searches that fit some graphs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from phil.errors import InputError
from phil.evaluation.advice.promise import has_features, is_lower_bound
from phil.evaluation.solvers import Method
from phil.graphs import AnyGraph
from phil.heuristics.geometric import Euclidean
from phil.heuristics.landmarks import Landmarks
from phil.problems.problem import Problem
from phil.search import GREEDY
from phil.search.guide import Heuristic

WEIGHT = 1.5  # of weighted A*, and the bound of bounded search: paths of at most that many times


@dataclass(frozen=True)
class Fitting:
    """Methods by name, and why others were left out."""

    methods: tuple[str, ...]
    left_out: tuple[str, ...]


def fitting_methods(problems: Sequence[Problem]) -> Fitting:
    """What to try on the graphs of some problems.

    >>> grid = GridGraph([[True] * 3] * 3)
    >>> fitting_methods([Problem(grid, 0, 8)] * 2).methods[:4]
    ('bfs', 'astar(octile)', 'astar(landmarks)', 'greedy(euclidean)')
    """
    graphs = graphs_of(problems)
    left_out = _why_no_landmarks(problems[0], graphs)
    landmarks = [] if left_out else ["landmarks"]
    distances = ["euclidean"] if all(map(has_features, graphs)) else []
    bounds = [*_lower_bounds(graphs), *landmarks]
    guides = [*distances, *landmarks]
    # Without a better lower bound A* is Dijkstra's search.
    methods = ["bfs", *(f"astar({bound})" for bound in bounds or ["zero"])]
    methods += [f"greedy({guide})" for guide in guides]
    if bounds:
        methods.append(f"wastar({bounds[0]}, {WEIGHT})")
    if guides:
        methods.append(f"bounded({guides[-1]}, {WEIGHT})")
    return Fitting(tuple(methods), tuple(left_out))


def with_heuristic(name: str, heuristic: Heuristic) -> list[Method]:
    """The searches to try a learned heuristic with: any path, and one of a bounded cost."""
    return [
        Method(f"greedy({name})", GREEDY, heuristic),
        Method(f"bounded({name}, {WEIGHT})", GREEDY, heuristic, WEIGHT),
    ]


def graphs_of(problems: Sequence[Problem]) -> list[AnyGraph]:
    """The different graphs of some problems."""
    return list({id(problem.graph): problem.graph for problem in problems}.values())


def _lower_bounds(graphs: Sequence[AnyGraph]) -> list[str]:
    if all(graph.is_grid for graph in graphs):
        return ["octile"]
    return ["euclidean"] if all(is_lower_bound(Euclidean, graph) for graph in graphs) else []


def _why_no_landmarks(problem: Problem, graphs: Sequence[AnyGraph]) -> list[str]:
    if len(graphs) > 1:
        return [
            f"landmarks were left out: they are found by looking at a whole graph many times, and "
            f"these problems are on {len(graphs)} graphs; for graphs that are searched often, add "
            "-m 'astar(landmarks)'"
        ]
    try:
        Landmarks.begin(problem.graph, problem.start, problem.goal)  # holds nothing to close
    except InputError as error:
        return [f"landmarks were left out: {error}"]
    return []
