"""What one Adam step of a network without a memory learns from, and its loss."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from phil.heuristics.phil.network import NodeBatch, PhilNetwork
from phil.learning.losses import ranking_loss, value_loss
from phil.learning.neighborhoods import embed
from phil.learning.settings import TrainingSettings


@dataclass(frozen=True)
class Examples:
    """What one Adam step learns from: P nodes of each of G trajectories.

    batch: all nodes in order; distance (G, P): scaled distances; there (G, E): the first E nodes of
    each trajectory are a ranking event, where they exist; scale (G,): of a value, in moves.
    """

    batch: NodeBatch
    distance: NDArray[np.float32]
    there: NDArray[np.bool_]
    scale: NDArray[np.float32]


def node_loss(network: PhilNetwork, examples: Examples, settings: TrainingSettings) -> Tensor:
    """The loss in torch: squared errors of all nodes, and the order of the ranking events."""
    batch = examples.batch
    memory = torch.zeros(len(batch.node), network.settings.memory)
    flat = network.value(network.remember(embed(network, batch), memory), batch.goal)
    distance, there = torch.from_numpy(examples.distance), torch.from_numpy(examples.there)
    values, events = flat.view_as(distance), there.shape[1]
    counted = torch.cat([there, torch.ones(values[:, events:].shape, dtype=torch.bool)], 1)
    loss = value_loss(values[counted], distance[counted], settings.underestimates)
    if not settings.ranking:
        return loss
    moves = values[:, :events] * torch.from_numpy(examples.scale).unsqueeze(1)
    ranked = ranking_loss(moves, distance[:, :events], there, settings.temperature)
    return loss + settings.ranking * ranked
