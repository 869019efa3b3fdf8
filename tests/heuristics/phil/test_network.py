"""The torch network: Algorithm 2's invariances, memory and inputs."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from phil.graphs import GridGraph
from phil.heuristics.phil.batches import NodeBatch
from phil.heuristics.phil.network import PhilNetwork, convolution
from phil.heuristics.phil.specification import CONVOLUTIONS, NetworkSettings
from phil.search.guide import Expansion
from tests.engines import TorchEngine, torch_network
from tests.networks import AHEAD, PRESETS, networks, random_heuristic

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
    names = ("node", "neighbor", "mask", "edge", "missing", "goal", "trail", "local")
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


@pytest.mark.parametrize("chosen", [*PRESETS.values(), AHEAD])
def test_every_weight_learns(chosen: NetworkSettings) -> None:
    torch.manual_seed(0)
    network = PhilNetwork(chosen)
    batch = batch_of(chosen, NODES.tolist())
    memory = torch.linspace(-1, 1, chosen.memory)
    _, after = network(batch, memory)
    values, _ = network(batch, after)
    values.square().sum().backward()
    untouched = [
        name
        for name, weight in network.named_parameters()
        if weight.grad is None or not weight.grad.any()
    ]
    of_neighbors = ["convolution.sharpness", "convolution.edge.weight"]
    assert untouched == ([] if chosen.neighbors else of_neighbors)
    assert all(
        weight.grad is None or weight.grad.isfinite().all() for weight in network.parameters()
    )


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
    chosen = AHEAD if present else PRESETS["paper"]
    network = torch_network(random_heuristic(chosen))
    batch = batch_of(chosen, NODES[1:5].tolist())
    memory = torch.zeros(chosen.memory)
    other = batch._replace(missing=255 - batch.missing, trail=batch.trail + 1)
    changed = {"walls": batch._replace(missing=other.missing), "trail": other}[name]
    same = torch.equal(network(batch, memory)[0], network(changed, memory)[0])
    assert same != present


with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # importing it uses what torch has deprecated
    from torch_geometric.nn import GATConv, GENConv

WIDTH = 6
EDGE_FEATURES = 3
FEW = settings(max_examples=40)


@dataclass(frozen=True)
class Neighborhoods:
    """The same neighbourhoods padded, as ours take them, and as an edge list."""

    node: Tensor
    near: Tensor
    edge: Tensor
    mask: Tensor

    @property
    def padded(self) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Node, near, edge, mask."""
        return self.node, self.near, self.edge, self.mask

    @property
    def edge_list(self) -> tuple[tuple[Tensor, Tensor], Tensor, Tensor]:
        """(Features of sources and targets), edge index, edge features: all sources apart."""
        target, place = self.mask.nonzero(as_tuple=True)
        index = torch.stack([torch.arange(len(target)), target])
        return (self.near[target, place], self.node), index, self.edge[target, place]


@st.composite
def neighborhoods(draw: st.DrawFn) -> Neighborhoods:
    """Up to 6 nodes with 0 to 5 neighbours each; what the mask hides is anything."""
    degrees = draw(st.lists(st.integers(0, 5), min_size=1, max_size=6))
    room = draw(st.integers(max(degrees), 6))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**31)))
    scale = draw(st.sampled_from([0.1, 1.0, 10.0]))
    count = len(degrees)
    mask = torch.zeros(count, room, dtype=torch.bool)
    for row, degree in enumerate(degrees):
        mask[row, torch.randperm(room, generator=generator)[:degree]] = True
    return Neighborhoods(
        node=scale * torch.randn(count, WIDTH, generator=generator),
        near=scale * torch.randn(count, room, WIDTH, generator=generator),
        edge=torch.randn(count, room, EDGE_FEATURES, generator=generator),
        mask=mask,
    )


def ours(name: str, seed: int) -> Any:
    settings = {"width": WIDTH, "edge_features": EDGE_FEATURES, "convolution": name}
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        made: Any = convolution(NetworkSettings.model_validate(settings))
        for parameter in made.parameters():
            nn.init.normal_(parameter, std=0.5)
        if hasattr(made, "sharpness"):
            nn.init.uniform_(made.sharpness, 0.5, 2.5)
    return made


def theirs(name: str, own: Any) -> Any:
    if name == "gat":
        gat = GATConv(WIDTH, WIDTH, heads=1, add_self_loops=False, residual=True, edge_dim=3)
        with torch.no_grad():
            gat.lin.weight.copy_(own.neighbor.weight)
            gat.bias.copy_(own.neighbor.bias)
            gat.res.weight.copy_(own.root.weight)
            gat.lin_edge.weight.copy_(own.edge.weight)
            for row, part in enumerate((gat.att_dst, gat.att_src, gat.att_edge)):
                part.copy_(own.attention[row].view(1, 1, -1))
        return gat
    gen = GENConv(
        WIDTH,
        WIDTH,
        aggr=name,
        learn_t=True,
        learn_p=True,
        norm=None,
        num_layers=1,
        edge_dim=EDGE_FEATURES,
        bias=True,
    )
    with torch.no_grad():
        gen.mlp[0].weight.copy_(own.update.weight)
        gen.mlp[0].bias.copy_(own.update.bias)
        gen.lin_edge.weight.copy_(own.edge.weight)
        gen.lin_edge.bias.zero_()
        (gen.aggr_module.t if name == "softmax" else gen.aggr_module.p).copy_(own.sharpness)
    return gen


@pytest.mark.parametrize("name", ["softmax", "power", "gat"])
@given(neighborhoods(), st.integers(0, 2**31))
@FEW
def test_equal_to_torch_geometric(name: str, around: Neighborhoods, seed: int) -> None:
    own = ours(name, seed)
    expected = theirs(name, own)(*around.edge_list)
    torch.testing.assert_close(own(*around.padded), expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", ["max", "sum"])
@given(neighborhoods(), st.integers(0, 2**31))
@FEW
def test_message_passing_by_its_formula(name: str, around: Neighborhoods, seed: int) -> None:
    own = ours(name, seed)
    out = own(*around.padded)
    for row, here in enumerate(around.node):
        messages = [
            torch.relu(own.node(here) + own.neighbor(near) + own.edge(edge))
            for near, edge, there in zip(
                around.near[row], around.edge[row], around.mask[row], strict=True
            )
            if there
        ]
        total = torch.zeros(WIDTH)
        if messages:
            stacked = torch.stack(messages)
            total = stacked.amax(0) if name == "max" else stacked.sum(0)
        expected = own.root(here) + own.update(total)
        torch.testing.assert_close(out[row], expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", CONVOLUTIONS)
@given(neighborhoods(), st.integers(0, 2**31))
@FEW
def test_order_and_padding_of_neighbours_do_not_matter(
    name: str, around: Neighborhoods, seed: int
) -> None:
    own = ours(name, seed)
    room = around.mask.shape[1]
    order = torch.randperm(room, generator=torch.Generator().manual_seed(seed))
    shuffled = own(around.node, around.near[:, order], around.edge[:, order], around.mask[:, order])
    hidden = ~around.mask.unsqueeze(2)
    elsewhere = own(
        around.node,
        around.near.masked_fill(hidden, 3.0),
        around.edge.masked_fill(hidden, -7.0),
        around.mask,
    )
    expected = own(*around.padded)
    torch.testing.assert_close(shuffled, expected, rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(elsewhere, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", CONVOLUTIONS)
@given(neighborhoods(), st.integers(0, 2**31))
@FEW
def test_gradients_are_finite(name: str, around: Neighborhoods, seed: int) -> None:
    own = ours(name, seed)
    own(*around.padded).square().sum().backward()
    for parameter in own.parameters():
        assert parameter.grad is None or torch.isfinite(parameter.grad).all()


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_gradients_reach_every_weight(name: str) -> None:
    own = ours(name, 1)
    generator = torch.Generator().manual_seed(2)
    out = own(
        torch.randn(4, WIDTH, generator=generator),
        torch.randn(4, 5, WIDTH, generator=generator),
        torch.randn(4, 5, EDGE_FEATURES, generator=generator),
        torch.ones(4, 5, dtype=torch.bool),
    )
    out.square().sum().backward()
    assert [key for key, weight in own.named_parameters() if not weight.grad.any()] == []
