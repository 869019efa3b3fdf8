"""Caution: an oracle that pays for places where searches go astray.

The oracle knows every map, and its paths lead close by traps that a search cannot tell from the
way until it has filled them. Whoever imitates it learns to go there. So, once a first network is
trained, the places of the map where its searches wasted expansions get a toll, and further
candidates imitate the oracle whose paths are the cheapest with tolls: it goes round places where
traps are frequent. Validation decides whether that helps.

Measured on validation maps, two candidates each: on bugtrap_forest 736 and 796 expansions without
caution, 358 and 381 with 5, 340 and 358 with 20; on single_bugtrap 496 at best without, 550 and 656
with 3, 350 and 351 with 30; on multiple_bugtraps, where traps are everywhere, 966 at best without,
1,199 and 1,331 with 3.
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
from phil.problems.problem import Problem
from phil.search import search
from phil.search.guide import Heuristic

PLACES = 64  # of a map along a side
SPREAD = 2.0  # places over which waste is spread
SEARCHED = 100  # problems at most that waste is measured on
TAUGHT = 200  # problems at most that the cautious oracle is asked about: more showed no gain

Waste = NDArray[np.float64]  # (PLACES, PLACES): from 0 to 1, where most expansions were wasted


def measure_waste(heuristic: Heuristic, problems: Sequence[Problem]) -> Waste | None:
    """Where searches on 2D maps expand nodes off their path; None for other graphs."""
    waste = np.zeros((PLACES, PLACES))
    for problem in problems[:SEARCHED]:
        graph = problem.graph
        if graph.axes != 2:
            return None
        result = search(graph, problem.start, problem.goal, heuristic, trace=True)
        assert result.trace is not None
        off = np.setdiff1d(result.trace, result.path)
        np.add.at(waste, _places(graph, off), 1.0 / graph.free.size)
    spread: Waste = gaussian_filter(waste, SPREAD)
    most = float(spread.max())
    return spread / most if most > 0 else spread


def with_caution(problems: OracleProblems, waste: Waste, caution: float) -> OracleProblems:
    """Maps with the distances of the oracle that pays tolls: `caution` where waste is most."""
    taught = problems.problems[:TAUGHT]
    return replace(
        problems,
        problems=taught,
        distances=tuple(
            tolls_to(problem.graph, problem.goal, caution * _tolls(problem, waste))
            for problem in taught
        ),
    )


def _tolls(problem: Problem, waste: Waste) -> NDArray[np.float64]:
    graph = problem.graph
    assert graph.is_grid
    tolls: NDArray[np.float64] = waste[_places(graph, np.arange(graph.size))]
    return tolls


def _places(graph: GridGraph, nodes: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
    """Where on the map nodes are, in places along its rows and columns."""
    rows, columns = np.divmod(nodes, graph.shape[1])
    return rows * PLACES // graph.shape[0], columns * PLACES // graph.shape[1]
