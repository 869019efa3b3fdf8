"""Neighbours are sampled uniformly, by seed and node alone."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phil.graphs import AnyGraph, Graph, GridGraph
from phil.heuristics.phil.inputs import look_around
from tests.implicit import Mirror
from tests.strategies import graphs, grids, node_ids, voxel_grids


def sample(graph: AnyGraph, node: int, most: int, seed: int) -> list[tuple[int, int]]:
    """(Neighbour, edge) pairs."""
    degree = graph.max_degree
    nodes, edges = np.empty(degree, np.int32), np.empty(degree, np.int64)
    count, _ = look_around(
        graph.arrays, node, most, 0, np.zeros(0, np.int64), seed, nodes, edges, np.empty(degree)
    )
    return list(zip(nodes[:count].tolist(), edges[:count].tolist(), strict=True))


def star(leaves: int) -> Graph:
    return Graph.from_edges(
        leaves + 1, [(0, leaf) for leaf in range(1, leaves + 1)], np.zeros((leaves + 1, 1))
    )


@given(st.one_of(graphs(), grids()), st.integers(0, 9), st.integers(0, 2**40))
def test_a_sample_is_some_of_the_neighbours_in_their_order(
    graph: AnyGraph, most: int, seed: int
) -> None:
    for node in node_ids(graph):
        everything = sample(graph, node, graph.max_degree, seed)
        assert [near for near, _ in everything] == graph.neighbors(node).tolist()
        some = sample(graph, node, most, seed)
        assert len(some) == min(most, len(everything))
        assert some == [pair for pair in everything if pair in some]


@given(grids())
def test_a_sampled_edge_is_the_row_of_its_features(grid: GridGraph) -> None:
    for node in node_ids(grid):
        for near, edge in sample(grid, node, 3, 7):
            expected = grid.features[near] - grid.features[node]
            assert np.array_equal(grid.arrays.edge_features[edge], expected)


def test_a_sample_does_not_depend_on_those_before_it() -> None:
    grid = GridGraph(np.ones((6, 6), bool))
    forwards = {node: sample(grid, node, 3, 5) for node in range(36)}
    backwards = {node: sample(grid, node, 3, 5) for node in reversed(range(36))}
    assert forwards == backwards


def test_seeds_and_nodes_draw_differently() -> None:
    grid = GridGraph(np.ones((30, 30), bool))
    inner = [grid.node(row, column) for row in range(1, 29) for column in range(1, 29)]
    by_node = {tuple(edge for _, edge in sample(grid, node, 3, 0)) for node in inner}
    by_seed = {tuple(sample(grid, inner[0], 3, seed)) for seed in range(500)}
    # There are 56 sets of 3 moves out of 8.
    assert len(by_node) == len(by_seed) == 56


def chi_square(counts: list[int]) -> float:
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 / expected for count in counts)


def test_every_set_of_neighbours_is_equally_likely() -> None:
    graph = star(5)
    sets = dict.fromkeys(combinations(range(1, 6), 2), 0)
    for seed in range(5000):
        sets[tuple(near for near, _ in sample(graph, 0, 2, seed))] += 1  # type: ignore[index]
    # 9 degrees of freedom: above 27.9 once in a thousand.
    assert chi_square(list(sets.values())) < 27.9


def test_every_move_is_equally_likely_over_the_nodes_of_a_map() -> None:
    grid = GridGraph(np.ones((60, 60), bool))
    counts = [0] * 8
    for row in range(1, 59):
        for column in range(1, 59):
            for _, edge in sample(grid, grid.node(row, column), 2, 3):
                counts[edge] += 1
    assert chi_square(counts) < 24.3  # 7 degrees of freedom


def test_parallel_edges_are_drawn_apart() -> None:
    graph = Graph.from_edges(2, [(0, 1)] * 6, np.zeros((2, 1)), directed=True)
    drawn = {edge for seed in range(60) for _, edge in sample(graph, 0, 1, seed)}
    assert drawn == set(range(6))


@pytest.mark.parametrize("most", [0, 1, 150])
def test_a_node_of_many_neighbours(most: int) -> None:
    assert len(sample(star(200), 0, most, 0)) == most


@given(st.one_of(grids(), voxel_grids()))
def test_missing_moves_are_those_that_cannot_be_made(grid: GridGraph) -> None:
    offsets = grid.arrays.edge_features
    moves = grid.connectivity
    room = np.empty(moves, np.int32), np.empty(moves, np.int64), np.empty(moves)
    for node in node_ids(grid):
        _, missing = look_around(grid.arrays, node, 3, moves, np.arange(moves), 0, *room)
        made = {tuple(grid.features[near] - grid.features[node]) for near in grid.neighbors(node)}
        bits = [bool(missing >> move & 1) for move in range(moves)]
        assert [tuple(offset) not in made for offset in offsets] == bits
        # The same on a map that is met while searching.
        discovery = Mirror(grid).graph.discover(grid.cell(node), grid.cell(node))
        discovery.reveal([0])
        assert look_around(discovery.arrays, 0, 3, moves, np.arange(moves), 0, *room)[1] == missing
