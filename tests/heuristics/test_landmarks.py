"""The lower bound by landmarks."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import AnyGraph, Graph, GridGraph, ImplicitGraph
from phil.graphs.distances import costs_to
from phil.graphs.features import store
from phil.graphs.landmarks import COUNT
from phil.heuristics.classical import zero
from phil.heuristics.landmarks import landmarks
from phil.search import ASTAR, search, search_many
from phil.search.guide import Expansion
from tests.strategies import edge_costs, graphs, grids, node_ids, problems


def values(graph: AnyGraph, goal: int) -> NDArray[np.float64]:
    """The value of every node id."""
    nodes = np.arange(graph.size, dtype=np.int32)
    shown = Expansion(goal, nodes, np.zeros(graph.size), np.zeros(graph.size, np.int32), 1)
    return landmarks.begin(graph, goal, goal).score(shown)


@given(problems())
def test_it_is_admissible_and_consistent(problem: tuple[AnyGraph, int, int]) -> None:
    graph, _, goal = problem
    told = values(graph, goal)
    assert told[goal] == 0.0
    assert (told <= costs_to(graph, goal) + 1e-9).all()
    for (node, other), cost in edge_costs(graph).items():
        assert told[node] <= cost + told[other] + 1e-9


@given(problems())
def test_astar_with_it_finds_the_least_cost(problem: tuple[AnyGraph, int, int]) -> None:
    graph, start, goal = problem
    found = search(graph, start, goal, landmarks, key=ASTAR)
    least = costs_to(graph, goal)[start]
    assert found.solved == np.isfinite(least)
    if found.solved:
        assert found.cost == pytest.approx(least)
        assert found.reopened == 0 or isinstance(graph, GridGraph)  # sums of roots are rounded


@given(st.one_of(graphs(largest=COUNT), grids(longest=4)), st.data())
def test_it_is_exact_where_every_node_is_a_landmark(graph: AnyGraph, data: st.DataObject) -> None:
    goal = data.draw(st.sampled_from(node_ids(graph)))
    nodes = node_ids(graph)
    np.testing.assert_allclose(values(graph, goal)[nodes], costs_to(graph, goal)[nodes], atol=1e-9)


def test_it_expands_less_than_without() -> None:
    side = 40
    nodes = np.arange(side * side).reshape(side, side)
    edges = np.concatenate(
        [
            np.stack([nodes[:, :-1].ravel(), nodes[:, 1:].ravel()], axis=1),
            np.stack([nodes[:-1].ravel(), nodes[1:].ravel()], axis=1),
        ]
    )
    lengths = np.random.default_rng(0).uniform(1.0, 2.0, len(edges))
    graph = Graph.from_edges(side * side, edges, weights=lengths)
    ends = int(nodes[10, 5]), int(nodes[30, 25])
    guided, blind = (search(graph, *ends, each, key=ASTAR) for each in (landmarks, zero))
    assert guided.cost == pytest.approx(blind.cost)
    assert guided.expansions < 0.25 * blind.expansions


def test_the_table_is_computed_once_and_kept_no_longer_than_the_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PHIL_CACHE", str(tmp_path))
    nodes = store.FEWEST_NODES
    graph = Graph.from_edges(nodes, [(node, node + 1) for node in range(nodes - 1)])
    first = landmarks.begin(graph, 0, 9)
    assert landmarks.begin(graph, 3, 4).value.table is first.value.table
    (kept,) = store.features_folder().iterdir()
    assert kept.stat().st_size > COUNT * nodes * 8
    pairs = [(node, nodes - node) for node in range(1, 9)]
    found = search_many(graph, pairs, landmarks, threads=2)
    assert [result.expansions for result in found] == [nodes + 1 - 2 * n for n, _ in pairs]
    gone = weakref.ref(graph)
    del graph, first, found
    gc.collect()
    assert gone() is None


def test_a_graph_met_while_searching_is_refused() -> None:
    line = ImplicitGraph(lambda node: [node + 1], lambda node: [float(node)], dim=1)
    with pytest.raises(InputError, match="known in full"):
        search(line, 0, 3, landmarks)
