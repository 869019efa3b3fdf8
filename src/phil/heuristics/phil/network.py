"""The PHIL network (Algorithm 2) in torch: the readable reference, with which the kernels agree.

Shapes: B nodes are evaluated together, from R embedded rows (the nodes and their neighbours, each
once), with at most n neighbours each; w is the width, d the size of the memory, D and De are the
numbers of features of a node and of an edge, T that of a trail.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from phil.compiled import messages
from phil.heuristics.phil import aggregation
from phil.heuristics.phil.batches import NodeBatch
from phil.heuristics.phil.specification import NetworkSettings, layer

WALL_SPREAD = 0.3  # standard deviation of initial wall embeddings: about that of a convolved node
EPSILON = float(messages.EPSILON)
POWER_RANGE = float(aggregation.POWER_MIN), float(aggregation.POWER_MAX)
ATTENTION_SLOPE = float(aggregation.ATTENTION_SLOPE)
NOWHERE = -1e30  # the score of a neighbour that does not exist; -inf alone would give NaN


def _linear(settings: NetworkSettings, name: str) -> nn.Linear:
    """A fully connected layer of the specification."""
    shape = layer(settings, name)
    # Torch warns when it initializes a layer without inputs.
    made = nn.Linear(max(1, shape.size), shape.outputs, bias=shape.bias)
    if shape.size == 0:
        made.weight = nn.Parameter(torch.empty(shape.outputs, 0))
    return made


class PhilNetwork(nn.Module):
    """The trainable heuristic; all values are in scaled distances.

    With `[a, b]` for the concatenation of a and b, the value of a node i on the way to the goal is

        x_i = f([node_i, goal, distances_i])                 (R, 2 D + distances) -> (R, w)
        g_i = convolution(x_i, {x_j, edge_ij}) + walls_i + W trail_i             -> (B, w)
        z_i = GRU(g_i, memory)                                                   -> (B, d)
        h_i = out([z_i, goal])                                                   -> (B,)

    where f and out are MLPs with leaky ReLUs, and walls_i is a learned vector for each set of
    blocked moves. With `local`, out has a second output, which is in cells and is added to h_i in
    its own unit. The memory becomes the mean of z_i over the nodes discovered together, of which
    only the first numbers are kept if the settings say how many are `carried`.
    """

    def __init__(self, settings: NetworkSettings) -> None:
        super().__init__()
        self.settings = settings
        self.f = nn.ModuleList(_linear(settings, f"f.{k}") for k in range(settings.layers))
        self.convolution = convolution(settings)
        self.walls = nn.Embedding(2**settings.walls, settings.width) if settings.walls else None
        if self.walls is not None:
            nn.init.normal_(self.walls.weight, std=WALL_SPREAD)
        self.trail = _linear(settings, "trail") if settings.trail_size else None
        self.gru = nn.GRUCell(settings.width, settings.memory)
        self.out = nn.ModuleList(_linear(settings, f"out.{k}") for k in range(3))

    def lift(self, rows: Tensor) -> Tensor:
        """f (R, w) of rows (R, 2 D), the features of a node and of the goal."""
        features = self.settings.features
        node, goal = rows[:, :features], rows[:, features:]
        x = torch.cat([node, goal, *self._distances(node, goal)], 1)
        for hidden in self.f[:-1]:
            x = functional.leaky_relu(hidden(x))
        lifted: Tensor = self.f[-1](x)
        return lifted

    def _distances(self, node: Tensor, goal: Tensor) -> list[Tensor]:
        """Euclidean and cosine distance; with groups, both and the largest difference for each.

        In the frame of the goal, the goal is at 0 and the second argument is the start.
        """
        groups = self.settings.groups
        sizes = list(groups) or [self.settings.features]
        found = []
        for x, y in zip(torch.split(node, sizes, 1), torch.split(goal, sizes, 1), strict=True):
            norms = (x.square().sum(1, keepdim=True) * y.square().sum(1, keepdim=True)).sqrt()
            gap = x - y if self.settings.frame == "map" else x
            found.append(gap.square().sum(1, keepdim=True).sqrt())
            found.append(1.0 - (x * y).sum(1, keepdim=True) / norms.clamp(min=1e-8))
            if groups:
                found.append(gap.abs().amax(1, keepdim=True))
        return found

    def situate(self, convolved: Tensor, batch: NodeBatch) -> Tensor:
        """Add the embeddings of walls and trail to each node (B, w)."""
        if self.walls is not None:
            convolved = convolved + self.walls(torch.from_numpy(batch.missing))
        if self.trail is not None:
            convolved = convolved + self.trail(torch.from_numpy(batch.trail))
        return convolved

    def embed(self, batch: NodeBatch) -> Tensor:
        """g_i (B, w): a node, its neighbours, and how the search reached it."""
        x = self.lift(torch.from_numpy(batch.rows))
        neighbor = torch.from_numpy(batch.neighbor)
        # The gradient of index_select is an index_add, several times faster than that of x[...].
        near = x.index_select(0, neighbor.flatten()).view(*neighbor.shape, self.settings.width)
        own = x.index_select(0, torch.from_numpy(batch.node))
        edge, mask = torch.from_numpy(batch.edge), torch.from_numpy(batch.mask)
        return self.situate(self.convolution(own, near, edge, mask), batch)

    def remember(self, g: Tensor, memory: Tensor) -> Tensor:
        """z_i (B, d): each node's view of the next memory; also its embedding g'_i."""
        z: Tensor = self.gru(g, memory)
        return z

    def carry(self, mean: Tensor) -> Tensor:
        """The next memory (..., d) from the mean of z_i: the numbers not carried on become 0."""
        carried = self.settings.carried
        if not carried:
            return mean
        return functional.pad(mean[..., :carried], (0, self.settings.memory - carried))

    def value(self, z: Tensor, batch: NodeBatch) -> Tensor:
        """The scaled distances to the goal (B,)."""
        x = torch.cat([z, torch.from_numpy(batch.goal)], 1)
        for hidden in self.out[:-1]:
            x = functional.leaky_relu(hidden(x))
        outputs: Tensor = self.out[-1](x)
        h = outputs[:, 0]
        if self.settings.local:
            h = h + outputs[:, 1] * torch.from_numpy(batch.local)
        return h

    def forward(self, batch: NodeBatch, memory: Tensor) -> tuple[Tensor, Tensor]:
        """Values of the nodes of one V_new and the memory after it; memory (d,)."""
        z = self.remember(self.embed(batch), memory.expand(len(batch.node), -1))
        values = self.value(z, batch)
        return values, self.carry(z.mean(0)) if len(z) and self.settings.remember else memory


def convolution(settings: NetworkSettings) -> nn.Module:
    """The convolution that the settings name, of the five in the paper's appendix D.

    Each maps a node's embedding (B, w), its neighbours' (B, n, w), edge features (B, n, De) and a
    mask (B, n) of the neighbours that exist to the node's new embedding (B, w).
    """
    if settings.convolution == "gat":
        return GAT(settings)
    return (MPNN if settings.convolution in ("max", "sum") else DeeperGCN)(settings)


class DeeperGCN(nn.Module):
    """phi(x_i + aggregate of ReLU(x_j + W e_ij) + eps), with a learned softmax or power mean."""

    def __init__(self, settings: NetworkSettings) -> None:
        super().__init__()
        self.power = settings.convolution == "power"
        self.edge = _linear(settings, "convolution.edge")
        self.sharpness = nn.Parameter(torch.ones(1))
        self.update = _linear(settings, "convolution.update")

    def forward(self, node: Tensor, near: Tensor, edge: Tensor, mask: Tensor) -> Tensor:
        message = functional.relu(near + self.edge(edge)) + EPSILON
        there = mask.unsqueeze(2)
        if self.power:
            raised = message.clamp(*POWER_RANGE).pow(self.sharpness) * there
            mean = raised.sum(1) / there.sum(1).clamp(min=1)
            total = mean.clamp(*POWER_RANGE).pow(1.0 / self.sharpness)
        else:
            weight = (message * self.sharpness).masked_fill(~there, NOWHERE).softmax(1)
            # Without neighbours the softmax is over padding only, which counts as 0.
            total = (message * weight * there).sum(1)
        out: Tensor = self.update(node + total)
        return out


class GAT(nn.Module):
    """W_r x_i + sum of attention a_ij times W x_j, with one head and edge features."""

    def __init__(self, settings: NetworkSettings) -> None:
        super().__init__()
        self.root = _linear(settings, "convolution.root")
        self.neighbor = _linear(settings, "convolution.neighbor")
        self.edge = _linear(settings, "convolution.edge")
        self.attention = nn.Parameter(torch.empty(3, settings.width))  # of x_i, x_j and e_ij
        nn.init.xavier_uniform_(self.attention)

    def forward(self, node: Tensor, near: Tensor, edge: Tensor, mask: Tensor) -> Tensor:
        weight = self.neighbor.weight
        score = (
            (functional.linear(node, weight) @ self.attention[0]).unsqueeze(1)
            + functional.linear(near, weight) @ self.attention[1]
            + self.edge(edge) @ self.attention[2]
        )
        score = functional.leaky_relu(score, ATTENTION_SLOPE).masked_fill(~mask, NOWHERE)
        share = score.softmax(1) * mask
        mean = (near * share.unsqueeze(2)).sum(1)
        out: Tensor = self.root(node) + self.neighbor(mean)
        return out


class MPNN(nn.Module):
    """U [x_i, max or sum of ReLU(W [x_i, x_j, e_ij])]."""

    def __init__(self, settings: NetworkSettings) -> None:
        super().__init__()
        self.maximum = settings.convolution == "max"
        self.node = _linear(settings, "convolution.node")
        self.neighbor = _linear(settings, "convolution.neighbor")
        self.edge = _linear(settings, "convolution.edge")
        self.root = _linear(settings, "convolution.root")
        self.update = _linear(settings, "convolution.update")

    def forward(self, node: Tensor, near: Tensor, edge: Tensor, mask: Tensor) -> Tensor:
        message = self.node(node).unsqueeze(1) + self.neighbor(near) + self.edge(edge)
        # Messages are not negative, so a missing neighbour's 0 changes neither maximum nor sum.
        message = functional.relu(message) * mask.unsqueeze(2)
        if near.shape[1] == 0:
            total = torch.zeros_like(node)
        else:
            total = message.amax(1) if self.maximum else message.sum(1)
        out: Tensor = self.root(node) + self.update(total)
        return out
