"""The GRU cell on an empty memory, compiled, with its gradient.

Without a memory only the inputs (already multiplied) and the biases of the memory's half are left.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel, primitive
from phil.heuristics.phil.exponential import exp32

Floats = NDArray[np.float32]

ONE = np.float32(1.0)
TWO = np.float32(2.0)


@primitive
def _sigmoid(x: np.float32) -> np.float32:
    return ONE / (ONE + exp32(-x))


@kernel
def pass_gates(gates: Floats, bias: Floats, out: Floats) -> None:
    """z (first columns of out) of gates (B, 3 d), which become reset, update and fresh memory."""
    size = bias.size // 3
    fresh_bias = bias[2 * size :]
    for i in range(gates.shape[0]):
        open_gates, fresh, into = gates[i, : 2 * size], gates[i, 2 * size :], out[i]
        for j in range(2 * size):
            open_gates[j] = _sigmoid(open_gates[j] + bias[j])
        for j in range(size):
            fresh[j] += open_gates[j] * fresh_bias[j]
        for j in range(size):
            # The hyperbolic tangent.
            fresh[j] = TWO * _sigmoid(TWO * fresh[j]) - ONE
        for j in range(size):
            into[j] = (ONE - open_gates[size + j]) * fresh[j]


@kernel
def gates_gradient(gates: Floats, bias: Floats, arrived: Floats, to_bias: Floats) -> None:
    """Turn gates that were passed into the gradients of their inputs; add up that of the bias."""
    size = bias.size // 3
    for i in range(gates.shape[0]):
        row, back = gates[i], arrived[i]
        for j in range(size):
            reset, update, fresh = row[j], row[size + j], row[2 * size + j]
            to_fresh = back[j] * (ONE - update) * (ONE - fresh * fresh)
            to_reset = to_fresh * bias[2 * size + j] * reset * (ONE - reset)
            to_update = -back[j] * fresh * update * (ONE - update)
            row[j] = to_reset
            row[size + j] = to_update
            row[2 * size + j] = to_fresh
            to_bias[j] += to_reset
            to_bias[size + j] += to_update
            to_bias[2 * size + j] += to_fresh * reset
