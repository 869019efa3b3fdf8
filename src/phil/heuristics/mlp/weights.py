"""A multi-layer perceptron's tensors in the layout that the compiled kernel reads."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phil.compiled.vectors import aligned_zeros, padded
from phil.heuristics.file import Tensors, check_tensors
from phil.heuristics.mlp.metadata import KINDS, MlpMetadata, tensor_shapes


class MlpWeights(NamedTuple):
    """All hidden layers in arrays of one shape: how many there are is known at run time only."""

    matrices: NDArray[np.float32]  # (layers, inputs, outputs), padded with zeros
    biases: NDArray[np.float32]  # (layers, outputs), padded with zeros to whole vectors
    sizes: NDArray[np.int64]  # inputs of each layer, then the outputs of the last one
    last: NDArray[np.float32]  # the row that gives the value
    last_bias: float
    kind: int  # which inputs, see `phil.heuristics.mlp.features`


def pack(metadata: MlpMetadata, tensors: Tensors) -> MlpWeights:
    """The kernel's layout of a network's tensors (named as `tensor_shapes` says)."""
    check_tensors(tensor_shapes(metadata), tensors)
    sizes = (metadata.num_inputs, *metadata.hidden)
    layers, widest = len(metadata.hidden), padded(max(metadata.hidden))
    matrices = aligned_zeros(layers, max(sizes), widest)
    biases = aligned_zeros(layers, widest)
    for layer in range(layers):
        matrix = tensors[f"layers.{layer}.weight"].T
        matrices[layer, : matrix.shape[0], : matrix.shape[1]] = matrix
        biases[layer, : matrix.shape[1]] = tensors[f"layers.{layer}.bias"]
    last = aligned_zeros(padded(sizes[-1]))
    last[: sizes[-1]] = tensors[f"layers.{layers}.weight"][0]
    return MlpWeights(
        matrices=matrices,
        biases=biases,
        sizes=np.array(sizes, np.int64),
        last=last,
        last_bias=float(tensors[f"layers.{layers}.bias"][0]),
        kind=KINDS[metadata.inputs],
    )
