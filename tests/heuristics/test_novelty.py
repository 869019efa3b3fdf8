"""Novelty: what is new in a bucket comes first."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import AnyGraph, Graph, GridGraph
from phil.heuristics import novelty
from phil.heuristics.classical import euclidean, manhattan, oracle
from phil.heuristics.node_value import TableHeuristic
from phil.heuristics.novelty import BEHIND, FIRST_SLOTS, MOST, Novelty
from phil.heuristics.obstacles import obstacles
from phil.search import ASTAR, GREEDY, Key, Limits, search
from phil.search.guide import Expansion, Heuristic, WithoutLoop
from tests.guides import PythonHeuristic, facts, table
from tests.implicit import NAMES, Mirror, own_facts, simplified
from tests.strategies import graphs, grids, node_ids, problems, voxel_grids

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
        with pytest.raises(InputError, match=r"table gave .*novelty needs values below"):
            search(grid, 0, 8, Novelty(TableHeuristic(np.full(9, value))))
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


@given(
    problems(),
    st.integers(0, 2**32),
    st.sampled_from([GREEDY, ASTAR]),
    st.sampled_from([None, 1.5]),
    st.none() | st.integers(0, 20),
)
@settings(max_examples=200)
def test_the_compiled_loop_is_the_search_from_python(
    problem: tuple[AnyGraph, int, int], seed: int, key: Key, bound: float | None, most: int | None
) -> None:
    graph, start, goal = problem
    random = np.random.default_rng(seed)
    values = random.choice([-3.5, 0.0, 0.25, 7.0, np.inf], graph.size)
    heuristics: list[Heuristic] = [TableHeuristic(values), euclidean]
    if isinstance(graph, GridGraph) and graph.axes == 2:
        heuristics.append(obstacles)
    for heuristic in map(Novelty, heuristics):
        compiled, python = (
            search(graph, start, goal, each, key=key, bound=bound, limits=Limits(most), trace=True)
            for each in (heuristic, WithoutLoop(heuristic))
        )
        assert facts(compiled) == facts(python)


@given(problems())
@settings(max_examples=50)
def test_graphs_met_on_the_way(problem: tuple[AnyGraph, int, int]) -> None:
    graph = simplified(problem[0])
    found = []
    for heuristic in (Novelty(euclidean), Novelty(WithoutLoop(euclidean))):
        mirror = Mirror(graph, NAMES["texts"])
        ends = mirror.name(problem[1]), mirror.name(problem[2])
        found.append(own_facts(search(mirror.graph, *ends, heuristic, trace=True)))
    assert found[0] == found[1]


def test_the_table_grows_in_the_compiled_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = GridGraph([[True] * 60] * 60)
    heuristic = Novelty(TableHeuristic(np.random.default_rng(1).random(3600) * 1000))
    python = search(grid, 0, 3599, WithoutLoop(heuristic), trace=True)
    monkeypatch.setattr(novelty, "FIRST_SLOTS", 1)
    assert facts(search(grid, 0, 3599, heuristic, trace=True)) == facts(python)


def test_a_value_that_is_no_number_is_refused() -> None:
    grid = GridGraph([[True] * 3] * 3)
    heuristic = Novelty(TableHeuristic(np.full(9, np.nan)))
    for each in (heuristic, WithoutLoop(heuristic)):
        with pytest.raises(InputError, match="the heuristic gave NaN for node"):
            search(grid, 0, 8, each)


def test_it_goes_round_a_trap_that_holds_greedy_search_up() -> None:
    free = np.ones((41, 41), bool)
    free[5:36, 30] = False
    free[5, 5:31] = free[35, 5:31] = False
    grid = GridGraph(free)
    greedy = search(grid, (20, 8), (20, 38), euclidean)
    novel = search(grid, (20, 8), (20, 38), Novelty(euclidean))
    assert novel.solved
    assert novel.expansions != greedy.expansions


def test_there_is_one_value_per_node() -> None:
    heuristic = Novelty(PythonHeuristic(lambda expansion: np.zeros((expansion.new.size, 2))))
    with pytest.raises(InputError, match=r"shape \(3, 2\) for the 3 new nodes of expansion 1"):
        search(GridGraph(np.ones((2, 2), bool)), 0, 3, heuristic)
