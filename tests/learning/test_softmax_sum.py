"""The compiled softmax convolution against the one in torch: values and gradients."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from phil.heuristics.phil.batches import NodeBatch
from phil.heuristics.phil.network import PhilNetwork
from phil.heuristics.phil.specification import CONVOLUTIONS, NetworkSettings
from phil.learning.softmax_sum import embed


@st.composite
def batches(draw: st.DrawFn, network: NetworkSettings) -> NodeBatch:
    """Any rows, referred to by any nodes with any of their neighbours there, or none."""
    nodes, rows = draw(st.integers(0, 5)), draw(st.integers(1, 12))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    there = draw(st.sampled_from([0.0, 0.5, 1.0]))
    shape = (nodes, network.neighbors)
    floats = {
        "rows": (rows, 2 * network.features),
        "edge": (*shape, network.edge_features),
        "goal": (nodes, network.features),
        "trail": (nodes, network.trail_size),
        "local": (nodes,),
    }
    scale = draw(st.sampled_from([0.1, 1.0, 10.0]))
    arrays = {
        name: (scale * random.normal(size=size)).astype(np.float32) for name, size in floats.items()
    }
    return NodeBatch(
        node=random.integers(rows, size=nodes),
        neighbor=random.integers(rows, size=shape),
        mask=random.random(shape) < there,
        missing=random.integers(2**network.walls, size=nodes),
        **arrays,
    )


@st.composite
def cases(draw: st.DrawFn) -> tuple[PhilNetwork, NodeBatch]:
    """A network with a softmax convolution of any size, and a batch for it."""
    shape = NetworkSettings(
        features=draw(st.integers(1, 3)),
        edge_features=draw(st.integers(0, 2)),
        width=draw(st.sampled_from([1, 5, 8, 32, 33])),
        layers=draw(st.integers(1, 3)),
        neighbors=draw(st.sampled_from([0, 1, 4, 8])),
        memory=4,
        walls=draw(st.sampled_from([0, 4])),
        trail=draw(st.booleans()),
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(draw(st.integers(0, 2**31)))
        network = PhilNetwork(shape)
        torch.nn.init.uniform_(network.convolution.sharpness, -1.0, 3.0)  # type: ignore[arg-type]
    return network, draw(batches(shape))


def gradients(network: PhilNetwork, embedded: Tensor) -> dict[str, Tensor]:
    """Of a sum in which every entry counts differently."""
    network.zero_grad()
    generator = torch.Generator().manual_seed(0)
    (embedded * torch.randn(embedded.shape, generator=generator)).sum().backward()  # type: ignore[no-untyped-call]
    return {
        name: torch.zeros_like(weight) if weight.grad is None else weight.grad.clone()
        for name, weight in network.named_parameters()
    }


def doubled(batch: NodeBatch) -> NodeBatch:
    """The same in double precision."""
    names = ("rows", "edge", "goal", "trail")
    return batch._replace(**{name: getattr(batch, name).astype(np.float64) for name in names})


@given(cases())
@settings(max_examples=150)
def test_values_and_gradients_are_those_of_torch(case: tuple[PhilNetwork, NodeBatch]) -> None:
    network, batch = case
    found = embed(network, batch)
    compiled = gradients(network, found)
    expected = network.double().embed(doubled(batch))
    torch.testing.assert_close(found.double(), expected, rtol=1e-4, atol=1e-5)
    exact = gradients(network, expected)
    # What adds up to one weight's gradient may cancel out: rounding is relative to the largest.
    largest = max(float(gradient.abs().max()) for gradient in exact.values() if gradient.numel())
    torch.testing.assert_close(
        {name: gradient.double() for name, gradient in compiled.items()},
        exact,
        rtol=1e-4,
        atol=1e-5 * largest + 1e-5,
    )


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_every_convolution_can_be_embedded(name: str) -> None:
    shape = NetworkSettings.model_validate({"convolution": name, "width": 4, "neighbors": 1})
    network = PhilNetwork(shape)
    zeros = np.zeros(1, np.int64)
    one = NodeBatch(
        rows=np.ones((2, 4), np.float32),
        node=zeros,
        neighbor=np.ones((1, 1), np.int64),
        mask=np.ones((1, 1), np.bool_),
        edge=np.ones((1, 1, 2), np.float32),
        missing=zeros,
        goal=np.ones((1, 2), np.float32),
        trail=np.zeros((1, 0), np.float32),
        local=np.ones(1, np.float32),
    )
    torch.testing.assert_close(embed(network, one), network.embed(one))
