"""MHA* with classical heuristics: the compiled loop and the search from Python are the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phil.errors import InputError
from phil.graphs import AnyGraph, GridGraph
from phil.heuristics.classical import euclidean, manhattan, octile, oracle, zero
from phil.heuristics.classical_mha import ClassicalLoop, share_loop
from phil.heuristics.landmarks import landmarks
from phil.heuristics.node_value import TableHeuristic
from phil.heuristics.obstacles import obstacles
from phil.search import Limits, mha_queues, search_mha
from phil.search.guide import Heuristic, WithoutLoop
from tests.guides import facts, table
from tests.implicit import NAMES, Mirror, own_facts, simplified
from tests.strategies import problems

WEIGHTS = st.sampled_from([{}, {"w1": 1.0, "w2": 1.0}, {"w1": 2.0, "w2": 1.5}])
IN_BOTH = pytest.mark.parametrize(
    "weights", [{}, {"w1": 2.0, "w2": 2.0}], ids=["in turn", "weights"]
)


def asked(heuristics: Sequence[Heuristic]) -> list[Heuristic]:
    """The same heuristics, asked after every expansion."""
    return [WithoutLoop(heuristic) for heuristic in heuristics]


def of_graph(graph: AnyGraph, seed: int) -> list[Heuristic]:
    """The heuristics that fit a graph, two of them misleading."""
    random = np.random.default_rng(seed)
    few = TableHeuristic(random.integers(0, 3, graph.size).astype(float))
    wild = TableHeuristic(random.choice([-np.inf, -5.0, 0.25, 1e9, np.inf], graph.size))
    fitting: list[Heuristic] = [euclidean, manhattan, zero, landmarks, oracle, few, wild]
    if isinstance(graph, GridGraph):
        fitting += [octile, obstacles] if graph.axes == 2 else [octile]
    return fitting


@given(
    problems(),
    st.data(),
    st.integers(0, 2**32),
    WEIGHTS,
    st.none() | st.integers(0, 20),
    st.booleans(),
)
@settings(max_examples=300)
def test_the_loop_is_the_search_from_python(
    problem: tuple[AnyGraph, int, int],
    data: st.DataObject,
    seed: int,
    weights: dict[str, Any],
    most: int | None,
    trace: bool,
) -> None:
    fitting = of_graph(problem[0], seed)
    chosen = data.draw(st.lists(st.sampled_from(fitting), min_size=1, max_size=4))
    compiled, python = (
        search_mha(*problem, each, **weights, limits=Limits(most), trace=trace)
        for each in (chosen, asked(chosen))
    )
    assert facts(compiled) == facts(python)


@given(problems(), st.sampled_from([[euclidean, zero], [manhattan, euclidean, zero]]), WEIGHTS)
@settings(max_examples=100)
def test_graphs_met_on_the_way(
    problem: tuple[AnyGraph, int, int], chosen: list[Heuristic], weights: dict[str, Any]
) -> None:
    graph = simplified(problem[0])
    found = []
    for each in (chosen, asked(chosen)):
        mirror = Mirror(graph, NAMES["texts"])
        ends = mirror.name(problem[1]), mirror.name(problem[2])
        found.append(own_facts(search_mha(mirror.graph, *ends, each, **weights, trace=True)))
        assert found[-1]["neighbor_calls"] == mirror.neighbors.total()
    assert found[0] == found[1]


@IN_BOTH
def test_queues_and_the_trace_grow(
    weights: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    grid = GridGraph(np.random.default_rng(2).random((90, 90)) < 0.9)
    start, goal = (int(node) for node in np.flatnonzero(grid.free)[[0, -1]])
    random = [TableHeuristic(np.random.default_rng(seed).random(8100)) for seed in range(2)]
    guides: list[Heuristic] = [*random, obstacles]
    python = search_mha(grid, start, goal, asked(guides), **weights, trace=True)
    monkeypatch.setattr(mha_queues, "FIRST_ROOM", 1)
    compiled = search_mha(grid, start, goal, guides, **weights, trace=True)
    assert facts(compiled) == facts(python)
    assert compiled.expansions > 4096


@IN_BOTH
def test_a_value_that_is_no_number_is_refused_with_the_same_words(weights: dict[str, Any]) -> None:
    grid = GridGraph([[True] * 4] * 4)
    wrong = np.zeros(16)
    wrong[[10, 15]] = np.nan
    guides: list[Heuristic] = [manhattan, TableHeuristic(wrong), obstacles]
    said = []
    for each in (guides, asked(guides)):
        with pytest.raises(InputError, match="heuristic 2 of 3 gave NaN for node") as refused:
            search_mha(grid, 0, 15, each, **weights)
        said.append(str(refused.value))
    assert said[0] == said[1]


def test_the_clock_is_watched() -> None:
    grid = GridGraph([[True] * 40] * 40)
    ample = search_mha(grid, (0, 0), (39, 39), [euclidean, zero], limits=Limits(seconds=1e9))
    assert facts(ample) == facts(search_mha(grid, (0, 0), (39, 39), [euclidean, zero]))


def test_only_classical_heuristics_share_a_loop() -> None:
    grid = GridGraph([[True] * 4] * 4)

    def shared(*heuristics: Heuristic) -> ClassicalLoop | None:
        return share_loop(grid, 15, [each.begin(grid, 0, 15) for each in heuristics])

    assert shared(euclidean, landmarks, obstacles) is not None
    assert shared(euclidean, table(np.zeros(16))) is None
    assert shared(euclidean, WithoutLoop(euclidean)) is None
