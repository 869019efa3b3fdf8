"""Caution: an oracle that pays a toll where searches waste expansions.

The oracle knows the whole map, so its paths pass close to traps that a search cannot recognise
until it has filled them. A network that imitates it learns to go there. So, once a first network is
trained, the places of the map where its searches wasted expansions get a toll, and further
candidates imitate an oracle that minimises path cost including tolls: it avoids places where traps
are frequent. Validation decides whether this helps.

Expansions on validation maps, two candidates each: bugtrap_forest 736 and 796 without caution, 358
and 381 with caution 5, 340 and 358 with 20; single_bugtrap 496 at best without, 550 and 656 with 3,
350 and 351 with 30; multiple_bugtraps, where traps are everywhere, 966 at best without, 1,199 and
1,331 with 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

from phil.graphs import GridGraph
from phil.graphs.distances import tolls_to
from phil.learning.oracle import OracleProblems
from phil.learning.threads import in_threads
from phil.problems.problem import Problem
from phil.search import search
from phil.search.guide import Heuristic

PLACES = 64  # per side of a map
SPREAD = 2.0  # standard deviation of the smoothing, in places
SEARCHED = 100  # problems on which waste is measured, at most
TAUGHT = 200  # problems on which the cautious oracle is imitated, at most: more did not help

Waste = NDArray[np.float64]  # (PLACES, PLACES): wasted expansions, scaled to at most 1


def measure_waste(heuristic: Heuristic, problems: Sequence[Problem]) -> Waste | None:
    """Where searches on 2D maps expand nodes that are not on their path; None for other graphs."""
    waste = np.zeros((PLACES, PLACES))
    for problem in problems[:SEARCHED]:
        graph = problem.graph
        if graph.axes != 2:
            return None
        result = search(graph, problem.start, problem.goal, heuristic, trace=True)
        assert result.trace is not None
        assert result.path_by_parents is not None
        off = np.setdiff1d(result.trace, result.path_by_parents)
        np.add.at(waste, _places(graph, off), 1.0 / graph.free.size)
    spread: Waste = gaussian_filter(waste, SPREAD)
    most = float(spread.max())
    return spread / most if most > 0 else spread


def with_caution(problems: OracleProblems, waste: Waste, caution: float) -> OracleProblems:
    """The problems with distances that include tolls: `caution` where most was wasted."""
    taught = problems.problems[:TAUGHT]
    distances = in_threads(lambda p: tolls_to(p.graph, p.goal, caution * _tolls(p, waste)), taught)
    return replace(problems, problems=taught, distances=tuple(distances))


def _tolls(problem: Problem, waste: Waste) -> NDArray[np.float64]:
    graph = problem.graph
    assert graph.is_grid
    tolls: NDArray[np.float64] = waste[_places(graph, np.arange(graph.size))]
    return tolls


def _places(graph: GridGraph, nodes: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
    """The places of nodes on the map, as row and column indices."""
    rows, columns = np.divmod(nodes, graph.shape[1])
    return rows * PLACES // graph.shape[0], columns * PLACES // graph.shape[1]
