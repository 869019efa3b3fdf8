"""The PHIL network (Algorithm 2) in torch: what is trained.

Every new fringe node is embedded by f, convolved with at most n neighbours, passed through a GRU
together with the memory, and read out by an MLP. The compiled kernel computes the same values.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

from phil.heuristics.phil.convolutions import convolution
from phil.heuristics.phil.settings import NetworkSettings

WALL_SPREAD = 0.3  # of the first embeddings of walls: about that of a convolved node


@dataclass(frozen=True)
class NodeBatch:
    """Nodes to evaluate. f is computed once per row of `rows`, whoever refers to it.

    rows (R, 2 D): scaled features of a node and of the goal; node (B,), neighbor (B, n): rows of a
    node and of its neighbours; mask (B, n): which neighbours exist; edge (B, n, De): edge features;
    missing (B,): moves of a grid that are blocked, as bits; goal (B, D): scaled features of the
    goal; trail (B, T): how the search came to a node.
    """

    rows: Tensor
    node: Tensor
    neighbor: Tensor
    mask: Tensor
    edge: Tensor
    missing: Tensor
    goal: Tensor
    trail: Tensor


class PhilNetwork(nn.Module):
    """The trainable heuristic; all values are in scaled distances."""

    def __init__(self, settings: NetworkSettings) -> None:
        super().__init__()
        self.settings = settings
        width, features = settings.width, settings.features
        sizes = [2 * features + settings.distances] + [width] * settings.layers
        self.f = nn.ModuleList(nn.Linear(before, after) for before, after in pairwise(sizes))
        self.convolution = convolution(settings)
        self.walls = nn.Embedding(2**settings.walls, width) if settings.walls else None
        if self.walls is not None:
            nn.init.normal_(self.walls.weight, std=WALL_SPREAD)
        self.trail = nn.Linear(settings.trail_size, width, bias=False) if settings.trail else None
        self.gru = nn.GRUCell(width, settings.memory)
        self.out = nn.ModuleList(
            [
                nn.Linear(settings.memory + features, width),
                nn.Linear(width, width),
                nn.Linear(width, 1),
            ]
        )

    def lift(self, rows: Tensor) -> Tensor:
        """f (R, width) of rows of features of a node and of the goal."""
        features = self.settings.features
        here, goal = rows[:, :features], rows[:, features:]
        x = torch.cat([here, goal, *self._distances(here, goal)], 1)
        for layer in self.f[:-1]:
            x = functional.leaky_relu(layer(x))
        lifted: Tensor = self.f[-1](x)
        return lifted

    def _distances(self, here: Tensor, goal: Tensor) -> list[Tensor]:
        """Euclidean and cosine distance; of each group of features both and the largest gap."""
        groups = self.settings.groups
        sizes = list(groups) or [self.settings.features]
        found = []
        for x, y in zip(torch.split(here, sizes, 1), torch.split(goal, sizes, 1), strict=True):
            norms = (x.square().sum(1, keepdim=True) * y.square().sum(1, keepdim=True)).sqrt()
            found.append((x - y).square().sum(1, keepdim=True).sqrt())
            found.append(1.0 - (x * y).sum(1, keepdim=True) / norms.clamp(min=1e-8))
            if groups:
                found.append((x - y).abs().amax(1, keepdim=True))
        return found

    def situate(self, convolved: Tensor, batch: NodeBatch) -> Tensor:
        """Add what walls and trail say of each node."""
        if self.walls is not None:
            convolved = convolved + self.walls(batch.missing)
        if self.trail is not None:
            convolved = convolved + self.trail(batch.trail)
        return convolved

    def embed(self, batch: NodeBatch) -> Tensor:
        """g_i (B, width): a node, its neighbours, and how the search came to it."""
        x = self.lift(batch.rows)
        # index_select: its gradient is an index_add, several times faster than that of x[...].
        near = x.index_select(0, batch.neighbor.flatten()).view(
            *batch.neighbor.shape, self.settings.width
        )
        own = x.index_select(0, batch.node)
        return self.situate(self.convolution(own, near, batch.edge, batch.mask), batch)

    def remember(self, g: Tensor, memory: Tensor) -> Tensor:
        """z_i (B, d): each node's view of the next memory; also its embedding g'_i."""
        z: Tensor = self.gru(g, memory)
        return z

    def value(self, z: Tensor, goal: Tensor) -> Tensor:
        """The scaled distance to the goal (B,)."""
        x = torch.cat([z, goal], 1)
        for layer in self.out[:-1]:
            x = functional.leaky_relu(layer(x))
        h: Tensor = self.out[-1](x)[:, 0]
        return h

    def forward(self, batch: NodeBatch, memory: Tensor) -> tuple[Tensor, Tensor]:
        """Values of the nodes of one V_new and the memory after it; memory (d,)."""
        z = self.remember(self.embed(batch), memory.expand(len(batch.node), -1))
        values = self.value(z, batch.goal)
        return values, z.mean(0) if len(z) and self.settings.remember else memory
