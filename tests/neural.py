"""Heuristics of Neural A* that have learned nothing: any shape of encoder with random weights."""

from __future__ import annotations

import numpy as np

from phil.heuristics.neural_astar import (
    EncoderSettings,
    NeuralAstarHeuristic,
    NeuralAstarMetadata,
)
from phil.heuristics.neural_astar.encoder import tensor_shapes

SMALL = EncoderSettings(channels=(4, 6, 5), patch=2, most_cost=3.0)


def random_neural_astar(
    settings: EncoderSettings = SMALL, block: int = 1, seed: int = 0
) -> NeuralAstarHeuristic:
    """A heuristic whose guidance costs differ from cell to cell."""
    random = np.random.default_rng(seed)
    tensors = {
        name: random.normal(0, 2.0 / np.sqrt(np.prod(shape[:-1])), shape).astype(np.float32)
        for name, shape in tensor_shapes(settings).items()
    }
    metadata = NeuralAstarMetadata(feature_names=("x", "y"), encoder=settings, block=block)
    return NeuralAstarHeuristic(metadata, tensors)
