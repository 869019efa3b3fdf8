"""Multi-layer perceptrons that have learned nothing: any shape with random weights."""

from __future__ import annotations

import numpy as np

from phil.graphs import AnyGraph, Graph
from phil.heuristics.mlp import Inputs, MlpHeuristic, MlpMetadata
from phil.heuristics.mlp.specification import tensor_shapes
from phil.heuristics.scaling import Scaling, measure


def random_perceptron(
    inputs: Inputs = "grid",
    hidden: tuple[int, ...] = (100, 50),
    graph: AnyGraph | None = None,
    seed: int = 0,
) -> MlpHeuristic:
    """A heuristic for grids, or for graphs like the given one."""
    random = np.random.default_rng(seed)
    metadata = MlpMetadata(
        feature_names=("x", "y") if graph is None else graph.feature_names,
        method="sail",
        inputs=inputs,
        hidden=hidden,
        scaling=measure([graph], 7.5) if isinstance(graph, Graph) else Scaling(),
    )
    tensors = {
        name: random.normal(0, 1.5 / np.sqrt(shape[-1]) if len(shape) > 1 else 0.2, shape)
        for name, shape in tensor_shapes(metadata).items()
    }
    return MlpHeuristic(metadata, {k: v.astype(np.float32) for k, v in tensors.items()})
