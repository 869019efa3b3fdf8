"""Heuristics written in Python, and what to compare of two searches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from phil.graphs import SearchedGraph
from phil.search import Result
from phil.search.guide import Expansion

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


def facts(result: Result) -> dict[str, object]:
    """All of a result but the time it took."""
    names = ("path", "trace", "path_by_parents")
    nodes = {name: vars(result)[name] for name in names}
    lists = {name: None if ids is None else ids.tolist() for name, ids in nodes.items()}
    return vars(replace(result, seconds=0.0, graph=None)) | lists
