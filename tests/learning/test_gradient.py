"""The compiled loss and gradient against torch's, and which networks they are for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from phil.heuristics.phil.batches import Gatherer, NodeBatch
from phil.heuristics.phil.gradient import has_gradient
from phil.heuristics.phil.network import PhilNetwork
from phil.heuristics.phil.specification import CONVOLUTIONS, NetworkSettings
from phil.learning.gradient import CompiledGradient, Examples, flatten, node_loss
from phil.learning.settings import TrainingSettings
from tests.learning.small import Setup, graph_problems, grid_problems

GRIDS = grid_problems(2, side=12) + grid_problems(1, side=9)
GRAPHS = graph_problems(2, edge_features=1)


@dataclass(frozen=True)
class Case:
    """A network and what it is to learn from."""

    network: PhilNetwork
    settings: TrainingSettings
    examples: Examples[NodeBatch]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Any network without a memory; some nodes of some problems, some of them ranked."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    ranking = draw(st.sampled_from([0.0, 5.0]))
    changes = {
        "width": draw(st.sampled_from([1, 5, 8, 32, 33])),
        "layers": draw(st.integers(1, 4)),
        "memory": draw(st.sampled_from([1, 4, 16])),
        "neighbors": draw(st.sampled_from([0, 1, 3, 8])),
        "walls": draw(st.booleans()),
        "trail": draw(st.sampled_from(["no", "yes"])),
        "frame": draw(st.sampled_from(["map", "goal"])),
        "lengths": draw(st.sampled_from(["cells", "distance", "both"])),
        "nodes": draw(st.integers(1, 6)),
        "ranking": ranking,
        "ranking_size": draw(st.integers(2, 5)),
        "underestimates": draw(st.sampled_from([1.0, 3.0])),
        "temperature": draw(st.sampled_from([0.5, 2.0])),
    }
    problems = draw(st.sampled_from([GRIDS, GRAPHS]))
    setup = Setup(problems, "best", changes, seed=draw(st.integers(0, 2**31)))
    with torch.random.fork_rng(devices=[]):
        torch.nn.init.uniform_(setup.network.convolution.sharpness, -1.0, 3.0)  # type: ignore[arg-type]
    groups = draw(st.integers(1, 3))
    events = setup.settings.ranking_size if ranking else 0
    size = events + setup.settings.nodes
    batch = Gatherer(problems, setup.network_settings, setup.scaling).gather(
        [
            (
                int(problem),
                random.integers(problems[problem].graph.size, size=size).astype(np.int32),
                random.normal(size=(size, setup.network_settings.trail_size)).astype(np.float32),
            )
            for problem in random.integers(len(problems), size=groups)
        ]
    )
    there = random.random((groups, events)) < 0.7
    there[:, :1] = True  # no event is empty
    # Few different distances, so that several nodes of an event are best.
    distance = random.integers(0, 4, (groups, size)).astype(np.float32) / np.float32(5)
    spent = random.integers(0, 3, (groups, events)).astype(np.float32) * draw(st.integers(0, 1))
    scale = random.uniform(1, 20, groups).astype(np.float32)
    return Case(setup.network, setup.settings, Examples(batch, distance, there, spent, scale))


@given(cases())
@settings(max_examples=150)
def test_loss_and_gradients_are_those_of_torch(case: Case) -> None:
    weights = flatten(case.network)
    assert weights.grad is not None
    loss = node_loss(case.network, case.examples, case.settings)
    loss.backward()  # type: ignore[no-untyped-call]
    exact = {name: w.grad.clone() for name, w in case.network.named_parameters()}  # type: ignore[union-attr]
    weights.grad.zero_()
    compiled = CompiledGradient(case.network.settings, weights, case.settings)
    # The ranking loss is the logarithm of a sum near 1 where it is small.
    assert compiled.add(case.examples) == pytest.approx(float(loss.detach()), rel=1e-4, abs=3e-6)
    # Rounding is relative to the parts of a sum, and the parts of the ranking loss cancel out.
    largest = float(max(gradient.abs().max() for gradient in exact.values() if gradient.numel()))
    parts = case.settings.ranking * float(case.examples.scale.max()) / case.settings.temperature
    for name, weight in case.network.named_parameters():
        torch.testing.assert_close(
            {name: weight.grad},
            {name: exact[name]},
            rtol=1e-4,
            atol=1e-4 * largest + 1e-6 * parts,
        )


def test_gradients_add_up() -> None:
    setup = Setup(GRIDS, "best", {"width": 8, "ranking": 0.0, "nodes": 4})
    batch = Gatherer(GRIDS, setup.network_settings, setup.scaling).gather(
        [(0, np.arange(4, dtype=np.int32), np.ones((4, 5), np.float32))]
    )
    none = np.ones((1, 0), np.bool_)
    ones = np.ones((1, 4), np.float32)
    examples = Examples(batch, ones, none, none.astype(np.float32), ones[0, :1])
    weights = flatten(setup.network)
    compiled = CompiledGradient(setup.network_settings, weights, setup.settings)
    assert weights.grad is not None
    compiled.add(examples)
    once = weights.grad.clone()
    assert once.abs().max() > 0
    compiled.add(examples)
    torch.testing.assert_close(weights.grad, 2 * once)


@pytest.mark.parametrize("remember", [True, False])
@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_there_is_one_for_the_softmax_without_a_memory(name: str, remember: bool) -> None:
    shape = NetworkSettings.model_validate({"convolution": name, "remember": remember})
    assert has_gradient(shape) == (name == "softmax" and not remember)


def test_flattened_the_network_computes_as_before_and_its_weights_are_parts_of_the_vector() -> None:
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
