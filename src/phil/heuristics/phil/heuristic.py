"""A learned heuristic, ready to guide searches; needs no torch."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import SearchedGraph
from phil.heuristics.phil import kernel
from phil.heuristics.phil.cache import Cache, allocate, grow
from phil.heuristics.phil.file import HeuristicMetadata, Tensors, read_tensors, write_tensors
from phil.heuristics.phil.scaling import frame
from phil.heuristics.phil.weights import Weights, pack
from phil.search.guide import Expansion
from phil.search.state import State


class PhilGuide:
    """Guides one search with a learned heuristic."""

    def __init__(
        self,
        weights: Weights,
        cache: Cache,
        graph: SearchedGraph,
        start: int,
        goal: int,
        owner: PhilHeuristic,
    ) -> None:
        self._owner = owner
        self._cache = cache
        self._weights = weights
        self._graph = graph
        self._frame = frame(graph, owner.metadata.scaling)
        self._goal = goal
        self.looks_ahead = kernel.looks_ahead(weights)
        kernel.begin(weights, cache, graph.arrays, self._frame, start, goal)

    def __del__(self) -> None:
        self._owner.give_back(self._cache)

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """The values of one V_new; moves the memory on."""
        values = np.empty(expansion.new.size)
        self._make_room()
        if values.size:
            kernel.evaluate(
                self._weights,
                self._cache,
                self._graph.arrays,
                self._frame,
                expansion.node,
                int(expansion.depth[0]),
                np.ascontiguousarray(expansion.new),
                values.size,
                values,
            )
        return values

    def run(self, state: State, budget: int) -> int:
        """The whole search, compiled."""
        self._make_room()
        arrays = self._graph.arrays
        return kernel.run(
            state, self._weights, self._cache, arrays, self._frame, self._goal, budget
        )

    def _make_room(self) -> None:
        """A graph that is met while searching grows."""
        self._cache = grow(self._cache, self._graph.size, self._graph.max_degree)


class PhilHeuristic:
    """A heuristic learned by PHIL: a network's tensors and what they are for.

    >>> import phil
    >>> heuristic = phil.load("phil:forest")
    >>> heuristic.metadata.feature_names
    ('x', 'y')
    """

    KEPT = 4  # caches lent out again instead of being allocated anew

    def __init__(self, metadata: HeuristicMetadata, tensors: Tensors, name: str = "phil") -> None:
        self.metadata = metadata
        self.tensors = tensors
        self.name = name
        self._free: list[Cache] = []

    @cached_property
    def _weights(self) -> Weights:
        return pack(self.metadata.network, self.tensors)

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> PhilGuide:
        """A guide for one search; an `InputError` if the graph has other features."""
        network = self.metadata.network
        moves = graph.arrays.moves.shape[0]
        if network.walls and network.walls != moves:
            raise InputError(
                f"{self.name} was learned on {network.walls}-connected grids, this one is "
                f"{moves}-connected; train a heuristic for it"
            )
        edges = graph.arrays.edge_features.shape[1]
        if edges != network.edge_features:
            raise InputError(
                f"{self.name} was learned with {network.edge_features} features per edge, "
                f"this graph has {edges}"
            )
        return PhilGuide(self._weights, self._cache(graph), graph, start, goal, self)

    def _cache(self, graph: SearchedGraph) -> Cache:
        try:
            cache = self._free.pop()
        except IndexError:
            cache = None
        if cache is None or cache.stamp.size < graph.size or cache.near.size < graph.max_degree:
            features = self.metadata.network.features
            cache = allocate(self._weights, graph.size, graph.max_degree, features)
        return cache

    def give_back(self, cache: Cache) -> None:
        """Keep a guide's working room for the next search."""
        if len(self._free) < self.KEPT:
            self._free.append(cache)


def read_heuristic(path: Path, name: str | None = None) -> PhilHeuristic:
    """The heuristic of a file."""
    metadata, tensors = read_tensors(path)
    return PhilHeuristic(metadata, tensors, name or path.stem)


def write_heuristic(path: Path, heuristic: PhilHeuristic) -> None:
    """Write a heuristic to a file, whole or not at all."""
    write_tensors(path, heuristic.metadata, heuristic.tensors)
