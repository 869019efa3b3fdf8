"""The training losses: squared error of the values, and a ranking loss over open nodes.

Each is defined in torch, and compiled together with its gradient.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from phil.compiled import kernel

Floats = NDArray[np.float32]


def value_loss(values: Tensor, distance: Tensor, underestimates: float) -> Tensor:
    """Mean squared error; underestimates are weighted by the factor `underestimates`.

    An underestimate attracts the search to a node; an overestimate only delays its expansion.
    """
    error = (values - distance).square()
    if underestimates != 1.0:
        error = torch.where(values < distance, underestimates * error, error)
    return error.mean()


def ranking_loss(values: Tensor, distance: Tensor, there: Tensor, temperature: float) -> Tensor:
    """Listwise cross-entropy of choosing a closest node from each list of open nodes.

    All arguments are (V, E); `there` marks the entries that exist. Only the order of OPEN matters
    to a search, and this is a smooth measure of it: logits are -value / temperature, and all nodes
    of least distance are correct.
    """
    logits = (-values / temperature).masked_fill(~there, -torch.inf)
    least = distance.masked_fill(~there, torch.inf).amin(1, keepdim=True)
    right = logits.masked_fill(distance > least, -torch.inf)
    return (logits.logsumexp(1) - right.logsumexp(1)).mean()


@kernel
def value_grad(
    values: Floats, distance: Floats, there: NDArray[np.bool_], underestimates: float, grad: Floats
) -> float:
    """The sum (not mean) of `value_loss`, and its gradient; `there` masks the first values."""
    loss = 0.0
    for k in range(values.size):
        grad[k] = 0.0
        if k >= there.size or there[k]:
            error = values[k] - distance[k]
            weight = underestimates if error < 0 else 1.0
            loss += weight * error * error
            grad[k] = 2.0 * weight * error
    return loss


@kernel
def ranking_grad(
    values: Floats, distance: Floats, there: NDArray[np.bool_], temperature: float, grad: Floats
) -> float:
    """`ranking_loss` of one list, and its gradient; values and temperature have one scale."""
    least = np.inf
    top = np.inf
    top_right = np.inf
    for k in range(there.size):
        if there[k] and distance[k] < least:
            least = distance[k]
    for k in range(there.size):
        if there[k]:
            top = min(top, values[k])
            if distance[k] <= least:
                top_right = min(top_right, values[k])
    total = 0.0
    right = 0.0
    for k in range(there.size):
        if there[k]:
            total += np.exp((top - values[k]) / temperature)
            if distance[k] <= least:
                right += np.exp((top_right - values[k]) / temperature)
    for k in range(there.size):
        grad[k] = 0.0
        if there[k]:
            share = np.exp((top - values[k]) / temperature) / total
            if distance[k] <= least:
                share -= np.exp((top_right - values[k]) / temperature) / right
            grad[k] = -share / temperature
    return float((top_right - top) / temperature + np.log(total) - np.log(right))
