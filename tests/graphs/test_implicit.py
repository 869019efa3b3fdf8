"""ImplicitGraph: what its functions may say, and what a search meets: each node asked for once."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phil.errors import InputError
from phil.graphs import Graph, GridGraph, ImplicitGraph
from phil.graphs.discovery import FIRST_EDGES, FIRST_NODES, Discovery
from phil.graphs.distances import costs_to
from phil.graphs.grid import CONNECTIVITIES
from phil.graphs.stencil import Corners
from tests.implicit import NAMES, Mirror, simplified
from tests.strategies import graphs, grids, voxel_grids


def refused(graph: ImplicitGraph[Any], start: Any = "home", goal: Any = "away") -> str:
    """What is said about a graph when the start's neighbours are asked for."""
    with pytest.raises(InputError) as caught:
        graph.discover(start, goal).reveal([0])
    return str(caught.value)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (None, "neighbors('home') returned None; it must return a list of nodes, or a dictionary"),
        (3, "neighbors('home') returned 3; it must return a list"),
        ("ab", "neighbors('home') returned 'ab'; it must return a list"),
        (["a", "b", "a"], "neighbors('home') returned 'a' twice"),
        (["a", "home"], "neighbors('home') returned the node itself"),
        ([["a"]], "neighbors('home') returned [['a']]: unhashable type: 'list'"),
        ({"a": -1}, "neighbors('home'): the edge to 'a' costs -1; costs must be finite"),
        ({"a": 1, "b": np.nan}, "neighbors('home'): the edge to 'b' costs nan"),
        ({"a": np.inf}, "neighbors('home'): the edge to 'a' costs inf"),
        ({"a": "1"}, "neighbors('home'): the edge to 'a' costs '1'"),
        ({"a": None}, "neighbors('home'): the edge to 'a' costs None"),
    ],
)
def test_bad_neighbors_are_named(answer: Any, said: str) -> None:
    assert refused(ImplicitGraph(lambda node: answer)).startswith(said)


@pytest.mark.parametrize(
    "answer", [[1.0], [1.0, 2.0, 3.0], [1.0, np.nan], [np.inf, 0], [1e39, 0], ["1", "2"], 5, None]
)
def test_bad_features_are_named(answer: Any) -> None:
    said = f"('home') returned {answer!r}; it must return 2 finite numbers"
    assert refused(ImplicitGraph(lambda node: [], lambda node: answer, 2)) == f"features{said}"
    graph = ImplicitGraph(
        lambda node: ["next"], edge_features=lambda node, other: answer, edge_dim=2
    )
    assert refused(graph) == f"edge_features{said}".replace("'home'", "'home', 'next'")


def test_functions_that_fail_are_named() -> None:
    def fail(*nodes: str) -> list[float]:
        raise KeyError("no such place")

    said = "raised KeyError: 'no such place'"
    assert refused(ImplicitGraph(lambda node: [], fail, 1)) == f"features('home') {said}"
    graph = ImplicitGraph(lambda node: ["next"], edge_features=fail, edge_dim=1)
    assert refused(graph) == f"edge_features('home', 'next') {said}"


@pytest.mark.parametrize("role", ["start", "goal"])
def test_ends_must_be_nodes(role: str) -> None:
    ends: dict[str, Any] = {"start": "home", "goal": "away"} | {role: ["a list"]}
    said = refused(ImplicitGraph(lambda node: []), **ends)
    assert said.startswith(f"{role} ['a list']: unhashable type: 'list'; nodes must be")
    on_grid = ImplicitGraph.on_grid(lambda cell: [], (3, 4))
    for wrong in ((3, 0), (0, 4), (-1, 0), 5, (1, 2, 3), "ab", ("a", "b")):
        cells: dict[str, Any] = {"start": (0, 0), "goal": (1, 1)} | {role: wrong}
        assert refused(on_grid, **cells) == (
            f"{role} {wrong!r} is not a cell (row, column) of the 3x4 map"
        )
    in_space = ImplicitGraph.on_grid(lambda cell: [], (3, 4, 5))
    for off in ((3, 0, 0), (0, 4, 0), (0, 0, 5), (0, 0, -1), 5, (1, 2), "abc", (1, 2, "c")):
        cells = {"start": (0, 0, 0), "goal": (1, 1, 1)} | {role: off}
        assert (
            refused(in_space, **cells) == f"{role} {off!r} is not a cell (x, y, z) of the 3x4x5 map"
        )


@pytest.mark.parametrize(
    "answer",
    [
        [(0, 1), (0, 4)],
        [(1, -1)],
        [(3, 0)],
        [(-1, 0)],
        [(2, 2)],
        [(1, 0)],
        [5],
        ["ab"],
        [(1, 2, 3)],
    ],
)
def test_cells_must_be_one_move_away_and_on_the_map(answer: list[Any]) -> None:
    for start in ((1, 0), (1, 3)):
        graph = ImplicitGraph.on_grid(lambda cell: answer, (3, 4), connectivity=4)
        assert refused(graph, start, (0, 0)) == (
            f"neighbors({start}) returned {answer}; it must return cells (row, column) of "
            "the 3x4 map, each reachable by one of the 4 moves"
        )


@pytest.mark.parametrize(
    "answer",
    [
        [(1, 1, 0), (2, 1, -1)],  # below the map, on which the first is
        [(0, 1, 5)],
        [(3, 1, 4)],
        [(1, 4, 4)],
        [(-1, 1, 0)],
        [(1, -1, 0)],
        [(1, 1, 2)],  # two cells away
        [(2, 2, 1), (2, 1, 3)],  # over three axes
        [(1, 0)],
        [(1, 1, 1, 1)],
        [5],
        ["abc"],
    ],
)
def test_cells_in_space_must_be_one_move_away_and_on_the_map(answer: list[Any]) -> None:
    for start in ((1, 1, 0), (1, 1, 4), (0, 3, 2)):
        graph = ImplicitGraph.on_grid(lambda cell: answer, (3, 4, 5), connectivity=18)
        assert refused(graph, start, (0, 0, 0)) == (
            f"neighbors({start}) returned {answer}; it must return cells (x, y, z) of "
            "the 3x4x5 map, each reachable by one of the 18 moves"
        )


@pytest.mark.parametrize("place", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_no_cell_off_the_map_is_taken(axis: int, place: int) -> None:
    """Wherever a cell is, all around it on the map is taken, and nothing else."""
    cell, shape = [1, 1, 1], [3, 3, 3]
    cell[axis], shape[axis] = place, 5
    around = [(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)]
    near = [tuple(np.add(cell, move).tolist()) for move in around if any(move)]
    inside = [c for c in near if all(0 <= p < side for p, side in zip(c, shape, strict=True))]
    for answer in [inside, *([c] for c in near)]:
        graph = ImplicitGraph.on_grid({tuple(cell): answer}.__getitem__, tuple(shape))
        if set(answer) <= set(inside):
            discovery = graph.discover(tuple(cell), tuple(cell))
            discovery.reveal([0])
            assert set(discovery.nodes) == {tuple(cell), *answer}
        else:
            assert "it must return cells (x, y, z)" in refused(graph, tuple(cell), tuple(cell))


def test_cells_are_given_once_and_without_costs() -> None:
    twice = ImplicitGraph.on_grid(lambda cell: [(0, 1), (0, 1)], (3, 3))
    assert refused(twice, (0, 0), (1, 1)).startswith("neighbors((0, 0)) returned a cell twice")
    priced = ImplicitGraph.on_grid(lambda cell: {(0, 1): 2.0}, (3, 3))
    assert refused(priced, (0, 0), (1, 1)).startswith("neighbors((0, 0)) returned costs; on a grid")
    start, goal = (0, 0, 0), (1, 1, 1)
    twice = ImplicitGraph.on_grid(lambda cell: [(0, 1, 0), (1, 0, 0), (0, 1, 0)], (3, 3, 3))
    assert refused(twice, start, goal).startswith("neighbors((0, 0, 0)) returned a cell twice")
    priced = ImplicitGraph.on_grid(lambda cell: {(0, 1, 0): 2.0}, (3, 3, 3))
    assert refused(priced, start, goal).startswith(
        "neighbors((0, 0, 0)) returned costs; on a grid a move costs 1, sqrt 2 or sqrt 3: "
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"neighbors": [1]}, "neighbors must be a function of a node, not [1]"),
        ({"features": lambda node: [1.0]}, "features and dim (how many numbers it returns"),
        ({"dim": 2}, "features and dim (how many numbers it returns"),
        ({"features": lambda node: [], "dim": -1}, "features and dim (how many numbers it returns"),
        ({"edge_dim": 2}, "edge_features and edge_dim (how many numbers it returns"),
    ],
)
def test_what_cannot_be_a_graph_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        ImplicitGraph(**{"neighbors": lambda node: [], **options})


@pytest.mark.parametrize(
    ("shape", "options", "said"),
    [
        ((0, 5), {}, "shape must be (rows, columns) of a 2D map or the sizes of a 3D map along"),
        ((5, 5, 0), {}, "at most 2147483647 cells, not (5, 5, 0)"),
        ((5, -5, -5), {}, "shape must be (rows, columns)"),
        ((2**20, 2**20), {}, "shape must be (rows, columns)"),
        ((2**11, 2**10, 2**10), {}, "shape must be (rows, columns)"),
        ((5,), {}, "not (5,)"),
        ((5, 5, 5, 5), {}, "not (5, 5, 5, 5)"),
        ((5.5, 5), {}, "not (5.5, 5)"),
        (5, {}, "not 5"),
        ("ab", {}, "not 'ab'"),
        ((5, 5), {"connectivity": 6}, "connectivity must be 4 or 8 on a 2D map, not 6"),
        ((5, 5, 5), {"connectivity": 8}, "connectivity must be 6, 18 or 26 on a 3D map, not 8"),
        ((5, 5), {"diagonal_cost": 0.0}, "diagonal_cost must be a positive number, not 0.0"),
        ((5, 5, 5), {"diagonal_cost": 1.0}, "diagonal_cost is for 2D maps; in 3D, moves along"),
    ],
)
def test_what_cannot_be_a_grid_is_refused(shape: Any, options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        ImplicitGraph.on_grid(lambda cell: [], shape, **options)


def test_it_says_what_it_is() -> None:
    def near(node: Any) -> list[Any]:
        return []

    plain = ImplicitGraph(near, lambda node: [1, 2], 2)
    assert repr(plain) == "ImplicitGraph(near, features=2)"
    assert repr(plain.discover("a", "b")) == "Discovery(met=2, asked=0, features=2)"
    edges = ImplicitGraph(near, edge_features=lambda node, other: [1], edge_dim=1)
    assert repr(edges) == "ImplicitGraph(near, features=0, edge_features=1)"
    grid = ImplicitGraph.on_grid(near, (3, 5), connectivity=4)
    assert repr(grid) == "ImplicitGraph(near, 3x5, connectivity=4)"
    for shape, said in {(3, 5): "3x5, connectivity=8", (3, 5, 2): "3x5x2, connectivity=26"}.items():
        assert repr(ImplicitGraph.on_grid(near, shape)) == f"ImplicitGraph(near, {said})"


@given(graphs())
def test_the_graph_explored_is_the_graph_itself(graph: Graph) -> None:
    simple = simplified(graph)
    assert isinstance(simple, Graph)
    mirror = Mirror(simple, NAMES["texts"])
    explored = mirror.graph.explored("node 0", most=graph.size)
    assert explored.labels is not None
    numbers = [int(label.removeprefix("node ")) for label in explored.labels]
    # All that can be reached, in breadth-first order.
    reached = [0]
    for node in reached:
        reached += [n for n in simple.neighbors(node).tolist() if n not in reached]
    assert numbers == reached
    assert np.array_equal(explored.features, simple.features[numbers])
    for number, node in enumerate(numbers):
        near = [numbers[k] for k in explored.neighbors(number)]
        assert near == simple.neighbors(node).tolist()
        mine = slice(explored.indptr[number], explored.indptr[number + 1])
        theirs = slice(simple.indptr[node], simple.indptr[node + 1])
        assert np.array_equal(explored.edge_features[mine], simple.edge_features[theirs])
        if simple.weights is not None:
            assert explored.weights is not None
            assert np.array_equal(explored.weights[mine], simple.weights[theirs])
    assert set(mirror.neighbors.values()) == {1}


@given(st.one_of(grids(), voxel_grids()))
def test_a_map_can_be_explored(grid: GridGraph) -> None:
    start = grid.cell(int(np.flatnonzero(grid.free)[0]))
    explored = Mirror(grid).graph.explored(start, most=grid.size, directed=False)
    distances = costs_to(grid, grid.node(*start))
    assert explored.size == np.isfinite(distances).sum()
    assert sorted(costs_to(explored, 0)) == pytest.approx(sorted(distances[np.isfinite(distances)]))


def test_a_part_of_an_endless_graph() -> None:
    asked: list[int] = []

    def neighbors(node: int) -> list[int]:
        asked.append(node)
        return [node - 1, node + 1]

    part = ImplicitGraph(neighbors, lambda node: [node], 1).explored(0, most=5, directed=False)
    assert part.labels == ("0", "-1", "1", "-2", "2")
    assert asked == [0, -1, 1, -2, 2]
    assert [part.neighbors(node).tolist() for node in range(5)] == [
        [1, 2],
        [3, 0],
        [0, 4],
        [1],
        [2],
    ]
    with pytest.raises(InputError, match="most must be at least 1, not 0"):
        ImplicitGraph(neighbors).explored(0, most=0)


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
    discovery.write_tokens()
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
    discovery.write_tokens()
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
    discovery.write_tokens()
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
