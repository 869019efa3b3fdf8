"""Novelty: what is new in a bucket comes first."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import Graph, GridGraph
from phil.heuristics.classical import euclidean, manhattan, oracle
from phil.heuristics.novelty import BEHIND, FIRST_SLOTS, MOST, Novelty
from phil.search import search
from phil.search.guide import Expansion
from tests.guides import PythonHeuristic, table
from tests.strategies import graphs, grids, node_ids, voxel_grids

Shown = list[tuple[list[int], NDArray[np.float64]]]


def ask(heuristic: Novelty, graph: Graph | GridGraph, goal: int, groups: list[list[int]]) -> Shown:
    """What a guide says when it is shown groups of nodes."""
    guide = heuristic.begin(graph, goal, goal)
    told = []
    for count, group in enumerate(groups, start=1):
        new = np.array(group, np.int32)
        zeros = np.zeros(new.size)
        expansion = Expansion(goal, new, zeros, zeros.astype(np.int32), count)
        told.append((group, guide.score(expansion)))
    return told


def expected(
    graph: Graph | GridGraph, values: NDArray[np.float64], groups: list[list[int]]
) -> list[list[float]]:
    """The same by the letter, in plain Python."""
    seen: defaultdict[tuple[int, int], set[float]] = defaultdict(set)
    told = []
    for group in groups:
        row = []
        for node in group:
            value = float(values[node])
            if isinstance(graph, GridGraph):
                features = [float(place) for place in graph.cell(node)]
            else:
                features = [float(feature) for feature in graph.features[node]]
            novel = False
            for column, feature in enumerate(features):
                known = seen[int(np.floor(value)), column]
                if isinstance(graph, GridGraph):
                    novel |= feature not in known
                else:
                    novel |= not known or not min(known) <= feature <= max(known)
                known.add(feature)
            row.append(value if novel else value + BEHIND)
        told.append(row)
    return told


@given(
    st.one_of(graphs(largest=40), grids(longest=14), voxel_grids()),
    st.integers(0, 2**32),
    st.integers(1, 5),
)
@settings(max_examples=150)
def test_novelty_by_the_letter(graph: Graph | GridGraph, seed: int, size: int) -> None:
    random = np.random.default_rng(seed)
    values = random.normal(size=graph.size) * random.choice([0.5, 3.0, 100.0])
    nodes = random.permutation(node_ids(graph)).tolist()
    groups = [nodes[k : k + size] for k in range(0, len(nodes), size)]
    told = ask(Novelty(table(values)), graph, nodes[0], groups)
    assert [row.tolist() for _, row in told] == expected(graph, values, groups)


def test_the_table_grows() -> None:
    grid = GridGraph([[True] * 60] * 60)
    values = np.arange(3600.0)  # every node has a bucket of its own: all are novel
    groups = [list(range(k, k + 8)) for k in range(0, 3600, 8)]
    assert FIRST_SLOTS < 2 * 3600
    for _ in range(2):
        told = ask(Novelty(table(values)), grid, 0, groups)
        assert np.concatenate([row for _, row in told]).tolist() == values.tolist()


def test_novel_nodes_come_first_and_each_kind_by_value() -> None:
    grid = GridGraph([[True] * 9] * 9)
    # All in one bucket; the last two share their row and column with nodes before.
    values = np.linspace(0.9, 0.1, 81)
    (_, row) = ask(Novelty(table(values)), grid, 0, [[0, 10, 20, 1, 2]])[0]
    assert np.argsort(row).tolist() == [2, 1, 0, 4, 3]


def test_values_that_cannot_be_told_apart_are_refused() -> None:
    grid = GridGraph([[True] * 3] * 3)
    for value in (MOST, -MOST, 1e300):
        with pytest.raises(InputError, match=r"python gave .*novelty needs values below"):
            search(grid, 0, 8, Novelty(table(np.full(9, value))))
    search(grid, 0, 8, Novelty(table(np.full(9, np.nextafter(MOST, 0)))))


def test_infinite_values_stay_last() -> None:
    grid = GridGraph([[True] * 3] * 3)
    (_, row) = ask(Novelty(table(np.full(9, np.inf))), grid, 0, [[0, 1, 2]])[0]
    assert row.tolist() == [np.inf] * 3
    wall = GridGraph([[True, False, True]])
    assert not search(wall, 0, 2, Novelty(oracle)).solved


def test_the_name_says_what_is_inside() -> None:
    assert Novelty(manhattan).name == "novelty(manhattan)"


def test_the_values_of_the_other_guide_are_not_changed() -> None:
    kept = np.zeros(9)
    grid = GridGraph([[True] * 3] * 3)
    search(grid, 0, 8, Novelty(PythonHeuristic(lambda expansion: kept[: expansion.new.size])))
    assert not kept.any()


def test_it_goes_round_a_trap_that_holds_greedy_search_up() -> None:
    free = np.ones((41, 41), bool)
    free[5:36, 30] = False
    free[5, 5:31] = free[35, 5:31] = False
    grid = GridGraph(free)
    greedy = search(grid, (20, 8), (20, 38), euclidean)
    novel = search(grid, (20, 8), (20, 38), Novelty(euclidean))
    assert novel.solved
    assert novel.expansions != greedy.expansions
