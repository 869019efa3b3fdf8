"""The compiled kernel gives the values of the torch network."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import AnyGraph, Graph, GridGraph
from phil.heuristics.phil import PhilHeuristic
from phil.heuristics.phil.specification import CONVOLUTIONS, NetworkSettings
from phil.heuristics.scaling import frame
from phil.search import Limits, search
from phil.search.guide import Expansion
from tests.engines import TorchEngine, compiled_search
from tests.networks import AHEAD, ANYWHERE, PRESETS, networks, random_heuristic, scaling_for
from tests.strategies import problems

RELATIVE = 1e-4
STEPS = 12


def assert_engines_agree(
    heuristic: PhilHeuristic, graph: AnyGraph, start: int, goal: int, steps: int = STEPS
) -> list[int]:
    """Compare all values of a search, relative to a tenth of the scale where they are near 0.

    Returns the sizes of V_new.
    """
    recorded = compiled_search(heuristic, graph, start, goal, steps)
    engine = TorchEngine(heuristic, graph, start, goal)
    for expansion, values in zip(recorded.asked, recorded.answered, strict=True):
        expected = engine.values(expansion)
        near_zero = RELATIVE * 0.1 * frame(graph, heuristic.metadata.scaling).distance[0]
        np.testing.assert_allclose(values, expected, rtol=RELATIVE, atol=near_zero)
    return [expansion.new.size for expansion in recorded.asked]


@given(problems(), st.data(), st.integers(0, 2**32))
@settings(max_examples=150)
def test_any_network_on_any_graph(
    problem: tuple[AnyGraph, int, int], data: st.DataObject, seed: int
) -> None:
    graph, start, goal = problem
    network = data.draw(networks(graph))
    heuristic = random_heuristic(network, scaling_for(graph), seed)
    assert_engines_agree(heuristic, graph, start, goal)


@pytest.mark.parametrize("convolution", CONVOLUTIONS)
@pytest.mark.parametrize("preset", PRESETS)
def test_the_presets_with_every_convolution_on_a_map(preset: str, convolution: str) -> None:
    network = NetworkSettings.model_validate(
        PRESETS[preset].model_dump() | {"convolution": convolution}
    )
    free = np.random.default_rng(4).random((25, 40)) < 0.8
    free[24, 0] = free[0, 39] = True
    grid = GridGraph(free)
    sizes = assert_engines_agree(
        random_heuristic(network, seed=3), grid, grid.node(24, 0), grid.node(0, 39), steps=40
    )
    assert len(sizes) > 25


@pytest.mark.parametrize("convolution", CONVOLUTIONS)
def test_a_hundred_new_nodes_at_once_then_one_then_none(convolution: str) -> None:
    """A hub with a hundred leaves, met by way of a chain; with more neighbours than are seen."""
    edges = [(0, 1), (1, 2), *((2, leaf) for leaf in range(3, 103))]
    random = np.random.default_rng(1)
    graph = Graph.from_edges(
        103, edges, random.normal(size=(103, 3)), edge_features=random.normal(size=(102, 2))
    )
    network = NetworkSettings.model_validate(
        {"features": 3, "width": 16, "memory": 8, "convolution": convolution, "trail": True}
    )
    heuristic = random_heuristic(network, scaling_for(graph), 2)
    sizes = assert_engines_agree(heuristic, graph, 0, 102)
    assert sizes[:4] == [1, 1, 100, 0]


def expansion_of(nodes: NDArray[np.int32], parent: int = 0, depth: int = 1) -> Expansion:
    count = nodes.size
    return Expansion(parent, nodes, np.ones(count), np.full(count, depth, np.int32), 1)


FORGETFUL = [
    NetworkSettings.model_validate(
        {"width": 24, "memory": 8, "remember": False, "walls": 8, "trail": True, "convolution": c}
    )
    for c in CONVOLUTIONS
]


@pytest.mark.parametrize("network", FORGETFUL, ids=CONVOLUTIONS)
def test_a_value_does_not_depend_on_the_nodes_beside_it(network: NetworkSettings) -> None:
    grid = GridGraph(np.random.default_rng(0).random((12, 12)) < 0.8)
    nodes = np.flatnonzero(grid.free).astype(np.int32)
    heuristic = random_heuristic(network, seed=5)
    together = heuristic.begin(grid, int(nodes[0]), int(nodes[-1])).score(
        expansion_of(nodes[1:9], int(nodes[0]))
    )
    guide = heuristic.begin(grid, int(nodes[0]), int(nodes[-1]))
    alone = [guide.score(expansion_of(nodes[k : k + 1], int(nodes[0])))[0] for k in range(1, 9)]
    assert together.tolist() == alone  # to the last bit


@pytest.mark.parametrize("preset", PRESETS)
def test_the_order_of_new_nodes_changes_no_value_and_no_memory(preset: str) -> None:
    grid = GridGraph(np.ones((9, 9), bool))
    heuristic = random_heuristic(PRESETS[preset], seed=8)
    near, far = grid.neighbors(40), np.array([3, 77], np.int32)
    order = np.array([5, 2, 7, 0, 1, 6, 3, 4])
    one, two = (heuristic.begin(grid, 40, 80) for _ in range(2))
    first, second = one.score(expansion_of(near, 40)), two.score(expansion_of(near[order], 40))
    assert second == pytest.approx(first[order], rel=1e-5)
    after = one.score(expansion_of(far, 40, 2))
    assert two.score(expansion_of(far, 40, 2)) == pytest.approx(after, rel=1e-4)


def test_memory_is_carried_on_where_it_is_wanted() -> None:
    grid = GridGraph(np.ones((9, 9), bool))
    nodes = expansion_of(grid.neighbors(40), 40)
    for remember in (True, False):
        network = NetworkSettings(width=16, memory=8, remember=remember)
        guide = random_heuristic(network).begin(grid, 40, 80)
        first, second = guide.score(nodes), guide.score(nodes)
        assert (first.tolist() == second.tolist()) != remember


def test_only_the_first_numbers_of_the_memory_are_carried_on() -> None:
    grid = GridGraph(np.ones((9, 9), bool))
    nodes = expansion_of(grid.neighbors(40), 40)

    def values(carried: int) -> tuple[list[float], list[float]]:
        network = NetworkSettings(width=16, memory=8, carried=carried)
        guide = random_heuristic(network).begin(grid, 40, 80)
        return guide.score(nodes).tolist(), guide.score(nodes).tolist()

    everything, some = values(0), values(3)
    assert values(8) == everything
    assert some[0] == everything[0], "the read-out is the same"
    assert some[1] != everything[1]


def test_an_empty_expansion_keeps_the_memory() -> None:
    grid = GridGraph(np.ones((9, 9), bool))
    heuristic = random_heuristic(PRESETS["paper"])
    one, two = (heuristic.begin(grid, 40, 80) for _ in range(2))
    nodes, none = expansion_of(grid.neighbors(40), 40), expansion_of(np.zeros(0, np.int32), 40)
    one.score(nodes)
    two.score(nodes)
    assert one.score(none).size == 0
    assert one.score(nodes).tolist() == two.score(nodes).tolist()


def test_a_guide_does_not_depend_on_those_before_it() -> None:
    """Working room is lent from search to search; nothing may be left in it."""
    heuristic = random_heuristic(PRESETS["best"], seed=1)
    random = np.random.default_rng(2)
    grids = [GridGraph(random.random(shape) < 0.9) for shape in ((20, 30), (8, 5), (30, 20))]
    ends = [(int(np.flatnonzero(g.free)[0]), int(np.flatnonzero(g.free)[-1])) for g in grids]

    def trace(which: int) -> list[int]:
        found = search(grids[which], *ends[which], heuristic, limits=Limits(200), trace=True)
        assert found.trace is not None
        return [int(node) for node in found.trace]

    first = [trace(which) for which in range(3)]
    assert [trace(which) for which in (2, 0, 1, 0, 2)] == [first[w] for w in (2, 0, 1, 0, 2)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(trace, [0, 1, 2] * 8)) == first * 8


def test_a_graph_that_does_not_fit_is_refused() -> None:
    grid_heuristic = random_heuristic(AHEAD)
    four = GridGraph(np.ones((3, 3), bool), connectivity=4)
    with pytest.raises(InputError, match="learned on 8-connected grids; this one is 4-connected"):
        grid_heuristic.begin(four, 0, 8)
    graph = Graph.from_edges(2, [(0, 1)], np.zeros((2, 2)))
    with pytest.raises(InputError, match="learned on grid maps, this is a general graph"):
        grid_heuristic.begin(graph, 0, 1)
    with pytest.raises(InputError, match="2 features per edge, this graph has 0"):
        random_heuristic(ANYWHERE, scaling_for(graph)).begin(graph, 0, 1)
    space = GridGraph(np.ones((3, 3, 3), bool))
    for preset in PRESETS.values():
        with pytest.raises(InputError, match="learned on 2D maps, this one is 3D"):
            random_heuristic(preset).begin(space, 0, 8)


def test_the_goals_value_is_zero_and_all_others_are_above() -> None:
    grid = GridGraph(np.ones((9, 9), bool))
    start, goal = grid.node(8, 0), grid.node(0, 8)
    plain, first = (
        random_heuristic(PRESETS["best"].model_copy(update={"goal_first": wanted}), seed=3)
        for wanted in (False, True)
    )
    # No expansion discovers more nodes than the largest degree, which guides rely on.
    nodes = np.arange(81, dtype=np.int32).reshape(-1, 3)
    guides = [heuristic.begin(grid, start, goal) for heuristic in (first, plain)]
    values, raw = (
        np.concatenate(
            [
                guide.score(Expansion(start, new, np.ones(3), np.ones(3, np.int32), 1))
                for new in nodes
            ]
        )
        for guide in guides
    )
    assert values[goal] == 0
    others = nodes.ravel() != goal
    assert (values[others] > 0).all()
    assert (raw[others] < 0).any()
    assert np.array_equal(np.argsort(values[others]), np.argsort(raw[others]))
    large = others & (raw > 1.0)
    assert np.array_equal(values[large], raw[large])
