"""A learned heuristic, ready to guide searches; needs no torch."""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from threading import Lock
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import AnyGraph, SearchedGraph
from phil.heuristics.file import HeuristicFile, Tensors, check_tensors, read_learned
from phil.heuristics.learned_features import with_learned_features
from phil.heuristics.phil import kernel
from phil.heuristics.phil.cache import (
    NO_ROWS_LEFT,
    OF_THE_GOAL,
    ROWS,
    Cache,
    allocate,
    with_nodes,
    with_rows,
)
from phil.heuristics.phil.metadata import PhilMetadata
from phil.heuristics.phil.precompute import precompute, precomputed_bytes
from phil.heuristics.phil.scaling import Frame, check_axes, frame
from phil.heuristics.phil.weights import Weights, pack, tensor_shapes
from phil.memory import check_memory
from phil.search.guide import Expansion
from phil.search.state import PENDING, State

METHOD = "phil"


class PhilGuide:
    """Guides one search with a learned heuristic."""

    def __init__(
        self, owner: PhilHeuristic, room: Workspace, graph: SearchedGraph, start: int, frame: Frame
    ) -> None:
        self._owner = owner
        self._room = room
        self._graph = graph
        self._frame = frame
        self._weights = owner.weights
        self.looks_ahead = bool(kernel.looks_ahead(self._weights))
        kernel.begin(self._weights, room.cache, start)

    def close(self) -> None:
        """Give the workspace back, for the next search."""
        self._owner.give_back(self._room)

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """The values of one V_new; moves the memory on."""
        values = np.empty(expansion.new.size)
        if values.size:
            self._make_room(values.size)
            depth = int(expansion.depth[0])
            self._evaluate(self._weights, expansion.node, depth, expansion.new, values)
        return values

    def rescore(
        self, nodes: NDArray[np.int32], parents: NDArray[np.int32], depths: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        """The values of nodes of OPEN with the memory as it is now, which is not moved on."""
        values = np.empty(nodes.size)
        self._make_room(nodes.size)
        cache = self._room.cache
        still = self._weights._replace(remember=False)
        if not self._weights.trail.shape[0]:
            # Of the search only the memory is read, so that all go at once, whatever their parents.
            self._evaluate(still, 0, 0, nodes, values)
            return values
        trends = cache.trend[nodes]
        for k in range(nodes.size):
            one = slice(k, k + 1)
            self._evaluate(still, int(parents[k]), int(depths[k]), nodes[one], values[one])
        cache.trend[nodes] = trends
        return values

    def run(self, state: State, budget: int) -> int:
        """The whole search, compiled."""
        self._make_room(0)
        while True:
            code = kernel.run(
                state,
                self._weights,
                self._room.cache,
                self._graph.arrays,
                self._frame,
                self._room.goal,
                budget,
            )
            if code != NO_ROWS_LEFT:
                return code
            self._make_room(int(state.counters[PENDING]))

    def _evaluate(
        self,
        weights: Weights,
        parent: int,
        depth: int,
        nodes: NDArray[np.int32],
        values: NDArray[np.float64],
    ) -> None:
        kernel.evaluate(
            weights,
            self._room.cache,
            self._graph.arrays,
            self._frame,
            parent,
            depth,
            np.ascontiguousarray(nodes),
            nodes.size,
            values,
        )

    def _make_room(self, new: int) -> None:
        """Room in the cache for all nodes of the graph met so far, and rows for some new ones."""
        cache = with_nodes(self._room.cache, self._graph.size, self._graph.max_degree)
        rows = int(cache.counters[ROWS]) + new * (1 + self._weights.neighbors)
        self._room.cache = with_rows(cache, min(rows, cache.place.size))


@dataclass(eq=False)
class Workspace:
    """A cache and the goal that its rows belong to."""

    cache: Cache
    graph: weakref.ref[SearchedGraph]
    goal: int

    def is_for(self, graph: SearchedGraph, goal: int) -> bool:
        """Whether its rows can be used again."""
        return self.goal == goal and self.graph() is graph


class PhilHeuristic:
    """A heuristic learned by PHIL: a network's tensors and what they are for.

    What does not depend on a search's history is computed when a node is first met and kept for
    further searches to the same goal. With `precompute=True` it is computed for all nodes of the
    graph when a goal is first searched for, which is faster per node: for graphs that stay as they
    are, with many searches to few goals. `precomputed_bytes(graph)` says what that takes; more than
    is free is refused.

    >>> import phil
    >>> heuristic = phil.load("phil:forest")
    >>> heuristic.metadata.feature_names
    ('x', 'y')
    """

    method = METHOD
    KEPT = 4  # workspaces lent out again instead of being allocated anew
    KEPT_GOALS = 4  # goals whose precomputed rows are kept

    def __init__(
        self,
        metadata: PhilMetadata,
        tensors: Tensors,
        name: str = "phil",
        *,
        precompute: bool = False,
    ) -> None:
        self.metadata = metadata
        self.tensors = tensors
        self.name = name
        self.precompute = precompute
        self._free: list[Workspace] = []
        self._precomputed: list[Workspace] = []
        self._lock = Lock()
        self._filling = Lock()

    @classmethod
    def from_file(cls, file: HeuristicFile, name: str, *, precompute: bool = False) -> Self:
        """The heuristic of a file; an error if its tensors do not fit its metadata."""
        metadata = PhilMetadata.model_validate_json(file.metadata)
        check_tensors(tensor_shapes(metadata.network), file.tensors)
        return cls(metadata, file.tensors, name, precompute=precompute)

    def described(self, training: dict[str, Any], validation: dict[str, Any]) -> Self:
        """The same heuristic, whose metadata say how it was made and how it scored."""
        known = {"training": training, "validation": validation}
        return type(self)(
            self.metadata.model_copy(update=known),
            self.tensors,
            self.name,
            precompute=self.precompute,
        )

    @cached_property
    def weights(self) -> Weights:
        """The tensors in the kernel's layout."""
        return pack(self.metadata.network, self.tensors, self.metadata.scaling.edge_spread)

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> PhilGuide:
        """A guide for one search; an `InputError` if the graph has other features."""
        graph = with_learned_features(graph, self.metadata, self.name)
        network = self.metadata.network
        scale = frame(graph, self.metadata.scaling)
        check_axes(scale, self.metadata.feature_names)
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
        room = self._workspace(graph, goal, scale)
        return PhilGuide(self, room, graph, start, scale)

    def precomputed_bytes(self, graph: AnyGraph) -> int:
        """The memory that `precompute=True` takes for one goal on a graph."""
        return precomputed_bytes(self.weights, graph)

    def give_back(self, room: Workspace) -> None:
        """Keep a guide's working room for the next search."""
        with self._lock:
            if len(self._free) < self.KEPT:
                self._free.append(room)

    def _workspace(self, graph: SearchedGraph, goal: int, scale: Frame) -> Workspace:
        if self.precompute:
            return self._precomputed_workspace(graph, goal, scale)
        with self._lock:
            # The room that knows this goal; else any, the oldest first.
            known = [room for room in self._free if room.is_for(graph, goal)]
            room = next(iter(known or self._free), None)
            if room is not None:
                self._free.remove(room)
        if room is not None and room.is_for(graph, goal):
            return room
        if room is None:
            features = self.metadata.network.features
            cache = allocate(self.weights, graph.size, graph.max_degree, features)
        else:
            cache = with_nodes(room.cache, graph.size, graph.max_degree)
        kernel.set_goal(self.weights, cache, graph.arrays, scale, goal)
        return Workspace(cache, weakref.ref(graph), goal)

    def _precomputed_workspace(self, graph: SearchedGraph, goal: int, scale: Frame) -> Workspace:
        if not graph.is_known:
            raise InputError(
                "precompute=True needs a graph that is known whole, not an implicit one"
            )
        with self._filling:
            known = [room for room in self._precomputed if room.is_for(graph, goal)]
            if not known:
                features = self.metadata.network.features
                check_memory(
                    self.precomputed_bytes(graph), f"precomputing {graph.num_nodes:,} nodes"
                )
                cache = precompute(self.weights, graph, scale, goal, features)
                cache.counters[ROWS] = 0  # none will be given any more, so there is room for all
                known = [Workspace(cache, weakref.ref(graph), goal)]
                self._precomputed = [*known, *self._precomputed[: self.KEPT_GOALS - 1]]
        shared = known[0].cache
        own = self._private_cache(graph)
        kept = {name: getattr(shared, name) for name in OF_THE_GOAL}
        return Workspace(own._replace(**kept), weakref.ref(graph), goal)

    def _private_cache(self, graph: SearchedGraph) -> Cache:
        """Room for a search whose rows are another's: one of a graph of that size, or a new one."""
        with self._lock:
            for room in self._free:
                if room.cache.place.size == graph.size and room.cache.near.size >= graph.max_degree:
                    self._free.remove(room)
                    return room.cache
        features = self.metadata.network.features
        return allocate(self.weights, graph.size, graph.max_degree, features, rows=0)


def read_heuristic(
    path: Path, name: str | None = None, *, precompute: bool = False
) -> PhilHeuristic:
    """The heuristic of a file that PHIL learned."""
    reader = partial(PhilHeuristic.from_file, precompute=precompute)
    return read_learned(path, {METHOD: reader}, name)
