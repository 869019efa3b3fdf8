"""Adam with clipped gradients and a moving average of the weights, compiled.

It computes what `torch.optim.Adam` does, which takes longer than that for a few thousand weights,
and a second to be imported.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel

Floats = NDArray[np.float32]

BETA_1, BETA_2 = 0.9, 0.999  # decay of the two moments, as usual
EPSILON = 1e-8


@kernel
def adam_step(
    weights: Floats,
    grads: Floats,
    exp_avg: Floats,
    exp_avg_sq: Floats,
    average: Floats,
    step: int,
    learning_rate: float,
    clip: float,
    decay: float,
) -> None:
    """Take a step, numbered from 1; the gradient is scaled down to a norm of at most `clip`.

    `average` becomes decay * average + (1 - decay) * weights.
    """
    squares = 0.0
    for k in range(grads.size):
        squares += np.float64(grads[k]) * np.float64(grads[k])
    scale = np.float32(min(1.0, clip / (np.sqrt(squares) + 1e-6)))
    size = np.float32(learning_rate / (1.0 - BETA_1**step))
    correction = np.float32(np.sqrt(1.0 - BETA_2**step))
    first, second = np.float32(1.0 - BETA_1), np.float32(1.0 - BETA_2)
    epsilon, share = np.float32(EPSILON), np.float32(1.0 - decay)
    for k in range(grads.size):
        grad = scale * grads[k]
        grads[k] = grad
        exp_avg[k] += first * (grad - exp_avg[k])
        exp_avg_sq[k] += second * (grad * grad - exp_avg_sq[k])
        weights[k] -= size * exp_avg[k] / (np.sqrt(exp_avg_sq[k]) / correction + epsilon)
        average[k] += share * (weights[k] - average[k])
