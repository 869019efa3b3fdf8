"""A multi-layer perceptron as a heuristic."""

from __future__ import annotations

from functools import cached_property
from threading import Lock
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from phil.graphs import SearchedGraph
from phil.heuristics.file import HeuristicFile, Tensors, check_tensors
from phil.heuristics.learned_features import with_learned_features
from phil.heuristics.mlp import kernel
from phil.heuristics.mlp.kernel import Room
from phil.heuristics.mlp.metadata import MlpMetadata, tensor_shapes
from phil.heuristics.mlp.weights import MlpWeights, pack
from phil.heuristics.obstacles import Obstacles, ObstaclesPool, check_known_grid
from phil.heuristics.obstacles import allocate as allocate_obstacles
from phil.heuristics.phil.scaling import Frame, check_axes, frame
from phil.search.guide import Expansion
from phil.search.state import State


class MlpGuide:
    """Guides one search with a multi-layer perceptron."""

    def __init__(
        self, owner: MlpHeuristic, room: Room, graph: SearchedGraph, scale: Frame, goal: int
    ) -> None:
        self._owner = owner
        self._room = room
        self._graph = graph
        self._frame = scale
        self._goal = goal
        self._weights = owner.weights
        kernel.set_goal(room, graph.arrays, scale, goal)

    def close(self) -> None:
        """Give the workspace back, for the next search."""
        self._owner.give_back(self._room)

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """The values of one V_new, by what has been uncovered so far."""
        values = np.empty(expansion.new.size)
        kernel.evaluate(
            self._weights,
            self._room,
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
            self._room,
            self._graph.arrays,
            self._frame,
            self._goal,
            budget,
        )


class MlpHeuristic:
    """A heuristic learned by SaIL, supervised learning, CEM or Q-learning.

    A node's value is what the network says of it when it enters OPEN, in moves. With SaIL's
    features of grids it looks at the blocked cells next to the nodes expanded so far.
    """

    KEPT = 4  # rooms lent out again instead of being allocated anew

    def __init__(self, metadata: MlpMetadata, tensors: Tensors, name: str | None = None) -> None:
        self.metadata = metadata
        self.tensors = tensors
        self.name = metadata.method if name is None else name
        self._obstacles = ObstaclesPool()
        self._free: list[Room] = []
        self._lock = Lock()

    @property
    def method(self) -> str:
        """The method that learned it."""
        return self.metadata.method

    @classmethod
    def from_file(cls, file: HeuristicFile, name: str) -> Self:
        """The heuristic of a file; `InputError` or `ValueError` if it is damaged."""
        metadata = MlpMetadata.model_validate_json(file.metadata)
        check_tensors(tensor_shapes(metadata), file.tensors)
        if metadata.method != file.method:
            raise ValueError(f"a file of {file.method}, but metadata of {metadata.method}")
        return cls(metadata, file.tensors, name)

    def described(self, training: dict[str, Any], validation: dict[str, Any]) -> Self:
        """The same heuristic, whose metadata say how it was made and how it scored."""
        told = {"training": training, "validation": validation}
        return type(self)(self.metadata.model_copy(update=told), self.tensors, self.name)

    @cached_property
    def weights(self) -> MlpWeights:
        """The tensors in the kernel's layout."""
        return pack(self.metadata, self.tensors)

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> MlpGuide:
        """A guide for one search; an `InputError` if the graph is of another kind."""
        graph = with_learned_features(graph, self.metadata, self.name)
        scale = frame(graph, self.metadata.scaling)
        check_axes(scale, self.metadata.feature_names)
        if self.metadata.inputs == "grid":
            obstacles = self._obstacles.take(check_known_grid(graph, self.name))
        else:
            obstacles = NO_OBSTACLES
        with self._lock:
            room = self._free.pop() if self._free else None
        if room is None:
            room = kernel.allocate(self.weights, self.metadata.features, obstacles)
        return MlpGuide(self, room._replace(obstacles=obstacles), graph, scale, goal)

    def give_back(self, room: Room) -> None:
        """Keep a guide's working room for the next search."""
        if room.obstacles is not NO_OBSTACLES:
            self._obstacles.give_back(room.obstacles)
        with self._lock:
            if len(self._free) < self.KEPT:
                self._free.append(room._replace(obstacles=NO_OBSTACLES))


NO_OBSTACLES: Obstacles = allocate_obstacles(0, 0)
