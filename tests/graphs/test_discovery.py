"""What a search meets: ids, arrays that grow, and each node asked for once."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from phil.graphs import GridGraph, ImplicitGraph
from phil.graphs.grid import CONNECTIVITIES, Corners
from phil.graphs.implicit import FIRST_EDGES, FIRST_NODES, Discovery
from tests.implicit import Mirror


def edges_of(discovery: Discovery[int], number: int) -> dict[int, float]:
    arrays = discovery.arrays
    edges = slice(arrays.first[number], arrays.last[number])
    near = [discovery.nodes[k] for k in arrays.indices[edges]]
    return dict(zip(near, arrays.weights[edges].tolist(), strict=True))


def test_start_and_goal_are_met_first_and_nothing_is_asked() -> None:
    asked: list[str] = []

    def neighbors(node: str) -> list[str]:
        asked.append(node)
        return []

    graph = ImplicitGraph(neighbors, lambda node: [len(node)], 1)
    discovery = graph.discover("here", "there")
    assert (discovery.nodes, discovery.start, discovery.goal) == (["here", "there"], 0, 1)
    assert discovery.features.tolist() == [[4.0], [5.0]]
    assert (discovery.arrays.first[:2].tolist(), asked, discovery.calls) == ([-1, -1], [], 0)
    same = graph.discover("here", "here")
    assert (same.nodes, same.start, same.goal) == (["here"], 0, 0)


def test_nodes_are_revealed_once() -> None:
    asked: Counter[int] = Counter()

    def neighbors(node: int) -> dict[int, float]:
        asked[node] += 1
        return {node + 1: 0.5, node + 2: 2.0}

    discovery = ImplicitGraph(neighbors).discover(10, 99)
    discovery.reveal([0])
    assert discovery.nodes == [10, 99, 11, 12]
    discovery.reveal([0, 2, 2, 3])
    assert discovery.nodes == [10, 99, 11, 12, 13, 14]
    assert edges_of(discovery, 0) == {11: 0.5, 12: 2.0}
    assert edges_of(discovery, 2) == {12: 0.5, 13: 2.0}
    assert edges_of(discovery, 3) == {13: 0.5, 14: 2.0}
    assert (asked, discovery.calls) == ({10: 1, 11: 1, 12: 1}, 3)


def test_growing_loses_nothing() -> None:
    graph = ImplicitGraph(
        lambda node: {node + k: k / 2 for k in range(1, 12)},
        lambda node: [node, -node],
        2,
        edge_features=lambda node, other: [other - node],
        edge_dim=1,
    )
    discovery = graph.discover(0, 0)
    for number in range(3 * FIRST_NODES):
        discovery.reveal([number])
    assert discovery.size > FIRST_NODES
    assert discovery.arrays.indices.size > FIRST_EDGES
    assert discovery.max_degree >= 11
    assert discovery.nodes == list(range(3 * FIRST_NODES + 11))
    numbers = np.arange(len(discovery.nodes))
    assert np.array_equal(discovery.features, np.stack([numbers, -numbers], axis=1))
    assert np.array_equal(discovery.arrays.tokens[: numbers.size], numbers)
    for number in (0, 1, FIRST_NODES - 1, FIRST_NODES, 3 * FIRST_NODES - 1):
        assert edges_of(discovery, number) == {number + k: k / 2 for k in range(1, 12)}
        edges = slice(discovery.arrays.first[number], discovery.arrays.last[number])
        assert discovery.arrays.edge_features[edges, 0].tolist() == list(range(1, 12))
    assert (discovery.arrays.first[3 * FIRST_NODES : discovery.size] == -1).all()


def test_tokens_stand_for_nodes_in_every_process() -> None:
    graph = ImplicitGraph[object](lambda node: [7, 2**64 - 1, 2**64, -1, "a", ("a", 1), True])
    discovery = graph.discover("start", "start")
    discovery.reveal([0])
    tokens = dict(zip(discovery.nodes, discovery.arrays.tokens.tolist(), strict=False))
    assert (tokens[7], tokens[2**64 - 1]) == (7, 2**64 - 1)
    assert len(set(tokens.values())) == len(tokens)
    assert tokens["a"] == 11494053157100649449


@pytest.mark.parametrize("corners", ["allow", "one_free", "both_free"])
@pytest.mark.parametrize("connectivity", [4, 8, 6, 18, 26])
def test_a_grid_is_seen_as_a_grid_graph_is(connectivity: int, corners: Corners) -> None:
    shape = (6, 9) if connectivity in CONNECTIVITIES[2] else (4, 7, 5)
    free = np.random.default_rng(1).random(shape) < 0.7
    free.flat[0] = True
    diagonal_cost = 1.25 if free.ndim == 2 else None
    grid = GridGraph(free, connectivity=connectivity, corners=corners, diagonal_cost=diagonal_cost)
    discovery = Mirror(grid).graph.discover(grid.cell(0), grid.cell(0))
    number = 0
    while number < len(discovery.nodes):
        discovery.reveal([number])
        number += 1
    assert len(discovery.nodes) > 10
    assert (discovery.shape, discovery.max_degree) == (grid.shape, connectivity)
    arrays = discovery.arrays
    assert np.array_equal(arrays.shape, grid.arrays.shape)
    assert np.array_equal(arrays.moves, grid.arrays.moves)
    assert np.array_equal(arrays.edge_features, grid.arrays.edge_features)
    for number, cell in enumerate(discovery.nodes):
        node = grid.node(*cell)
        assert arrays.tokens[number] == node
        assert np.array_equal(discovery.features[number], grid.features[node])
        edges = slice(arrays.first[number], arrays.last[number])
        near = [grid.node(*discovery.nodes[k]) for k in arrays.indices[edges]]
        assert near == grid.neighbors(node).tolist()
        moves = arrays.edge_rows[edges]
        assert np.array_equal(arrays.weights[edges], grid.arrays.move_costs[moves])
        assert [tuple(np.add(cell, arrays.moves[move])) for move in moves] == [
            grid.cell(other) for other in near
        ]
