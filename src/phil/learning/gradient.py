"""The loss of a network without memory in torch, and its compiled gradient."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from phil.compiled import allocating_kernel
from phil.heuristics.phil.batches import Floats, NodeBatch
from phil.heuristics.phil.gradient import (
    GradientWorkspace,
    Parameters,
    allocate_gradient,
    backward,
    begin_batch,
    end_batch,
    forward,
    parameters_in,
)
from phil.heuristics.phil.network import PhilNetwork
from phil.heuristics.phil.specification import NetworkSettings
from phil.learning.losses import ranking_grad, ranking_loss, value_grad, value_loss
from phil.learning.settings import TrainingSettings
from phil.learning.softmax_sum import embed


@dataclass(frozen=True)
class Examples:
    """The batch of one Adam step: P nodes of each of G roll-outs.

    batch: all nodes in order; distance (G, P): scaled; there (G, E): the first E nodes of each
    roll-out are a ranking event, this marks which of them exist; scale (G,): the distance of a
    value of 1.
    """

    batch: NodeBatch
    distance: NDArray[np.float32]
    there: NDArray[np.bool_]
    scale: NDArray[np.float32]


def node_loss(network: PhilNetwork, examples: Examples, settings: TrainingSettings) -> Tensor:
    """The loss in torch: value loss of all nodes plus ranking loss of the events."""
    batch = examples.batch
    memory = torch.zeros(len(batch.node), network.settings.memory)
    z = network.remember(embed(network, batch), memory)
    distance, there = torch.from_numpy(examples.distance), torch.from_numpy(examples.there)
    values = network.value(z, torch.from_numpy(batch.goal)).view_as(distance)
    events = there.shape[1]
    counted = torch.cat([there, torch.ones(values[:, events:].shape, dtype=torch.bool)], 1)
    loss = value_loss(values[counted], distance[counted], settings.underestimates)
    if not settings.ranking:
        return loss
    moves = values[:, :events] * torch.from_numpy(examples.scale).unsqueeze(1)
    ranked = ranking_loss(moves, distance[:, :events], there, settings.temperature)
    return loss + settings.ranking * ranked


class CompiledGradient:
    """Adds the gradient of `node_loss` to that of a network with flattened weights."""

    def __init__(
        self, network: NetworkSettings, vector: nn.Parameter, settings: TrainingSettings
    ) -> None:
        assert vector.grad is not None
        self._settings = settings
        self._parameters = parameters_in(network, vector.detach().numpy())
        self._grads = parameters_in(network, vector.grad.numpy())
        nodes = settings.nodes + (settings.ranking_size if settings.ranking else 0)
        self._workspace = allocate_gradient(network, self._parameters, nodes)
        self._values_grads = np.zeros((2, nodes), np.float32)

    def add(self, examples: Examples) -> float:
        """Add the gradient of the loss; returns the loss."""
        settings, there = self._settings, examples.there
        missing = there.size - int(np.count_nonzero(there))
        return _add(
            self._parameters,
            self._grads,
            self._workspace,
            self._values_grads,
            examples.batch,
            examples.distance,
            there,
            examples.scale,
            1.0 / (examples.distance.size - missing),
            settings.underestimates,
            settings.ranking / len(there),
            settings.temperature,
        )


@allocating_kernel
def _add(
    parameters: Parameters,
    grads: Parameters,
    workspace: GradientWorkspace,
    values_grads: Floats,
    batch: NodeBatch,
    distance: Floats,
    there: NDArray[np.bool_],
    scale: Floats,
    share: float,
    underestimates: float,
    ranking: float,
    temperature: float,
) -> float:
    values, values_grad, ranked = workspace.values, values_grads[0], values_grads[1]
    begin_batch(parameters, workspace)
    loss = 0.0
    for group in range(distance.shape[0]):
        forward(parameters, workspace, batch, group)
        exact, some = distance[group], there[group]
        loss += share * value_grad(values, exact, some, underestimates, values_grad)
        for k in range(values.size):
            values_grad[k] *= share
        if ranking > 0:
            # The temperature is in the unit of distances; divided by the scale it is in values.
            scaled = temperature / scale[group]
            loss += ranking * ranking_grad(values, exact, some, scaled, ranked)
            for k in range(some.size):
                values_grad[k] += ranking * ranked[k]
        backward(parameters, grads, workspace, batch, group, values_grad)
    end_batch(workspace, grads)
    return loss


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
