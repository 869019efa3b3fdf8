"""Networks as users write them."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from phil.heuristics.own import OwnHeuristic, OwnMetadata
from phil.heuristics.scaling import Scaling
from phil.learning.learner import tensors_of


class Perceptron(nn.Module):
    """It reads the features of a node and of the goal."""

    def __init__(self, features: int, width: int = 16) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(2 * features, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.last = nn.Linear(width, 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.last(self.layers(x)).squeeze(1)  # type: ignore[no-any-return]


class Beeline(nn.Module):
    """It reads the distance to the goal alone, and learns a factor."""

    def __init__(self, features: int) -> None:
        super().__init__()
        self.factor = nn.Parameter(torch.tensor([-1.0]))
        self.register_buffer("unused", torch.zeros(3))

    def inputs(self, graph: Any, nodes: NDArray[np.int32], goal: int) -> NDArray[np.float32]:
        gap = graph.features_of(nodes) - graph.features_of([goal])
        distances: NDArray[np.float32] = np.linalg.norm(gap, axis=1, keepdims=True)
        return distances

    def forward(self, x: Tensor) -> Tensor:
        return self.factor * x


def random_own(features: tuple[str, ...] = ("x", "y"), seed: int = 0) -> OwnHeuristic:
    """A perceptron with random weights, for grids."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = Perceptron(len(features))
    metadata = OwnMetadata(feature_names=features, network="Perceptron", scaling=Scaling())
    return OwnHeuristic(metadata, tensors_of(network), partial(Perceptron, width=16))
