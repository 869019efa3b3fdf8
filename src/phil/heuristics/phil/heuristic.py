"""A heuristic learned by PHIL, ready to guide searches; it needs no torch."""

from __future__ import annotations

import weakref
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import model_validator

from phil.compiled import direct
from phil.errors import InputError
from phil.graphs import AnyGraph, SearchedGraph
from phil.heuristics.file import LearnedHeuristic, Metadata, Tensors, read_learned
from phil.heuristics.phil import kernel
from phil.heuristics.phil.cache import (
    CALLS_AHEAD,
    GOAL_NODE,
    NO_ROWS_LEFT,
    OF_THE_GOAL,
    ROWS,
    Cache,
    allocate,
    forget_map,
    map_shape,
    with_cells,
    with_nodes,
    with_rows,
)
from phil.heuristics.phil.known import cells_of, count_called, set_window
from phil.heuristics.phil.precompute import precompute, precomputed_bytes
from phil.heuristics.phil.specification import NetworkSettings, tensor_shapes
from phil.heuristics.phil.weights import Weights, pack
from phil.heuristics.scaling import Frame, Scaling, check_axes, frame
from phil.memory import check_memory
from phil.search.batch import Batch
from phil.search.guide import Expansion, Traits
from phil.search.state import PENDING, State

Ends = tuple[int | None, int]  # the start, if rows depend on it, and the goal


class PhilMetadata(Metadata):
    """The network, and how its inputs are scaled."""

    network: NetworkSettings
    scaling: Scaling

    @model_validator(mode="after")
    def _fits(self) -> PhilMetadata:
        features = self.network.features
        if features != len(self.feature_names) or not self.scaling.fits(features):
            raise ValueError(
                f"{len(self.feature_names)} feature names and a scaling for "
                f"{len(self.scaling.centre)} features, but the network takes {features}"
            )
        axes = features - len(self.scaling.centre) if self.scaling.grid else 0
        if self.network.axes not in (0, axes):
            raise ValueError(
                f"a network for grids of {self.network.axes} axes, but a scaling for "
                + (f"grids of {axes} axes" if axes else "general graphs")
            )
        edges = self.scaling.edge_spread
        if edges and len(edges) != self.network.edge_features:
            raise ValueError(
                f"a scaling for {len(edges)} edge features, but the network takes "
                f"{self.network.edge_features}"
            )
        return self


class PhilGuide:
    """Guides one search with a learned heuristic."""

    def __init__(
        self, owner: PhilHeuristic, lent: GoalCache, graph: SearchedGraph, start: int
    ) -> None:
        self._owner = owner
        self._lent = lent
        self._graph = graph
        self._frame = lent.frame
        self._weights = owner.weights
        self._closed = False
        self.looks_ahead = self._weights.neighbors > 0 or self._weights.moves > 0
        if self._weights.lazy:
            self.settle, self.called = self._settle, self._called
        kernel.begin(self._weights, lent.cache, start)

    @property
    def calls_ahead(self) -> int:
        """The nodes that lazy look-ahead has called, and that are not expanded."""
        return int(self._lent.cache.search[CALLS_AHEAD])

    def close(self) -> None:
        """Return the cache to the heuristic; further calls do nothing."""
        if not self._closed:
            self._closed = True
            self._owner.give_back(self._lent)

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """The values of V_new; updates the memory."""
        values = np.empty(expansion.new.size)
        self._grow(values.size)
        depth = int(expansion.depth[0]) if values.size else 0
        self._evaluate(self._weights, expansion.node, depth, expansion.new, values)
        return values

    def _settle(self, state: State, budget: int) -> int:
        self._grow(0)
        lent, arrays = self._lent, self._graph.arrays
        return kernel.settle(
            state, self._weights, lent.cache, arrays, self._frame, lent.goal, budget
        )

    def rescore(
        self, nodes: NDArray[np.int32], parents: NDArray[np.int32], depths: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        """The values of nodes of OPEN with the current memory, which is not updated."""
        values = np.empty(nodes.size)
        self._grow(nodes.size)
        cache = self._lent.cache
        still = self._weights.replace(remember=False)
        if not self._weights.trail.shape[0]:
            # Without a trail, parents do not matter, so all can be evaluated at once.
            self._evaluate(still, 0, 0, nodes, values)
            return values
        trends = cache.trend[nodes] if self._weights.steps else None
        for k in range(nodes.size):
            one = slice(k, k + 1)
            self._evaluate(still, int(parents[k]), int(depths[k]), nodes[one], values[one])
        if trends is not None:
            cache.trend[nodes] = trends
        return values

    def _called(self, nodes: NDArray[np.int32]) -> int:
        return count_called(self._lent.cache, self._graph.arrays, self._frame, nodes)

    def run(self, state: State, budget: int) -> int:
        """The whole search, compiled."""
        self._grow(0)
        while True:
            code = direct(kernel.run)(
                state,
                self._weights,
                self._lent.cache,
                self._graph.arrays,
                self._frame,
                self._lent.goal,
                budget,
            )
            if code != NO_ROWS_LEFT:
                return code
            self._grow(int(state.counters[PENDING]))

    def run_batch(self, state: State, batch: Batch) -> int:
        """Many searches, compiled; not with a precomputed cache."""
        lent = self._lent
        self._grow(0)
        while True:
            code = kernel.run_batch(
                batch, state, self._weights, lent.cache, self._graph.arrays, self._frame
            )
            lent.goal = int(lent.cache.counters[GOAL_NODE])
            if code != NO_ROWS_LEFT:
                return code
            self._grow(int(state.counters[PENDING]))

    def _evaluate(
        self,
        weights: Weights,
        parent: int,
        depth: int,
        nodes: NDArray[np.int32],
        values: NDArray[np.float64],
    ) -> None:
        kernel.score(
            weights,
            self._lent.cache,
            self._graph.arrays,
            self._frame,
            parent,
            depth,
            np.ascontiguousarray(nodes),
            values,
        )

    def _grow(self, new: int) -> None:
        """Make the cache large enough for all nodes discovered so far, and rows for `new` more."""
        cache = with_nodes(self._lent.cache, self._graph.size, self._graph.max_degree)
        rows = int(cache.counters[ROWS]) + new * (1 + self._weights.neighbors)
        self._lent.cache = with_rows(cache, min(rows, cache.place.size))


@dataclass(eq=False)
class GoalCache:
    """A cache and the goal that its rows belong to."""

    cache: Cache
    graph: weakref.ref[SearchedGraph]
    shape: tuple[int, ...] | None  # of the map
    start: int | None  # on which rows in the frame of the goal depend too
    goal: int
    frame: Frame  # of the problem
    precomputed: bool  # whether all rows are complete, and shared by searches

    def is_for(self, graph: SearchedGraph, ends: Ends, precomputed: bool) -> bool:
        """Whether its rows can be reused."""
        same_ends = (self.start, self.goal) == ends
        return same_ends and self.precomputed == precomputed and self.graph() is graph

    def is_alike(self, graph: SearchedGraph, ends: Ends) -> bool:
        """Whether f(x) in its rows can be reused."""
        same_map = self.shape is not None and self.shape == map_shape(graph)
        return (self.start, self.goal) == ends and same_map and not self.precomputed


class PhilHeuristic(LearnedHeuristic):
    """A heuristic learned by PHIL: a network's tensors and metadata.

    What does not depend on a search's history is computed when a node is first discovered, and
    cached for further searches to the same goal.

    Parameters
    ----------
    metadata : PhilMetadata
        The network, the scaling of its inputs, how it was trained and how it scored.
    tensors : dict of str to ndarray
        The network's weights by name.
    name : str, optional
        Its name in tables; by default `phil`.
    precompute : bool, default False
        Compute what does not depend on a search for all nodes of a graph when a goal is first
        searched for. This is faster per node, and pays on static graphs with many searches to few
        goals. `precomputed_bytes(graph)` is the memory it takes; more than is free is refused.

    Examples
    --------
    >>> import phil
    >>> heuristic = phil.load("phil:forest")
    >>> heuristic.metadata.feature_names
    ('x', 'y')
    >>> print(repr(heuristic).replace("; ", ";\\n  ").replace("trail,", "trail,\\n   "))
    PhilHeuristic('phil:forest';
      reads 2 node features, distances to the goal, 2 edge features, trail,
        known cells up to 2 away;
      width 32;
      trained on grids/forest;
      258.8 expansions in validation)
    """

    methods = ("phil",)
    metadata_type = PhilMetadata
    metadata: PhilMetadata
    KEPT = 4  # caches kept for reuse
    KEPT_GOALS = 4  # goals whose precomputed rows are kept

    def __init__(
        self,
        metadata: PhilMetadata,
        tensors: Tensors,
        name: str | None = None,
        *,
        precompute: bool = False,
    ) -> None:
        super().__init__(metadata, tensors, name)
        self.precompute = precompute
        self._free: list[GoalCache] = []
        self._precomputed: list[GoalCache] = []
        self._lock = Lock()
        self._filling = Lock()

    @classmethod
    def tensor_shapes(cls, metadata: PhilMetadata) -> dict[str, tuple[int, ...]]:
        """Name and shape of every tensor of the network."""
        return tensor_shapes(metadata.network)

    @classmethod
    def samples(cls) -> list[PhilMetadata]:
        """Small networks: two with all inputs for 2D maps, and one without any for graphs."""
        on_maps = NetworkSettings(width=4, memory=4, walls=8, trail=True)
        on_any_map = NetworkSettings(
            width=4, memory=4, neighbors=0, remember=False,
            trail=True, axes=2, frame="goal", known=2, lazy=True,
        )  # fmt: skip
        on_graphs = NetworkSettings(width=4, memory=4, edge_features=0, remember=False)
        scaling = Scaling(grid=False, centre=(0.0, 0.0), spread=(1.0, 1.0))
        return [
            PhilMetadata(network=on_maps, feature_names=("x", "y"), scaling=Scaling()),
            PhilMetadata(network=on_any_map, feature_names=("x", "y"), scaling=Scaling()),
            PhilMetadata(
                network=on_graphs, feature_names=("feature_0", "feature_1"), scaling=scaling
            ),
        ]

    @property
    def traits(self) -> Traits:
        """With precomputed rows, which differ from goal to goal, it answers queries one by one."""
        return replace(super().traits, batches=not self.precompute)

    @property
    def summary(self) -> str:
        """The network's inputs and width."""
        return f"reads {self.metadata.network.inputs}; width {self.metadata.network.width}"

    def described(self, training: dict[str, Any], validation: dict[str, Any]) -> Self:
        """The same heuristic with metadata on how it was trained and how it scored."""
        other = super().described(training, validation)
        other.precompute = self.precompute
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        return *super().__reduce__(), {"precompute": self.precompute}

    @cached_property
    def weights(self) -> Weights:
        """The tensors in the kernel's layout."""
        return pack(self.metadata.network, self.tensors, self.metadata.scaling.edge_spread)

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> PhilGuide:
        """A guide for one search; raises `InputError` if the graph has other features."""
        graph = self.with_learned_features(graph)
        ends = (None if self.metadata.network.frame == "map" else start, goal)
        kept = self._take(graph, ends)
        if kept is None or not kept.is_for(graph, ends, self.precompute):
            kept = self._cache_for(graph, start, ends, kept)
        return PhilGuide(self, kept, graph, start)

    def _frame(self, graph: SearchedGraph, start: int, goal: int) -> Frame:
        """The scaling of a problem; raises `InputError` if the network does not fit its graph."""
        network = self.metadata.network
        scale = frame(graph, self.metadata.scaling, network.frame, (start, goal))
        check_axes(scale, self.metadata.feature_names)
        moves = graph.arrays.moves.shape[0]
        if network.walls and network.walls != moves:
            raise InputError(
                f"{self.name} was learned on {network.walls}-connected grids; this one is "
                f"{moves}-connected: train a heuristic for it"
            )
        edges = graph.arrays.edge_features.shape[1]
        if edges != network.edge_features:
            raise InputError(
                f"{self.name} was learned with {network.edge_features} features per edge, "
                f"this graph has {edges}"
            )
        return scale

    def precomputed_bytes(self, graph: AnyGraph) -> int:
        """The memory that `precompute=True` takes for one goal on a graph."""
        return precomputed_bytes(self.weights, graph)

    def give_back(self, lent: GoalCache) -> None:
        """Keep a guide's cache for the next search."""
        with self._lock:
            if len(self._free) < self.KEPT:
                self._free.append(lent)

    def _take(self, graph: SearchedGraph, ends: Ends) -> GoalCache | None:
        """A cache that no search uses: that of this goal, else of one alike, else the oldest."""
        with self._lock:
            known = [kept for kept in self._free if kept.is_for(graph, ends, self.precompute)]
            alike = [kept for kept in self._free if kept.is_alike(graph, ends)]
            kept = next(iter(known or alike or self._free), None)
            if kept is not None:
                self._free.remove(kept)
        return kept

    def _cache_for(
        self, graph: SearchedGraph, start: int, ends: Ends, old: GoalCache | None
    ) -> GoalCache:
        """A cache for a goal, which may reuse that of another one."""
        weights, cells, goal = self.weights, cells_of(graph), ends[1]
        scale = self._frame(graph, start, goal)
        if self.precompute:
            shared = self._precomputed_cache(graph, goal, scale)
            cache = None if old is None else old.cache
            if (
                cache is None
                or cache.place.size != graph.size
                or cache.near.size < graph.max_degree
            ):
                cache = allocate(weights, graph.size, graph.max_degree, rows=0, cells=cells)
            cache = cache.replace(**{name: getattr(shared, name) for name in OF_THE_GOAL})
            set_window(weights, cache, scale)
        elif old is not None and old.is_alike(graph, ends):
            cache = old.cache
            forget_map(cache)
        else:
            if old is None or old.precomputed:  # whose rows others share
                cache = allocate(weights, graph.size, graph.max_degree, cells=cells)
            else:
                cache = with_nodes(old.cache, graph.size, graph.max_degree)
                cache = with_cells(cache, cells)
            kernel.set_ends(weights, cache, graph.arrays, scale, start, goal)
        return self._kept(cache, graph, ends, scale)

    def _kept(self, cache: Cache, graph: SearchedGraph, ends: Ends, scale: Frame) -> GoalCache:
        return GoalCache(cache, weakref.ref(graph), map_shape(graph), *ends, scale, self.precompute)

    def _precomputed_cache(self, graph: SearchedGraph, goal: int, scale: Frame) -> Cache:
        """The rows of all nodes, which searches to the goal share."""
        if not graph.is_known:
            raise InputError(
                "precompute=True needs a graph that is known in full, not an implicit one"
            )
        if not self.weights.to_goal:
            raise InputError(
                f"{self.name} sees a map in the frame of the goal, in which nothing can be "
                "precomputed for other starts; load it without precompute=True"
            )
        with self._filling:
            ends = (None, goal)
            known = [kept for kept in self._precomputed if kept.is_for(graph, ends, True)]
            if not known:
                check_memory(
                    self.precomputed_bytes(graph), f"precomputing {graph.num_nodes:,} nodes"
                )
                cache = precompute(self.weights, graph, scale, goal)
                cache.counters[ROWS] = 0  # no more rows will be assigned, so there is room for all
                known = [self._kept(cache, graph, ends, scale)]
                self._precomputed = [*known, *self._precomputed[: self.KEPT_GOALS - 1]]
        return known[0].cache


def read_heuristic(
    path: Path, name: str | None = None, *, precompute: bool = False
) -> PhilHeuristic:
    """The heuristic in a file that PHIL learned."""
    heuristic = read_learned(path, {"phil": PhilHeuristic.from_file}, name)
    heuristic.precompute = precompute
    return heuristic
