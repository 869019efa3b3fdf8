"""Flattened weights: the network computes, learns and is loaded as before."""

from __future__ import annotations

import torch
from torch import nn

from phil.learning.parameters import flatten


def test_the_network_computes_as_before_and_its_weights_are_parts_of_the_vector() -> None:
    network = nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 2))
    x = torch.randn(5, 3)
    before = network(x)
    vector = flatten(network)
    assert torch.equal(network(x), before)
    assert vector.numel() == sum(weight.numel() for weight in network.parameters())
    with torch.no_grad():
        vector.zero_()
    assert not network(x).any()


def test_gradients_arrive_in_the_vector() -> None:
    network = nn.Linear(3, 2)
    vector = flatten(network)
    network(torch.ones(1, 3)).sum().backward()
    assert vector.grad is not None
    assert torch.equal(vector.grad, torch.ones(8))


def test_loading_weights_changes_the_vector() -> None:
    network = nn.Linear(3, 2)
    vector = flatten(network)
    network.load_state_dict({"weight": torch.full((2, 3), 2.0), "bias": torch.full((2,), 5.0)})
    assert vector.tolist() == [2.0] * 6 + [5.0] * 2
