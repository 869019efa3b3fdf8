"""The work of a network, and the same network in torch."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from phil.graphs import GridGraph
from phil.heuristics.phil.batches import Gatherer
from phil.heuristics.phil.network import PhilNetwork
from phil.heuristics.phil.specification import NetworkSettings
from phil.heuristics.scaling import Scaling
from phil.problems import Problem
from phil.problems.generated import generate_map
from phil.search import Limits, search
from reproduction.speed.network import TorchHeuristic, embedded_nodes, needed_work
from tests.networks import AHEAD, PRESETS, random_heuristic

SIDE = 41


def problem() -> Problem:
    grid = GridGraph(generate_map("forest", np.random.default_rng(0), (SIDE, SIDE)))
    return Problem(grid, grid.node(SIDE - 1, 0), grid.node(0, SIDE - 1))


@pytest.mark.parametrize(
    "settings",
    [
        NetworkSettings(),
        NetworkSettings(width=32, memory=16, remember=False, walls=8, trail=True),
        NetworkSettings(width=24, layers=1, neighbors=0, convolution="power", trail=True),
    ],
    ids=["paper", "best", "alone"],
)
def test_the_work_is_what_torch_counts(settings: NetworkSettings) -> None:
    nodes = np.array([5, 6, 47], np.int32)
    trail = np.zeros((nodes.size, settings.trail_size), np.float32)
    empty = Problem(GridGraph(np.ones((SIDE, SIDE), bool)), 0, 1)
    batch = Gatherer([empty], settings, Scaling()).gather([(0, nodes, trail)])
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        PhilNetwork(settings)(batch, torch.zeros(settings.memory))
    work = needed_work(settings)
    # torch multiplies the memory, and the moves of a grid, once for each node.
    memory = 2 * 3 * settings.memory**2
    moves = 2 * settings.neighbors * settings.edge_features * settings.width
    each = work.evaluated + memory + moves
    assert counter.get_total_flops() == work.embedded * len(batch.rows) + each * nodes.size


def test_the_memory_is_work_only_where_it_changes() -> None:
    paper, best = (needed_work(PRESETS[name]) for name in ("paper", "best"))
    assert (paper.expanded, best.expanded) == (2 * 3 * 64 * 64, 0)
    assert paper.total(10, 5, 2) == 10 * paper.embedded + 5 * paper.evaluated + 2 * paper.expanded


@pytest.mark.parametrize("neighbors", [8, 0])
def test_which_nodes_are_embedded(neighbors: int) -> None:
    free = np.ones((9, 9), bool)
    grid = GridGraph(free)
    settings = NetworkSettings(width=8, memory=4, neighbors=neighbors)
    result = search(grid, (4, 4), (0, 8), random_heuristic(settings), limits=Limits(1), trace=True)
    # One expansion evaluates the 8 cells around the start, which see those two steps away.
    assert embedded_nodes(grid, result, grid.node(0, 8), settings) == (25 if neighbors else 8)


@pytest.mark.parametrize("network", [PRESETS["paper"], AHEAD])
def test_torch_searches_as_the_compiled_kernel_does(network: NetworkSettings) -> None:
    asked, heuristic = problem(), random_heuristic(network)
    ends = asked.graph, asked.start, asked.goal
    compiled, eager = (
        search(*ends, guide, limits=Limits(40), trace=True)
        for guide in (heuristic, TorchHeuristic(heuristic))
    )
    assert compiled.trace is not None
    assert eager.trace is not None
    assert compiled.trace.tolist() == eager.trace.tolist()
