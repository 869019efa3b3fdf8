"""Really paying for every `neighbors` call, in a graph that is discovered while searching."""

from __future__ import annotations

import time
from functools import partial
from statistics import median

import numpy as np

import phil
from phil.evaluation.timing import interleaved
from phil.graphs import GridGraph
from phil.problems import Problem
from phil.search.guide import Heuristic

ROUNDS = 3

Cell = tuple[int, int]


def burnt(
    problem: Problem, methods: dict[str, tuple[Heuristic, phil.Key]], seconds: float
) -> dict[str, dict[str, float]] | None:
    """Seconds and calls of each method where a call takes that long; None if it is no grid."""
    if not isinstance(problem.graph, GridGraph):
        return None
    grid = problem.graph
    known: dict[Cell, list[Cell]] = {
        grid.cell(node): [grid.cell(other) for other in grid.neighbors(node)]
        for node in np.flatnonzero(grid.free).tolist()
    }
    start, goal = grid.cell(problem.start), grid.cell(problem.goal)
    calls = 0

    def neighbors(cell: Cell) -> list[Cell]:
        nonlocal calls
        calls += 1
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            pass
        return known[cell]

    counted: dict[str, float] = {}

    def search(name: str) -> None:
        nonlocal calls
        calls = 0
        heuristic, key = methods[name]
        graph = phil.ImplicitGraph.on_grid(neighbors, grid.shape, diagonal_cost=grid.diagonal_cost)
        phil.search(graph, start, goal, heuristic, key=key)
        counted[name] = calls

    jobs = {name: partial(search, name) for name in methods}
    took = interleaved(jobs, ROUNDS)
    return {name: {"seconds": median(took[name]), "calls": counted[name]} for name in methods}
