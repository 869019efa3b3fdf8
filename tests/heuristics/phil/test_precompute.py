"""A precomputed cache gives the values that a lazy one gives, to rounding."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phil import memory
from phil.errors import InputError
from phil.graphs import AnyGraph, Graph, GridGraph, ImplicitGraph
from phil.heuristics.phil import PhilHeuristic
from phil.heuristics.registry import load_heuristic
from phil.search import Limits, search
from tests.engines import compiled_search
from tests.networks import ANYWHERE, PRESETS, networks, random_heuristic, scaling_for
from tests.strategies import problems


def precomputing(heuristic: PhilHeuristic) -> PhilHeuristic:
    return PhilHeuristic(heuristic.metadata, heuristic.tensors, precompute=True)


@settings(max_examples=40)
@given(problems(), st.data())
def test_values_are_those_of_the_lazy_cache(
    problem: tuple[AnyGraph, int, int], data: st.DataObject
) -> None:
    graph, start, goal = problem
    network = data.draw(networks(graph)).model_copy(update={"frame": "map", "local": False})
    lazy = random_heuristic(network, scaling_for(graph), seed=3)
    recorded = compiled_search(lazy, graph, start, goal, steps=20)
    guide = precomputing(lazy).begin(graph, start, goal)
    for expansion, values in zip(recorded.asked, recorded.answered, strict=True):
        np.testing.assert_allclose(guide.score(expansion), values, rtol=1e-4, atol=1e-4)


def test_searches_share_what_is_precomputed_and_nothing_else() -> None:
    """Two searches at once, in turn, say what each says alone."""
    grid = GridGraph(np.ones((12, 12), bool))
    heuristic = precomputing(random_heuristic(PRESETS["paper"]))
    starts, goal = (0, 77), 143
    alone = [compiled_search(heuristic, grid, start, goal, 30) for start in starts]
    guides = [heuristic.begin(grid, start, goal) for start in starts]
    for step in range(30):
        for recorded, guide in zip(alone, guides, strict=True):
            if step < len(recorded.asked):
                said = guide.score(recorded.asked[step])
                assert said.tolist() == recorded.answered[step].tolist()


def test_a_goal_is_filled_once_and_the_latest_goals_are_kept() -> None:
    grid = GridGraph(np.ones((6, 6), bool))
    heuristic = precomputing(random_heuristic(PRESETS["best"]))
    search(grid, 0, 35, heuristic)
    first = heuristic._precomputed[0]
    search(grid, 7, 35, heuristic)
    assert heuristic._precomputed == [first]
    for goal in range(1, 12):
        search(grid, 0, goal, heuristic)
    kept = [room.goal for room in heuristic._precomputed]
    assert kept == list(range(11, 11 - heuristic.KEPT_GOALS, -1))


def test_too_little_memory_is_said_before_anything_is_filled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    grid = GridGraph(np.ones((400, 400), bool))
    heuristic = precomputing(random_heuristic(PRESETS["paper"]))
    assert heuristic.precomputed_bytes(grid) == 160_000 * (4 * (128 + 192) + 8)
    monkeypatch.setattr(memory, "available_bytes", lambda: 100_000_000)
    with pytest.raises(InputError, match="precomputing 160,000 nodes"):
        search(grid, 0, 1, heuristic, limits=Limits(1))


def test_what_cannot_be_precomputed_is_refused() -> None:
    with pytest.raises(InputError, match="nothing to precompute"):
        load_heuristic("euclidean", precompute=True)
    endless = ImplicitGraph(lambda node: [node + 1], lambda node: [float(node)], dim=1)
    line = Graph.from_edges(3, [(0, 1), (1, 2)], [[0.0], [1.0], [2.0]])
    network = ANYWHERE.model_copy(update={"features": 1, "edge_features": 0})
    heuristic = precomputing(random_heuristic(network, scaling_for(line)))
    with pytest.raises(InputError, match="known in full"):
        search(endless, 0, 5, heuristic)


@pytest.mark.parametrize("precompute", [False, True])
def test_another_process_precomputes_too(precompute: bool) -> None:
    sent = pickle.loads(pickle.dumps(load_heuristic("phil:forest", precompute=precompute)))
    assert sent.precompute == precompute
