"""Heuristics written in Python, and what to compare of two searches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel
from phil.graphs import SearchedGraph
from phil.graphs.arrays import GraphArrays
from phil.search import Result
from phil.search.expand import expand, insert
from phil.search.guide import Expansion
from phil.search.state import State

Score = Callable[[Expansion], NDArray[np.float64]]
Revise = Callable[[], tuple[NDArray[np.int32], NDArray[np.float64]]]


class PythonHeuristic:
    """A heuristic that is a Python function; it has no compiled loop."""

    name = "python"

    def __init__(self, score: Score) -> None:
        self._score = score

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> PythonGuide:
        """A guide for one search."""
        return PythonGuide(self._score)


class PythonGuide:
    """Asks a Python function."""

    def __init__(self, score: Score, *, looks_ahead: bool = False) -> None:
        self._score = score
        self.looks_ahead = looks_ahead

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """What the function says."""
        return self._score(expansion)


class RevisingPythonGuide(PythonGuide):
    """Asks a second function for the nodes of OPEN that have another value."""

    def __init__(self, score: Score, revise: Revise) -> None:
        super().__init__(score)
        self._revise = revise

    def revise(self) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """What the function says."""
        return self._revise()


def table(values: NDArray[np.float64]) -> PythonHeuristic:
    """A heuristic with one fixed value per node id."""
    return PythonHeuristic(lambda expansion: values[expansion.new])


@kernel
def _run_table(
    state: State, graph: GraphArrays, goal: int, values: NDArray[np.float64], budget: int
) -> int:
    while True:
        count = expand(state, graph, goal, budget)
        if count < 0:
            return count
        for k in range(count):
            state.values[k] = values[state.new[k]]
        insert(state, graph, count)


class CompiledTable:
    """One fixed value per node id, with a compiled loop: for tests of many searches."""

    name = "table"

    def __init__(self, values: NDArray[np.float64]) -> None:
        self._values = values

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> CompiledTableGuide:
        """A guide for one search."""
        return CompiledTableGuide(graph, goal, self._values)


class CompiledTableGuide:
    """Looks values up."""

    def __init__(self, graph: SearchedGraph, goal: int, values: NDArray[np.float64]) -> None:
        self._arrays = graph.arrays
        self._goal = goal
        self._values = values

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """The value of each new node."""
        return self._values[expansion.new]

    def run(self, state: State, budget: int) -> int:
        """The whole search, compiled."""
        return _run_table(state, self._arrays, self._goal, self._values, budget)


def facts(result: Result) -> dict[str, object]:
    """All of a result but the time it took."""
    trace = None if result.trace is None else result.trace.tolist()
    return vars(replace(result, seconds=0.0)) | {"path": result.path.tolist(), "trace": trace}
