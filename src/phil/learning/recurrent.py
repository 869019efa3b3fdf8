"""The loss of a network with memory: truncated backpropagation through time, in torch."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from phil.heuristics.phil.batches import NodeBatch
from phil.heuristics.phil.network import PhilNetwork
from phil.learning.losses import ranking_loss, value_loss
from phil.learning.sampler import Events, Windows
from phil.learning.settings import TrainingSettings
from phil.learning.softmax_sum import embed


def sequence_loss(
    network: PhilNetwork,
    windows: Windows[NodeBatch],
    events: Events[NodeBatch] | None,
    settings: TrainingSettings,
) -> Tensor:
    """The value loss over windows, plus the ranking loss over events if there are any."""
    values, distance = _unroll(network, windows)
    loss = value_loss(values, distance, settings.underestimates)
    if events is None:
        return loss
    z = network.remember(embed(network, events.batch), torch.from_numpy(events.memory))
    exact, there = torch.from_numpy(events.distance), torch.from_numpy(events.there)
    scaled = network.value(z, events.batch).view_as(exact)
    spent = torch.from_numpy(events.spent)
    keys = (scaled + spent) * torch.from_numpy(events.scale).unsqueeze(1)
    return loss + settings.ranking * ranking_loss(keys, exact + spent, there, settings.temperature)


def _unroll(network: PhilNetwork, windows: Windows[NodeBatch]) -> tuple[Tensor, Tensor]:
    """The values and scaled distances of all nodes, with the memory carried from step to step."""
    embedded = embed(network, windows.batch)
    memory = torch.from_numpy(windows.memory)
    count, size = memory.shape
    order = np.argsort(windows.step, kind="stable")
    bounds = np.searchsorted(windows.step[order], np.arange(windows.step.max(initial=-1) + 2))
    pieces = []
    for begin, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        rows = torch.from_numpy(order[begin:end])
        owners = torch.from_numpy(windows.owner[order[begin:end]])
        z = network.remember(embedded[rows], memory[owners])
        pieces.append(z)
        met = torch.bincount(owners, minlength=count).unsqueeze(1)
        mean = torch.zeros(count, size).index_add(0, owners, z) / met.clamp(min=1)
        # Where nothing new was uncovered, the memory is unchanged.
        memory = torch.where(met > 0, network.carry(mean), memory)
    found = windows.batch
    batch = found._replace(goal=found.goal[order], node=found.node[order], local=found.local[order])
    values = network.value(torch.cat(pieces), batch)
    return values, torch.from_numpy(windows.distance[order])
