"""The torch network: Algorithm 2's invariances, memory and inputs."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from phil.graphs import GridGraph
from phil.heuristics.phil.batches import NodeBatch
from phil.heuristics.phil.network import PhilNetwork
from phil.heuristics.phil.specification import NetworkSettings
from phil.search.guide import Expansion
from tests.engines import TorchEngine, torch_network
from tests.networks import PRESETS, networks, random_heuristic

GRID = GridGraph(np.random.default_rng(6).random((9, 9)) < 0.85)
NODES = np.flatnonzero(GRID.free).astype(np.int32)


def batch_of(network: NetworkSettings, nodes: list[int], seed: int = 0) -> NodeBatch:
    """Some cells of a map, as if the first had been expanded."""
    count = len(nodes)
    new = np.array(nodes, np.int32)
    engine = TorchEngine(random_heuristic(network, seed=seed), GRID, int(NODES[0]), int(NODES[-1]))
    depth = np.ones(count, np.int32)
    return engine.batch(Expansion(int(NODES[0]), new, np.ones(count), depth, 1))


def permuted(batch: NodeBatch, order: torch.Tensor) -> NodeBatch:
    """The same nodes in another order; rows stay where they are."""
    names = ("node", "neighbor", "mask", "edge", "missing", "goal", "trail")
    return batch._replace(**{name: getattr(batch, name)[order.numpy()] for name in names})


some_nodes = st.lists(st.sampled_from(NODES.tolist()), min_size=1, max_size=9)


@given(networks(), some_nodes, st.integers(0, 2**31))
@settings(max_examples=60)
def test_new_nodes_may_come_in_any_order(
    settings_of: NetworkSettings, nodes: list[int], seed: int
) -> None:
    network = torch_network(random_heuristic(settings_of, seed=seed))
    batch = batch_of(settings_of, nodes, seed)
    order = torch.randperm(len(nodes), generator=torch.Generator().manual_seed(seed))
    memory = torch.linspace(-1, 1, settings_of.memory)
    values, after = network(batch, memory)
    others, after_others = network(permuted(batch, order), memory)
    torch.testing.assert_close(others, values[order], rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(after_others, after, rtol=1e-4, atol=1e-5)


@given(networks(), some_nodes, st.integers(0, 2**31))
@settings(max_examples=60)
def test_the_memory_is_the_mean_of_what_the_new_nodes_make_of_it(
    settings_of: NetworkSettings, nodes: list[int], seed: int
) -> None:
    network = torch_network(random_heuristic(settings_of, seed=seed))
    memory = torch.linspace(-1, 1, settings_of.memory)
    batch = batch_of(settings_of, nodes, seed)
    values, after = network(batch, memory)
    alone = [network(batch_of(settings_of, [node], seed), memory) for node in nodes]
    torch.testing.assert_close(values, torch.cat([one[0] for one in alone]), rtol=1e-4, atol=1e-5)
    expected = torch.stack([one[1] for one in alone]).mean(0) if settings_of.remember else memory
    torch.testing.assert_close(after, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("preset", PRESETS)
def test_no_new_nodes_keep_the_memory(preset: str) -> None:
    network = torch_network(random_heuristic(PRESETS[preset]))
    memory = torch.linspace(-1, 1, PRESETS[preset].memory)
    values, after = network(batch_of(PRESETS[preset], []), memory)
    assert values.shape == (0,)
    assert torch.equal(after, memory)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_weight_learns(preset: str) -> None:
    torch.manual_seed(0)
    network = PhilNetwork(PRESETS[preset])
    batch = batch_of(PRESETS[preset], NODES.tolist())
    memory = torch.linspace(-1, 1, PRESETS[preset].memory)
    _, after = network(batch, memory)
    values, _ = network(batch, after)
    values.square().sum().backward()
    untouched = [
        name
        for name, weight in network.named_parameters()
        if weight.grad is None or not weight.grad.any()
    ]
    assert untouched == []
    assert all(weight.grad.isfinite().all() for weight in network.parameters())  # type: ignore[union-attr]


def test_gradients_are_finite_at_the_goal_and_at_the_centre_of_a_map() -> None:
    """There a distance is the root of 0, and a cosine is taken of a vector without length."""
    grid = GridGraph(np.ones((5, 5), bool))
    for preset in PRESETS.values():
        engine = TorchEngine(random_heuristic(preset), grid, 0, 12)
        new = np.array([12, 11], np.int32)
        batch = engine.batch(Expansion(0, new, np.ones(2), np.ones(2, np.int32), 1))
        network = torch_network(random_heuristic(preset))
        values, _ = network(batch, torch.zeros(preset.memory))
        values.sum().backward()
        assert torch.isfinite(values).all()
        assert all(weight.grad.isfinite().all() for weight in network.parameters())  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("name", "present"), [("walls", True), ("trail", True), ("walls", False), ("trail", False)]
)
def test_walls_and_trail_are_inputs_where_they_are_asked_for(name: str, present: bool) -> None:
    chosen = PRESETS["best"] if present else PRESETS["paper"]
    network = torch_network(random_heuristic(chosen))
    batch = batch_of(chosen, NODES[1:5].tolist())
    memory = torch.zeros(chosen.memory)
    other = batch._replace(missing=255 - batch.missing, trail=batch.trail + 1)
    changed = {"walls": batch._replace(missing=other.missing), "trail": other}[name]
    same = torch.equal(network(batch, memory)[0], network(changed, memory)[0])
    assert same != present
