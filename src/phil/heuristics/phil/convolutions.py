"""The five graph convolutions of the paper's appendix D, over padded neighbourhoods.

Each maps a node's embedding (B, w), its neighbours' (B, n, w), edge features (B, n, De) and a mask
(B, n) of the neighbours that exist to the node's new embedding (B, w).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from phil.heuristics.phil.settings import NetworkSettings

MESSAGE_EPSILON = 1e-7  # DeeperGCN: messages are positive
POWER_RANGE = (1e-4, 100.0)  # DeeperGCN's bounds of what is raised to a power
ATTENTION_SLOPE = 0.2
NOWHERE = -1e30  # the score of a neighbour that does not exist; -inf alone would give NaN


def _edge_layer(edge_features: int, width: int) -> nn.Linear:
    """W of the edge features; torch warns when it is asked to initialise a layer of no input."""
    layer = nn.Linear(max(1, edge_features), width, bias=False)
    if edge_features == 0:
        layer.weight = nn.Parameter(torch.empty(width, 0))
    return layer


class DeeperGCN(nn.Module):
    """phi(x_i + aggregate of ReLU(x_j + W e_ij) + eps), with a learned softmax or power mean."""

    def __init__(self, width: int, edge_features: int, *, power: bool) -> None:
        super().__init__()
        self.power = power
        self.edge = _edge_layer(edge_features, width)
        self.sharpness = nn.Parameter(torch.ones(1))
        self.update = nn.Linear(width, width)

    def forward(self, node: Tensor, near: Tensor, edge: Tensor, mask: Tensor) -> Tensor:
        message = functional.relu(near + self.edge(edge)) + MESSAGE_EPSILON
        there = mask.unsqueeze(2)
        if self.power:
            raised = message.clamp(*POWER_RANGE).pow(self.sharpness) * there
            mean = raised.sum(1) / there.sum(1).clamp(min=1)
            total = mean.clamp(*POWER_RANGE).pow(1.0 / self.sharpness)
        else:
            weight = (message * self.sharpness).masked_fill(~there, NOWHERE).softmax(1)
            # Without neighbours the softmax is over nothing but padding, which counts as 0.
            total = (message * weight * there).sum(1)
        out: Tensor = self.update(node + total)
        return out


class GAT(nn.Module):
    """W_r x_i + sum of attention a_ij times W x_j, with one head and edge features."""

    def __init__(self, width: int, edge_features: int) -> None:
        super().__init__()
        self.root = nn.Linear(width, width, bias=False)
        self.neighbor = nn.Linear(width, width)
        self.edge = _edge_layer(edge_features, width)
        self.attention = nn.Parameter(torch.empty(3, width))  # of x_i, x_j and e_ij
        nn.init.xavier_uniform_(self.attention)

    def forward(self, node: Tensor, near: Tensor, edge: Tensor, mask: Tensor) -> Tensor:
        lift = functional.linear
        weight = self.neighbor.weight
        score = (
            (lift(node, weight) @ self.attention[0]).unsqueeze(1)
            + lift(near, weight) @ self.attention[1]
            + self.edge(edge) @ self.attention[2]
        )
        score = functional.leaky_relu(score, ATTENTION_SLOPE).masked_fill(~mask, NOWHERE)
        share = score.softmax(1) * mask
        mean = (near * share.unsqueeze(2)).sum(1)
        out: Tensor = self.root(node) + self.neighbor(mean)
        return out


class MPNN(nn.Module):
    """U [x_i, max or sum of ReLU(W [x_i, x_j, e_ij])]."""

    def __init__(self, width: int, edge_features: int, *, maximum: bool) -> None:
        super().__init__()
        self.maximum = maximum
        self.node = nn.Linear(width, width)
        self.neighbor = nn.Linear(width, width, bias=False)
        self.edge = _edge_layer(edge_features, width)
        self.root = nn.Linear(width, width, bias=False)
        self.update = nn.Linear(width, width)

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


def convolution(settings: NetworkSettings) -> nn.Module:
    """The convolution that the settings name."""
    width, edge_features = settings.width, settings.edge_features
    if settings.convolution == "gat":
        return GAT(width, edge_features)
    if settings.convolution in ("max", "sum"):
        return MPNN(width, edge_features, maximum=settings.convolution == "max")
    return DeeperGCN(width, edge_features, power=settings.convolution == "power")
