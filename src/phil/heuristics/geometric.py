"""Heuristics that need no learning: distances between feature vectors, and none at all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel, primitive
from phil.graphs import SearchedGraph
from phil.graphs.arrays import GraphArrays, node_features
from phil.search.expand import expand, insert
from phil.search.guide import Expansion
from phil.search.state import State

ZERO, EUCLIDEAN, MANHATTAN = 0, 1, 2


@primitive
def distance(kind: int, left: NDArray[np.float32], right: NDArray[np.float32]) -> float:
    """The distance of two feature vectors; in cells on a grid, whose features are coordinates."""
    total = 0.0
    for column in range(left.size):
        gap = np.float64(left[column]) - np.float64(right[column])
        if kind == EUCLIDEAN:
            total += gap * gap
        elif kind == MANHATTAN:
            total += abs(gap)
    return np.sqrt(total) if kind == EUCLIDEAN else total


@kernel
def _score(
    graph: GraphArrays,
    kind: int,
    here: NDArray[np.float32],
    there: NDArray[np.float32],
    new: NDArray[np.int32],
    values: NDArray[np.float64],
) -> None:
    for k in range(new.size):
        node_features(graph, new[k], here)
        values[k] = distance(kind, here, there)


@kernel
def _run(
    state: State,
    graph: GraphArrays,
    goal: int,
    kind: int,
    here: NDArray[np.float32],
    there: NDArray[np.float32],
    budget: int,
) -> int:
    while True:
        count = expand(state, graph, goal, budget)
        if count < 0:
            return count
        for k in range(count):
            node_features(graph, state.new[k], here)
            state.values[k] = distance(kind, here, there)
        insert(state, graph, count)


class GeometricGuide:
    """Guides one search by the distance of features to those of the goal."""

    def __init__(self, kind: int, graph: SearchedGraph, goal: int) -> None:
        self._kind = kind
        self._graph = graph
        self._goal = goal
        dimension = graph.arrays.features.shape[1]
        self._here = np.empty(dimension, np.float32)
        self._there = np.empty(dimension, np.float32)
        node_features(graph.arrays, goal, self._there)

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """The distance of each new node."""
        values = np.empty(expansion.new.size)
        new = np.ascontiguousarray(expansion.new)
        _score(self._graph.arrays, self._kind, self._here, self._there, new, values)
        return values

    def run(self, state: State, budget: int) -> int:
        """The whole search, compiled."""
        return _run(
            state, self._graph.arrays, self._goal, self._kind, self._here, self._there, budget
        )


class Geometric:
    """A distance between the features of a node and of the goal, as a heuristic."""

    def __init__(self, name: str, kind: int) -> None:
        self.name = name
        self._kind = kind

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> GeometricGuide:
        """A guide for one search."""
        return GeometricGuide(self._kind, graph, goal)


Zero = Geometric("zero", ZERO)
Euclidean = Geometric("euclidean", EUCLIDEAN)
Manhattan = Geometric("manhattan", MANHATTAN)
