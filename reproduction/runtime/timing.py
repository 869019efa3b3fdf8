"""Timing methods side by side, each search beside its replay without the heuristic.

What a heuristic takes is what a search takes beyond its replay: the same nodes expanded in the same
order, by values that are read from a table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from copy import copy
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from phil.evaluation import Method, Solver
from phil.evaluation.timing import Job, interleaved
from phil.heuristics.node_value import TableHeuristic
from phil.problems.problem import Problem
from phil.search.guide import (
    CompiledGuide,
    Expansion,
    Heuristic,
    SharingGuide,
    WithoutLoop,
    guided,
)
from phil.search.mha import MultiHeuristicMethod

COMPILED, PYTHON = "compiled", "python"
ENGINES = (COMPILED, PYTHON)

Table = NDArray[np.float64]  # a value for every node


def measure(
    problems: Sequence[Problem], methods: Mapping[str, Solver], rounds: int
) -> dict[str, dict[str, dict[str, float]]]:
    """By method and engine: milliseconds, those of the replays, and expansions.

    All methods take turns, round by round, and no search finds what an earlier one has kept of its
    map. Of every search the least time counts.
    """
    found: dict[str, dict[str, dict[str, float]]] = {}
    searches: dict[str, FreshSearch] = {}
    for name, solver in methods.items():
        found[name] = {}
        for engine, run in _engines(solver, problems[0]).items():
            found[name][engine] = {"expansions": 0}
            for place, problem in enumerate(problems):
                result = run.search(problem, trace=True)  # loads and compiles what it needs
                assert result.trace is not None
                same = replay(run, problem, result.trace)
                same = called(same) if engine == PYTHON else same
                again = same.search(problem).expansions
                assert again == result.expansions, "a replay is the same search"
                found[name][engine]["expansions"] += result.expansions
                for kind, each in (("milliseconds", run), ("replayed", same)):
                    searches[f"{name}/{engine}/{kind}/{place}"] = FreshSearch(each, problem)
    jobs: dict[str, Job] = {key: each.search for key, each in searches.items()}
    renew: dict[str, Job] = {key: each.renew for key, each in searches.items()}
    seconds = interleaved(jobs, rounds, before=renew)
    for key, took in seconds.items():
        name, engine, kind, _ = key.split("/")
        cell = found[name][engine]
        cell[kind] = cell.get(kind, 0.0) + 1000 * min(took)
    return found


class FreshSearch:
    """A search on a copy of the map: another map to whoever keeps what was computed for one."""

    def __init__(self, solver: Solver, problem: Problem) -> None:
        self._solver = solver
        self._problem = problem

    def renew(self) -> None:
        """Take another copy."""
        self._problem = replace(self._problem, graph=copy(self._problem.graph))

    def search(self) -> None:
        """Search the last copy."""
        self._solver.search(self._problem)


def _engines(solver: Solver, problem: Problem) -> dict[str, Solver]:
    from_python = {PYTHON: called(solver)}
    return {COMPILED: solver, **from_python} if is_compiled(solver, problem) else from_python


def is_compiled(solver: Solver, problem: Problem) -> bool:
    """Whether it runs whole searches without coming back to Python."""
    ends = problem.graph, problem.start, problem.goal
    with ExitStack() as stack:
        guides = [stack.enter_context(guided(each, *ends)) for each in solver.heuristics]
        first = guides[0]
        if isinstance(solver, Method):
            return isinstance(first, CompiledGuide)
        return isinstance(first, SharingGuide) and first.share_loop(guides) is not None


def called(solver: Solver) -> Solver:
    """The same search with its heuristics called from Python."""
    if isinstance(solver, Method):
        return replace(solver, heuristic=WithoutLoop(solver.heuristic))
    assert isinstance(solver, MultiHeuristicMethod)
    return replace(solver, heuristics=tuple(map(WithoutLoop, solver.heuristics)))


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
