"""The training losses: squared error of the values, and a ranking loss over open nodes.

Each is defined in torch, and compiled together with its gradient.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from phil.compiled import kernel, primitive

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
    values: Floats,
    distance: Floats,
    there: NDArray[np.bool_],
    underestimates: float,
    counted: int,
    grad: Floats,
) -> float:
    """`value_loss` of all values (V, P) that count, and its gradient.

    `there` (V, E) tells which of the first E values of each row count, `counted` how many in all.
    """
    loss = 0.0
    for row in range(values.shape[0]):
        for k in range(values.shape[1]):
            grad[row, k] = 0.0
            if k >= there.shape[1] or there[row, k]:
                error = values[row, k] - distance[row, k]
                weight = underestimates if error < 0 else 1.0
                loss += weight * error * error
                grad[row, k] = 2.0 * weight * error / counted
    return loss / counted


@kernel
def ranking_grad(
    values: Floats,
    distance: Floats,
    there: NDArray[np.bool_],
    temperature: Floats,
    share: float,
    grad: Floats,
) -> float:
    """Add `share` times the gradient of the sum of the lists' ranking losses; returns the loss.

    The lists are the first E of each row; `temperature` (V,) is on the scale of the row's values.
    """
    loss = 0.0
    for row in range(there.shape[0]):
        some = there[row]
        loss += _rank(values[row], distance[row], some, temperature[row], share, grad[row])
    return share * loss


@primitive
def _rank(
    values: Floats,
    distance: Floats,
    there: NDArray[np.bool_],
    temperature: float,
    share: float,
    grad: Floats,
) -> float:
    """The loss of one list; adds `share` times its gradient."""
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
        if there[k]:
            chance = np.exp((top - values[k]) / temperature) / total
            if distance[k] <= least:
                chance -= np.exp((top_right - values[k]) / temperature) / right
            grad[k] -= share * chance / temperature
    return float((top_right - top) / temperature + np.log(total) - np.log(right))
