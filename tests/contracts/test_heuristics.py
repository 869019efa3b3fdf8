"""Every heuristic keeps the contract."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from phil.graphs import Graph, GridGraph, SearchedGraph
from phil.heuristics.mlp import Inputs
from phil.heuristics.novelty import Novelty
from phil.heuristics.phil.specification import NetworkSettings
from phil.heuristics.registry import BUILT_IN, load_heuristic, shipped_names
from phil.search import search
from phil.search.guide import Expansion, Heuristic
from tests.contracts.check_heuristic import CHECKS, check_heuristic
from tests.implicit import Mirror
from tests.networks import PRESETS, random_heuristic
from tests.neural import random_neural_astar
from tests.own_networks import random_own
from tests.pages import DOCS, python_blocks
from tests.perceptrons import random_perceptron


def documented() -> Heuristic:
    """The heuristic that the page on extending has its reader write."""
    [text] = [text for text in python_blocks(DOCS / "extend.md") if "class Crowding:" in text]
    module = sys.modules["documented"] = ModuleType("documented")  # where pickles look it up
    exec(text, vars(module))
    return cast(Heuristic, module.Crowding())


SPACE = GridGraph([[[True]]])
INPUTS: tuple[Inputs, ...] = ("grid", "graph", "nodes")
UNTRAINED: dict[str, Callable[[], Heuristic]] = {
    **{
        f"untrained ({preset})": partial(random_heuristic, network)
        for preset, network in PRESETS.items()
    },
    "untrained (3D)": partial(random_heuristic, NetworkSettings(features=3, edge_features=3)),
    **{f"perceptron ({inputs})": partial(random_perceptron, inputs) for inputs in INPUTS},
    "perceptron (3D)": partial(random_perceptron, "graph", graph=SPACE),
    **{f"Neural A* (blocks of {k})": partial(random_neural_astar, block=k) for k in (1, 3)},
    "documented": documented,
    "network of one's own": random_own,
}
NOVEL = {f"novelty({name})": name for name in ("euclidean", "oracle", "phil:forest")}


def load(name: str) -> Heuristic:
    if name in NOVEL:
        return Novelty(load_heuristic(NOVEL[name]))
    return UNTRAINED[name]() if name in UNTRAINED else load_heuristic(name)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", [*BUILT_IN, *UNTRAINED, *NOVEL, *shipped_names()])
def test_the_contract(name: str, check: Callable[[Heuristic], None]) -> None:
    check(load(name))


def test_what_the_page_shows_works_on_graphs_of_every_kind() -> None:
    """With the same nodes, edges and features, it is the same search."""
    free = np.random.default_rng(5).random((40, 40)) < 0.8
    free[20, 3:] = False  # a wall with a gap far from the straight line
    grid = GridGraph(free)
    start, goal = map(int, grid.node_ids[[30, -1]])
    near = {int(node): grid.neighbors(int(node)).tolist() for node in grid.node_ids}
    edges = [(node, other) for node, others in near.items() for other in others]
    graph = Graph.from_edges(grid.size, edges, grid.features, directed=True)

    def expanded(searched: Any, start: Any, goal: Any) -> list[Any]:
        trace = search(searched, start, goal, documented(), trace=True).trace
        assert trace is not None
        return list(trace)

    expected = expanded(grid, start, goal)
    assert len(expected) > 100
    assert expanded(graph, start, goal) == expected
    for explicit in (grid, graph):
        mirror = Mirror(explicit)
        met = expanded(mirror.graph, mirror.name(start), mirror.name(goal))
        assert met == [mirror.name(node) for node in expected]


class Faulty:
    """A heuristic that breaks the contract in one way."""

    def __init__(self, fault: str) -> None:
        self.name = "" if fault == "no name" else "faulty"
        self._fault = fault
        self._calls = 0

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> Faulty:
        return self

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        self._calls += 1
        values = np.zeros(expansion.new.size)
        if self._fault == "too many":
            values = np.zeros(expansion.new.size + 1)
        if self._fault == "infinite":
            values[:] = np.inf
        if self._fault == "not the same twice":
            values[:] = self._calls
        if self._fault == "writes":
            expansion.new[:] = 0
        return values


def test_a_heuristic_without_fault_passes() -> None:
    check_heuristic(Faulty("none"))


@pytest.mark.parametrize(
    "fault", ["no name", "too many", "infinite", "not the same twice", "writes"]
)
def test_every_fault_is_found(fault: str) -> None:
    with pytest.raises((AssertionError, ValueError)):
        check_heuristic(Faulty(fault))
