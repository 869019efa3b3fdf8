"""The same network in torch, called once per expansion, as a guide of the same search."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import AnyGraph, SearchedGraph
from phil.heuristics.phil import PhilHeuristic
from phil.heuristics.phil.batches import Gatherer
from phil.heuristics.phil.network import PhilNetwork
from phil.heuristics.scaling import frame
from phil.problems import Problem
from phil.search.guide import Expansion

TREND = 0.9  # the trend of the steps to a node: this share of its parent's, the rest is its own


class TorchHeuristic:
    """A learned heuristic whose values torch computes, eagerly and on one thread."""

    name = "torch"

    def __init__(self, heuristic: PhilHeuristic) -> None:
        self.metadata = heuristic.metadata
        self.network = PhilNetwork(heuristic.metadata.network)
        self.network.load_state_dict(
            {name: torch.from_numpy(tensor) for name, tensor in heuristic.tensors.items()}
        )

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> TorchGuide:
        """A guide for one search."""
        if not graph.is_known:
            raise InputError("the comparison with torch needs a graph that is known in full")
        return TorchGuide(self, graph, start, goal)


class TorchGuide:
    """Guides one search; what it reads of the graph is gathered by compiled code."""

    def __init__(self, owner: TorchHeuristic, graph: AnyGraph, start: int, goal: int) -> None:
        settings, scaling = owner.metadata.network, owner.metadata.scaling
        self._network = owner.network
        self._gatherer = Gatherer([Problem(graph, start, goal)], settings, scaling)
        self._frame = frame(graph, scaling)
        self._features = graph.features
        self._trails = settings.trail
        self._trend = {start: np.zeros(settings.features, np.float32)}
        self._memory = torch.zeros(settings.memory)

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """The values of V_new; moves the memory on."""
        if not expansion.new.size:
            return np.empty(0)
        group = (0, expansion.new, self._trail(expansion))
        with torch.inference_mode():
            values, self._memory = self._network(self._gatherer.gather([group]), self._memory)
        scaled: NDArray[np.float64] = values.double().numpy()
        return scaled * self._frame.distance

    def _trail(self, expansion: Expansion) -> NDArray[np.float32]:
        """How the search came to each node: depth, last step, trend of the steps."""
        if not self._trails:
            return np.empty((expansion.new.size, 0), np.float32)
        steps = (self._features[expansion.new] - self._features[expansion.node]) / self._frame.step
        trends = TREND * self._trend[expansion.node] + (1 - TREND) * steps
        self._trend.update(zip(expansion.new.tolist(), trends, strict=True))
        depth = expansion.depth[:, None] / self._frame.distance
        return np.hstack([depth, steps, trends]).astype(np.float32)
