"""The small compiled functions that a network is made of.

Sums run over the inputs in sequence and vectorise over the outputs, so a value does not depend on
how many nodes are evaluated together.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import primitive

Floats = NDArray[np.float32]

LEAK = np.float32(0.01)


@primitive
def affine(x: Floats, size: int, matrix: Floats, bias: Floats, out: Floats) -> None:
    """out = x[:size] @ matrix + bias."""
    outputs = bias.size
    for j in range(outputs):
        out[j] = bias[j]
    for k in range(size):
        scale = x[k]
        for j in range(outputs):
            out[j] += scale * matrix[k, j]


@primitive
def leak(x: Floats, size: int) -> None:
    for j in range(size):
        x[j] = x[j] if x[j] >= 0 else LEAK * x[j]


@primitive
def sigmoid(x: np.float32) -> np.float32:
    return np.float32(1.0) / (np.float32(1.0) + np.exp(-x))
