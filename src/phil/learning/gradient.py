"""The loss of a network without memory in torch, and its compiled gradient."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from phil.heuristics.phil.batches import NodeBatch
from phil.heuristics.phil.gradient import Gradient
from phil.heuristics.phil.network import PhilNetwork
from phil.heuristics.phil.specification import NetworkSettings
from phil.learning.losses import ranking_grad, ranking_loss, value_grad, value_loss
from phil.learning.settings import TrainingSettings
from phil.learning.softmax_sum import embed

B = TypeVar("B")  # a batch of nodes, as the network reads it


@dataclass(frozen=True)
class Examples(Generic[B]):
    """The batch of one Adam step: P nodes of each of G roll-outs.

    batch: all nodes in order; distance (G, P): scaled; there (G, E): the first E nodes of each
    roll-out are a ranking event, this marks which of them exist; spent (G, E): what the search's
    key adds to their values, scaled; scale (G,): the distance of a value of 1.
    """

    batch: B
    distance: NDArray[np.float32]
    there: NDArray[np.bool_]
    spent: NDArray[np.float32]
    scale: NDArray[np.float32]


def node_loss(
    network: PhilNetwork, examples: Examples[NodeBatch], settings: TrainingSettings
) -> Tensor:
    """The loss in torch: value loss of all nodes plus ranking loss of the events."""
    batch = examples.batch
    memory = torch.zeros(len(batch.node), network.settings.memory)
    z = network.remember(embed(network, batch), memory)
    return loss_of(network.value(z, batch), examples, settings)


def loss_of(given: Tensor, examples: Examples[Any], settings: TrainingSettings) -> Tensor:
    """The loss in torch of values that a network has given for a batch."""
    distance, there = torch.from_numpy(examples.distance), torch.from_numpy(examples.there)
    values = given.view_as(distance)
    events = there.shape[1]
    counted = torch.cat([there, torch.ones(values[:, events:].shape, dtype=torch.bool)], 1)
    loss = value_loss(values[counted], distance[counted], settings.underestimates)
    if not settings.ranking:
        return loss
    spent = torch.from_numpy(examples.spent)
    keys = (values[:, :events] + spent) * torch.from_numpy(examples.scale).unsqueeze(1)
    ranked = ranking_loss(keys, distance[:, :events] + spent, there, settings.temperature)
    return loss + settings.ranking * ranked


class CompiledGradient:
    """Adds the gradient of `node_loss` to that of a network with flattened weights."""

    def __init__(
        self, network: NetworkSettings, vector: nn.Parameter, settings: TrainingSettings
    ) -> None:
        assert vector.grad is not None
        self._settings = settings
        self._gradient = Gradient(network, vector.detach().numpy(), vector.grad.numpy())

    def add(self, examples: Examples[NodeBatch]) -> float:
        """Add the gradient of the loss; returns the loss."""
        settings, there, exact = self._settings, examples.there, examples.distance
        values = self._gradient.forward(examples.batch).reshape(exact.shape)
        values_grad = np.empty_like(values)
        counted = exact.size - there.size + int(np.count_nonzero(there))
        loss = value_grad(values, exact, there, settings.underestimates, counted, values_grad)
        if settings.ranking:
            # The temperature is in the unit of distances; divided by the scale it is in values.
            scaled, share = settings.temperature / examples.scale, settings.ranking / len(there)
            keys, best = (_with_spent(of, examples.spent) for of in (values, exact))
            loss += ranking_grad(keys, best, there, scaled, share, values_grad)
        self._gradient.backward(examples.batch, values_grad)
        return loss


def _with_spent(values: NDArray[np.float32], spent: NDArray[np.float32]) -> NDArray[np.float32]:
    """The keys of the nodes in ranking events; in a greedy search, they are the values."""
    if not spent.any():
        return values
    keys = values.copy()
    keys[:, : spent.shape[1]] += spent
    return keys


def flatten(network: nn.Module) -> nn.Parameter:
    """Make the network's weights views of one vector, which an optimiser updates quickly.

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
