"""Searches without their heuristic, and searches that call it from Python.

What a heuristic takes is what a search takes beyond its replay: the same nodes expanded in the same
order, by values that are read from a table.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from phil.evaluation import Method, Solver
from phil.heuristics.node_value import TableHeuristic
from phil.problems.problem import Problem
from phil.search.guide import CompiledGuide, Expansion, Heuristic, WithoutLoop, guided
from phil.search.mha import MultiHeuristicMethod

Table = NDArray[np.float64]  # a value for every node


def is_compiled(solver: Solver, problem: Problem) -> bool:
    """Whether it runs whole searches without coming back to Python."""
    if not isinstance(solver, Method):
        return False
    with guided(solver.heuristic, problem.graph, problem.start, problem.goal) as guide:
        return isinstance(guide, CompiledGuide)


def called(solver: Solver) -> Solver:
    """The same search with its heuristic called from Python, as MHA*'s always are."""
    if not isinstance(solver, Method):
        return solver
    return replace(solver, heuristic=WithoutLoop(solver.heuristic))


def replay(solver: Solver, problem: Problem, trace: NDArray[np.int64]) -> Solver:
    """The search that expands what is in the trace, in that order, without the heuristic.

    By its number in the trace a node is always the first of those in the queue. With A*, whose key
    counts the path's cost as well, it is by the heuristic's own values.
    """
    if isinstance(solver, Method) and solver.key.g != 0:
        return replace(solver, heuristic=TableHeuristic(_values(solver.heuristic, problem)))
    table = np.full(problem.graph.size, float(trace.size))
    table[trace] = np.arange(trace.size)
    known = TableHeuristic(table)
    if isinstance(solver, Method):
        return replace(solver, heuristic=known)
    assert isinstance(solver, MultiHeuristicMethod)
    return replace(solver, heuristics=tuple(known for _ in solver.heuristics))


def _values(heuristic: Heuristic, problem: Problem) -> Table:
    """What a heuristic that keeps no history says of all nodes."""
    new = np.arange(problem.graph.size, dtype=np.int32)
    nothing = Expansion(problem.start, new, np.zeros(new.size), np.zeros(new.size, np.int32), 1)
    with guided(heuristic, problem.graph, problem.start, problem.goal) as guide:
        return guide.score(nothing)
