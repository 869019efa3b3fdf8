"""What training minimises: squared error of values, and the order of the open nodes."""

from __future__ import annotations

import torch
from torch import Tensor


def value_loss(values: Tensor, distance: Tensor, underestimates: float) -> Tensor:
    """Mean squared error; an estimate below the distance weighs `underestimates` times as much.

    An underestimate attracts the search to a node, an overestimate only delays it.
    """
    error = (values - distance).square()
    if underestimates != 1.0:
        error = torch.where(values < distance, underestimates * error, error)
    return error.mean()


def ranking_loss(values: Tensor, distance: Tensor, there: Tensor, temperature: float) -> Tensor:
    """Listwise cross-entropy: the probability of taking a best node from each list of open nodes.

    All arguments (V, E); `there` marks the entries that exist. Only the order of OPEN matters to a
    search, and this is its smooth measure: logits are -value / temperature, and all nodes of least
    distance are right.
    """
    logits = (-values / temperature).masked_fill(~there, -torch.inf)
    least = distance.masked_fill(~there, torch.inf).amin(1, keepdim=True)
    right = logits.masked_fill(distance > least, -torch.inf)
    return (logits.logsumexp(1) - right.logsumexp(1)).mean()
