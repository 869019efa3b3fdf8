"""A multi-layer perceptron as a heuristic."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from threading import Lock
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from phil.graphs import SearchedGraph
from phil.heuristics.file import LearnedHeuristic, Tensors
from phil.heuristics.mlp import kernel
from phil.heuristics.mlp.kernel import MlpWorkspace
from phil.heuristics.mlp.specification import (
    KINDS,
    MlpMetadata,
    MlpMethod,
    MlpWeights,
    pack,
    tensor_shapes,
)
from phil.heuristics.obstacles import Obstacles, ObstaclesPool, check_known_map
from phil.heuristics.obstacles import allocate as allocate_obstacles
from phil.heuristics.scaling import Frame, Scaling, check_axes, frame
from phil.search.batch import Batch
from phil.search.guide import Expansion, Traits
from phil.search.state import State


class MlpGuide:
    """Guides one search with a multi-layer perceptron."""

    def __init__(
        self, owner: MlpHeuristic, work: MlpWorkspace, graph: SearchedGraph, scale: Frame, goal: int
    ) -> None:
        self._owner = owner
        self._work = work
        self._graph = graph
        self._frame = scale
        self._goal = goal
        self._weights = owner.weights
        self._closed = False
        kernel.set_goal(work, graph.arrays, scale, goal)

    def close(self) -> None:
        """Return the workspace to the heuristic; further calls do nothing."""
        if not self._closed:
            self._closed = True
            self._owner.give_back(self._work)

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """The values of V_new, given what has been discovered so far."""
        values = np.empty(expansion.new.size)
        kernel.evaluate(
            self._weights,
            self._work,
            self._graph.arrays,
            self._frame,
            expansion.node,
            np.ascontiguousarray(expansion.new),
            np.ascontiguousarray(expansion.g),
            np.ascontiguousarray(expansion.depth),
            values,
        )
        return values

    def run(self, state: State, budget: int) -> int:
        """The whole search, compiled."""
        return kernel.run(
            state,
            self._weights,
            self._work,
            self._graph.arrays,
            self._frame,
            self._goal,
            budget,
        )

    def run_batch(self, state: State, batch: Batch) -> int:
        """Many searches, compiled."""
        return kernel.run_batch(
            batch, state, self._weights, self._work, self._graph.arrays, self._frame
        )


class MlpHeuristic(LearnedHeuristic):
    """A heuristic learned by SaIL, supervised learning, CEM or Q-learning.

    A node's value is the network's estimate, in moves, when the node enters OPEN. With SaIL's
    features of grids, it depends on the blocked cells next to the nodes expanded so far.
    """

    methods = get_args(MlpMethod)
    metadata_type = MlpMetadata
    metadata: MlpMetadata
    KEPT = 4  # workspaces kept for reuse

    def __init__(self, metadata: MlpMetadata, tensors: Tensors, name: str | None = None) -> None:
        super().__init__(metadata, tensors, name)
        self._obstacles = ObstaclesPool()
        self._free: list[MlpWorkspace] = []
        self._lock = Lock()

    @property
    def method(self) -> str:
        """The method that learned it."""
        return self.metadata.method

    @property
    def traits(self) -> Traits:
        """With SaIL's features it needs the whole map."""
        reads_map = self.metadata.inputs == "grid"
        traits = replace(super().traits, batches=True)
        return replace(traits, needs_grid=True, needs_whole_graph=True) if reads_map else traits

    @classmethod
    def tensor_shapes(cls, metadata: MlpMetadata) -> dict[str, tuple[int, ...]]:
        """Name and shape of every tensor of the network."""
        return tensor_shapes(metadata)

    @classmethod
    def samples(cls) -> list[MlpMetadata]:
        """A small network with each kind of inputs, for 2D maps."""
        return [
            MlpMetadata(
                feature_names=("x", "y"),
                method="sail",
                inputs=inputs,
                hidden=(4, 4),
                scaling=Scaling(),
            )
            for inputs in KINDS
        ]

    @property
    def summary(self) -> str:
        """The network's inputs and layers."""
        layers = " x ".join(map(str, self.metadata.hidden))
        return f"{self.method}; reads {self.metadata.num_inputs} inputs; layers of {layers}"

    @cached_property
    def weights(self) -> MlpWeights:
        """The tensors in the kernel's layout."""
        return pack(self.metadata, self.tensors)

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> MlpGuide:
        """A guide for one search; raises `InputError` if the graph is of another kind."""
        graph = self.with_learned_features(graph)
        scale = frame(graph, self.metadata.scaling)
        check_axes(scale, self.metadata.feature_names)
        if self.metadata.inputs == "grid":
            obstacles = self._obstacles.take(check_known_map(graph, self.name))
        else:
            obstacles = NO_OBSTACLES
        with self._lock:
            work = self._free.pop() if self._free else None
        if work is None:
            work = kernel.allocate(self.weights, self.metadata.features, obstacles)
        return MlpGuide(self, work.replace(obstacles=obstacles), graph, scale, goal)

    def give_back(self, work: MlpWorkspace) -> None:
        """Keep a guide's workspace for the next search."""
        if work.obstacles is not NO_OBSTACLES:
            self._obstacles.give_back(work.obstacles)
        with self._lock:
            if len(self._free) < self.KEPT:
                self._free.append(work.replace(obstacles=NO_OBSTACLES))


NO_OBSTACLES: Obstacles = allocate_obstacles(0, 0)
