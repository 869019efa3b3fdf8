"""The path of a greedy search is the cheapest one over the edges that it has seen."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phil.graphs import AnyGraph, Graph, GridGraph, ImplicitGraph
from phil.heuristics.classical import euclidean, manhattan
from phil.heuristics.node_value import TableHeuristic
from phil.heuristics.novelty import Novelty
from phil.heuristics.registry import load_heuristic
from phil.search import (
    ASTAR,
    BFS,
    GREEDY,
    Key,
    Result,
    anytime,
    loop,
    queries,
    search,
    search_bidirectional,
    search_hedge,
    search_many,
    search_mha,
)
from phil.search.guide import WithoutLoop
from phil.search.state import FIRST_ROOM, StatePool
from tests.guides import facts, table
from tests.implicit import Mirror, own_facts, simplified
from tests.strategies import edge_costs, grids, node_ids, problems, voxel_grids

DEEP = Key(g=0.0, h=1.0, depth=-0.8)
Case = tuple[AnyGraph, int, int]
Greedy = Callable[..., Result[Any]]

# Each with a random table of values, in which greedy search goes astray.
GREEDY_SEARCHES: dict[str, Greedy] = {
    "greedy": lambda graph, start, goal, one, other: search(graph, start, goal, one, trace=True),
    "euclidean": lambda graph, start, goal, one, other: search(
        graph, start, goal, euclidean, trace=True
    ),
    "depth": lambda graph, start, goal, one, other: search(
        graph, start, goal, one, key=DEEP, trace=True
    ),
    "bfws": lambda graph, start, goal, one, other: search(
        graph, start, goal, Novelty(one), trace=True
    ),
    "mha": lambda graph, start, goal, one, other: search_mha(
        graph, start, goal, [one, other], trace=True
    ),
    "hedge": lambda graph, start, goal, one, other: search_hedge(
        graph, start, goal, one, other, trace=True
    ),
}


def seen_by(graph: AnyGraph, expanded: list[int], *, both_ways: bool) -> nx.DiGraph:
    """The edges at the nodes that a search has expanded."""
    seen = nx.DiGraph()
    seen.add_nodes_from(expanded)
    for (node, other), cost in edge_costs(graph).items():
        if node in expanded or (both_ways and other in expanded):
            seen.add_edge(node, other, weight=cost)
    return seen


def cost_of(graph: AnyGraph, path: list[int]) -> float:
    costs = edge_costs(graph)
    return sum(costs[move] for move in pairwise(path))


def random_tables(graph: AnyGraph, seed: int) -> list[Any]:
    random = np.random.default_rng(seed)
    return [table(random.integers(0, 9, graph.size) / 2.0) for _ in range(2)]


@pytest.mark.parametrize("name", GREEDY_SEARCHES)
@given(problem=problems(), seed=st.integers(0, 2**32))
@settings(max_examples=60)
def test_a_path_is_the_cheapest_over_the_edges_of_expanded_nodes(
    name: str, problem: Case, seed: int
) -> None:
    graph, start, goal = problem
    result = GREEDY_SEARCHES[name](graph, start, goal, *random_tables(graph, seed))
    if not result.solved:
        return
    assert result.trace is not None
    assert result.path_by_parents is not None
    path, by_parents = result.path.tolist(), result.path_by_parents.tolist()
    assert (path[0], path[-1]) == (by_parents[0], by_parents[-1]) == (start, goal)
    assert set(by_parents) <= set(result.trace.tolist())
    expanded = [node for node in result.trace.tolist() if node != goal]
    seen = seen_by(graph, expanded, both_ways=not graph.directed)
    if start != goal:
        assert all(move in seen.edges for move in pairwise(path))
        least = nx.dijkstra_path_length(seen, start, goal)
        assert result.cost == pytest.approx(least, rel=1e-9, abs=1e-12)
    assert result.cost == pytest.approx(cost_of(graph, path))
    assert result.cost <= cost_of(graph, by_parents) * (1 + 1e-12)


@given(problems())
@settings(max_examples=60)
def test_edges_of_an_implicit_graph_are_followed_one_way(problem: Case) -> None:
    graph, start, goal = problem
    graph = simplified(graph)
    mirror = Mirror(graph)
    ids = {mirror.name(node): node for node in range(graph.size)}
    result = search(mirror.graph, mirror.name(start), mirror.name(goal), euclidean, trace=True)
    if not result.solved or start == goal:
        return
    expanded = [ids[node] for node in result.trace or () if ids[node] != goal]
    seen = seen_by(graph, expanded, both_ways=False)
    assert result.cost == pytest.approx(nx.dijkstra_path_length(seen, start, goal), rel=1e-9)
    assert set(result.path) <= set(result.trace or ())
    assert mirror.neighbors.total() == result.calls  # nothing is asked for the path


@given(grids() | voxel_grids(), st.data(), st.sampled_from([GREEDY, DEEP]))
@settings(max_examples=60)
def test_an_implicit_graph_may_declare_that_edges_lead_both_ways(
    grid: GridGraph, data: st.DataObject, key: Key
) -> None:
    nodes = st.sampled_from(node_ids(grid))
    start, goal = data.draw(nodes), data.draw(nodes)
    mirror = Mirror(grid, directed=False)
    ends = mirror.name(start), mirror.name(goal)
    met = search(mirror.graph, *ends, euclidean, key=key, trace=True)
    known = search(grid, start, goal, euclidean, key=key, trace=True)
    assert own_facts(met) == mirror.named(known)
    assert met.cost == pytest.approx(known.cost, rel=1e-9)
    assert met.calls == mirror.neighbors.total()
    if met.solved:
        assert met.cost == pytest.approx(cost_of(grid, [grid.node(*cell) for cell in met.path]))
    first, *_ = anytime(mirror.graph, *ends, euclidean, key=key)
    assert first.cost == pytest.approx(known.cost, rel=1e-9)
    hedged = search_hedge(mirror.graph, *ends, euclidean, manhattan)
    assert hedged.cost == pytest.approx(search_hedge(grid, start, goal, euclidean, manhattan).cost)


def test_an_open_node_may_have_more_edges_than_any_that_was_asked_for() -> None:
    """Many nodes in a row, all joined to one that is never expanded."""
    row, hub = 3 * FIRST_ROOM, -1

    def neighbors(node: int) -> dict[int, float]:
        return {hub: 0.25, **{near: 1.0 for near in (node - 1, node + 1) if 0 <= near <= row}}

    def heuristic(node: int, goal: int) -> float:
        return 1e9 if node == hub else goal - node

    implicit = ImplicitGraph(neighbors, directed=False)
    result = search(implicit, 0, row, heuristic)
    assert (result.path, result.cost) == ((0, hub, row - 1, row), 1.5)
    assert search(ImplicitGraph(neighbors), 0, row, heuristic).cost == row


@given(problems(), st.integers(0, 2**32))
@settings(max_examples=60)
def test_from_both_ends(problem: Case, seed: int) -> None:
    graph, start, goal = problem
    [heuristic, _] = random_tables(graph, seed)
    result = search_bidirectional(graph, start, goal, heuristic, trace=True)
    if not result.solved or start == goal:
        return
    assert result.trace is not None
    assert result.path_by_parents is not None
    path = result.path.tolist()
    assert (path[0], path[-1]) == (start, goal)
    assert result.cost == pytest.approx(cost_of(graph, path))
    by_parents = result.path_by_parents.tolist()
    assert result.cost <= cost_of(graph, by_parents) * (1 + 1e-12)
    seen = seen_by(graph, result.trace.tolist(), both_ways=True)
    assert all(move in seen.edges for move in pairwise(path))
    if not graph.directed:
        assert result.cost == pytest.approx(nx.dijkstra_path_length(seen, start, goal), rel=1e-9)


@given(problems(), st.sampled_from([GREEDY, DEEP]))
@settings(max_examples=60)
def test_compiled_python_and_many_searches_agree(problem: Case, key: Key) -> None:
    graph, start, goal = problem
    compiled = search(graph, start, goal, euclidean, key=key)
    in_python = search(graph, start, goal, WithoutLoop(euclidean), key=key)
    pairs = [(start, goal), (goal, start)]
    [among_many, back] = search_many(graph, pairs, euclidean, key=key, threads=1)
    assert facts(compiled) == facts(in_python) == facts(among_many)
    assert facts(back) == facts(search(graph, goal, start, euclidean, key=key))


@pytest.mark.parametrize("key", [BFS, ASTAR, Key(g=0.0, h=0.0, depth=1.0), Key(g=1.0, h=2.0)])
@given(problem=problems())
@settings(max_examples=30)
def test_other_keys_keep_the_path_by_parents(key: Key, problem: Case) -> None:
    result = search(*problem, euclidean, key=key, trace=True)
    assert result.path_by_parents is not None
    assert result.path.tolist() == result.path_by_parents.tolist()


@given(problems(), st.integers(0, 2**32), st.sampled_from([1.0, 1.5, np.inf]))
@settings(max_examples=100)
def test_with_a_bound_the_first_path_is_the_cheapest_known(
    problem: Case, seed: int, bound: float
) -> None:
    graph, start, goal = problem
    [heuristic, _] = random_tables(graph, seed)
    plain = search(graph, start, goal, heuristic, trace=True)
    first, *_ = anytime(graph, start, goal, heuristic, bound=bound, trace=True)
    assert first.cost == pytest.approx(plain.cost, rel=1e-9)
    assert first.trace is not None
    assert plain.trace is not None
    assert first.trace.tolist() == plain.trace.tolist()
    bounded = search(graph, start, goal, heuristic, bound=bound)
    assert bounded.cost <= plain.cost * (1 + 1e-9)
    if bounded.solved:
        assert bounded.cost == pytest.approx(cost_of(graph, bounded.path.tolist()))
        assert bounded.expansions <= search(graph, start, goal, heuristic, bound=1.0).expansions


def test_open_cells_may_lie_on_the_path_of_an_undirected_graph() -> None:
    # Values lead from 0 over 1 to 3; node 2 is never expanded, but both ends of its edges are.
    edges, weights = [(0, 1), (1, 3), (0, 2), (2, 3), (3, 4)], [5.0, 5.0, 1.0, 1.0, 1.0]
    values = table(np.array([0.0, 1.0, 9.0, 1.0, 0.0]))
    graph = Graph.from_edges(5, edges, weights=weights)
    result = search(graph, 0, 4, values, trace=True)
    assert (result.path.tolist(), result.cost) == ([0, 2, 3, 4], 3.0)
    assert result.path_by_parents is not None
    assert result.path_by_parents.tolist() == [0, 1, 3, 4]
    assert (result.expansions, result.calls) == (4, 3)
    directed = Graph.from_edges(5, edges, weights=weights, directed=True)
    assert search(directed, 0, 4, values).path.tolist() == [0, 1, 3, 4]


def test_the_path_may_lead_over_nodes_that_the_other_side_of_a_hedge_expanded() -> None:
    free = np.ones((9, 40), bool)
    grid = GridGraph(free)
    towards = table(np.array([abs(39 - node % 40) + 3.0 * (node % 7) for node in range(360)]))
    result = search_hedge(grid, (8, 0), (8, 39), towards, euclidean, trace=True)
    seen = seen_by(grid, result.trace.tolist()[:-1], both_ways=True)  # type: ignore[union-attr]
    start, goal = grid.node(8, 0), grid.node(8, 39)
    assert result.cost == pytest.approx(nx.dijkstra_path_length(seen, start, goal))


def test_open_grows_while_the_path_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hubs joined by more leaves than OPEN has room for at first."""
    leaves = 3 * FIRST_ROOM
    hub, other, goal = 0, leaves + 1, leaves + 2
    edges = [(hub, 1 + k) for k in range(leaves)] + [(1 + k, other) for k in range(leaves)]
    edges += [(hub, other), (other, goal)]
    weights = [1.0 + k / leaves for k in range(leaves)] * 2 + [50.0, 1.0]
    values = np.full(leaves + 3, 9.0)
    values[[other, goal]] = 0.0
    for directed in (False, True):
        graph = Graph.from_edges(leaves + 3, edges, weights=weights, directed=directed)
        monkeypatch.setattr(loop, "_pool", StatePool())
        result = search(graph, hub, goal, TableHeuristic(values))
        assert result.expansions == 3
        assert result.cost == (51.0 if directed else 3.0)
        monkeypatch.setattr(loop, "_pool", StatePool())
        [many] = search_many(graph, [(hub, goal)], TableHeuristic(values), threads=1)
        assert facts(many) == facts(result)


def test_a_cheaper_path_may_have_more_nodes_than_the_buffer_has_room_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Values lead along an expensive edge; the cheap way has a hundred nodes."""
    length = 100
    edges = [(k, k + 1) for k in range(length)] + [(0, length - 1)]
    graph = Graph.from_edges(length + 1, edges, weights=[0.1] * length + [50.0])
    values = np.full(length + 1, -1.0)
    values[[length - 1, length]] = 5.0, 6.0
    monkeypatch.setattr(queries, "ROOM", 10)
    [many] = search_many(graph, [(0, length)], TableHeuristic(values), threads=1)
    assert many.length == length
    assert facts(many) == facts(search(graph, 0, length, TableHeuristic(values)))


def test_learned_heuristics_give_cheaper_paths_for_the_same_calls() -> None:
    random = np.random.default_rng(5)
    free = random.random((60, 60)) < 0.8
    free[-1, 0] = free[0, -1] = True
    grid, heuristic = GridGraph(free), load_heuristic("phil:forest")
    ends = (59, 0), (0, 59)
    result = search(grid, *ends, heuristic, trace=True)
    assert result.path_by_parents is not None
    assert result.cost < cost_of(grid, result.path_by_parents.tolist())
    [among_many] = search_many(grid, [ends], heuristic, threads=1)
    assert facts(among_many) == facts(search(grid, *ends, heuristic))
    turns = search_mha(grid, *ends, [heuristic, manhattan], trace=True)
    assert turns.solved
