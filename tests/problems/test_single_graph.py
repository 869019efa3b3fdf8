"""Random pairs on one graph are joined by a path, the same for the same seed, and fair."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from phil.errors import InputError
from phil.graphs import Graph, GridGraph
from phil.graphs.distances import hops_to
from phil.problems.single_graph import PairDraw, single_graph_set
from tests.strategies import graphs


@given(graphs(), st.integers(0, 9))
def test_every_pair_is_joined_by_a_path(graph: Graph, seed: int) -> None:
    try:
        draw = PairDraw(graph, "it")
    except InputError:
        assume(False)
    random = np.random.default_rng(seed)
    for start, goal in draw.pairs(4, random):
        assert 0 < hops_to(graph, goal)[start] < np.inf
    goal = draw.pair(random)[1]
    for start in draw.starts(goal, 3, random):
        assert 0 < hops_to(graph, goal)[start] < np.inf


def test_all_joined_pairs_are_equally_likely() -> None:
    graph = Graph.from_edges(6, [(0, 1), (2, 3), (3, 4)])
    counts = Counter(PairDraw(graph, "it").pairs(8000, np.random.default_rng(0)))
    assert len(counts) == 2 + 6
    assert max(counts.values()) - min(counts.values()) < 200


def test_splits_are_drawn_anew_by_seed_and_training_shares_goals() -> None:
    grid = GridGraph(np.ones((20, 20), bool))
    problems = single_graph_set("it", grid)
    assert [len(problems.split(name)) for name in ("train", "validation", "test")] == [600, 60, 100]
    assert problems.test == single_graph_set("it", grid).test
    assert problems.test != single_graph_set("it", grid, seed=1).test
    assert len({problem.goal for problem in problems.train[:8]}) > 4
    large = single_graph_set("it", GridGraph(np.ones((400, 400), bool)), count=8)
    assert len({problem.goal for problem in large.train}) == 2
    assert problems.test[:60] != problems.validation


@pytest.mark.parametrize(
    "graph",
    [
        Graph.from_edges(3, []),
        Graph.from_edges(1, [(0, 0)]),
        Graph.from_edges(3, [], directed=True),
        GridGraph([[True, False, True]]),
    ],
)
def test_a_graph_without_pairs_is_refused(graph: Graph) -> None:
    with pytest.raises(InputError, match="it has no two"):
        PairDraw(graph, "it")
