"""A network's weights as parts of one vector: an optimiser moves it in a few large operations."""

from __future__ import annotations

import torch
from torch import nn


def flatten(network: nn.Module) -> nn.Parameter:
    """A vector whose parts the network's weights become, and its gradient theirs.

    >>> layer = nn.Linear(2, 1)
    >>> vector = flatten(layer)
    >>> with torch.no_grad():
    ...     _ = vector.fill_(3.0)
    >>> layer.weight.tolist(), layer.bias.tolist()
    ([[3.0, 3.0]], [3.0])
    """
    weights = list(network.parameters())
    vector = nn.Parameter(torch.cat([weight.detach().flatten() for weight in weights]))
    vector.grad = torch.zeros_like(vector)
    begin = 0
    for weight in weights:
        end = begin + weight.numel()
        weight.data = vector.data[begin:end].view_as(weight)
        weight.grad = vector.grad[begin:end].view_as(weight)
        begin = end
    return vector
