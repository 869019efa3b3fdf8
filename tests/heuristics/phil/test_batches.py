"""Batches: what is gathered is what the graph says, and network and kernel agree on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from phil.graphs import AnyGraph, Graph, GridGraph, SearchedGraph
from phil.graphs.grid import MOVES
from phil.heuristics.phil.batches import Gatherer, NodeBatch
from phil.heuristics.scaling import frame
from phil.problems.problem import Problem
from phil.search import search
from phil.search.guide import Expansion, Guide, Heuristic
from tests.learning.small import PlainTrail, Setup, graph_problems, grid_problems

Group = tuple[int, NDArray[np.int32], NDArray[np.float32]]


def gatherer_of(setup: Setup) -> Gatherer:
    return Gatherer(setup.oracle.problems, setup.network_settings, setup.scaling)


def nodes_of(graph: AnyGraph, count: int, seed: int) -> NDArray[np.int32]:
    """Some nodes, some of them twice."""
    every = np.flatnonzero(graph.free) if isinstance(graph, GridGraph) else np.arange(graph.size)
    return np.random.default_rng(seed).choice(every, count).astype(np.int32)


def some_groups(setup: Setup, problems: tuple[int, ...]) -> list[Group]:
    random = np.random.default_rng(0)
    trails = setup.network_settings.trail_size
    return [
        (
            problem,
            nodes_of(setup.oracle.problems[problem].graph, 15, seed),
            random.normal(size=(15, trails)).astype(np.float32),
        )
        for seed, problem in enumerate(problems)
    ]


@pytest.fixture(params=["best", "paper", "few neighbours", "graph"])
def setup(request: pytest.FixtureRequest) -> Setup:
    grids = grid_problems(2) + grid_problems(1, side=12)
    if request.param == "graph":
        return Setup(graph_problems(3, edge_features=2), "paper", {"neighbors": 2})
    if request.param == "few neighbours":
        return Setup(grids, "best", {"neighbors": 3})
    return Setup(grids, request.param)


@dataclass(frozen=True)
class Row:
    """One row of a batch, with its problem and node."""

    problem: Problem
    node: int
    batch: NodeBatch
    at: int

    def features(self, row: NDArray[np.int64]) -> NDArray[np.float32]:
        """What stands in a row of f's input."""
        found: NDArray[np.float32] = self.batch.rows[row]
        return found

    @property
    def neighbor_rows(self) -> NDArray[np.int64]:
        """The rows of the neighbours that exist."""
        found: NDArray[np.int64] = self.batch.neighbor[self.at][self.batch.mask[self.at]]
        return found


def rows_of(setup: Setup, groups: list[Group]) -> list[Row]:
    batch = gatherer_of(setup).gather(groups)
    pairs = [
        (setup.oracle.problems[problem], int(node))
        for problem, nodes, _ in groups
        for node in nodes
    ]
    assert len(batch.node) == len(pairs)
    return [Row(problem, node, batch, at) for at, (problem, node) in enumerate(pairs)]


def scaled(setup: Setup, graph: AnyGraph, node: int) -> NDArray[np.float64]:
    """The features of a node on the network's scale, by the documented rule."""
    if isinstance(graph, GridGraph):
        row, column = graph.cell(node)
        rows, columns = graph.shape
        half = (max(rows, columns) - 1) / 2
        x, y = column - (columns - 1) / 2, (rows - 1 - row) - (rows - 1) / 2
        return np.array([x / half, y / half])
    centred = graph.features[node].astype(np.float64) - np.array(setup.scaling.centre)
    result: NDArray[np.float64] = centred / np.array(setup.scaling.spread)
    return result


def test_rows_hold_the_scaled_features_of_node_and_goal(setup: Setup) -> None:
    for row in rows_of(setup, some_groups(setup, (0, 2, 1, 0))):
        graph = row.problem.graph
        node, goal = scaled(setup, graph, row.node), scaled(setup, graph, row.problem.goal)
        expected = np.concatenate([node, goal])
        assert row.features(row.batch.node[row.at]) == pytest.approx(expected, abs=1e-5)
        assert row.batch.goal[row.at] == pytest.approx(goal, abs=1e-5)


def test_neighbours_are_the_graphs(setup: Setup) -> None:
    most = setup.settings.neighbors
    for row in rows_of(setup, some_groups(setup, (2, 0, 2))):
        graph = row.problem.graph
        near = graph.neighbors(row.node).tolist()
        found = row.features(row.neighbor_rows)
        assert len(found) == min(most, len(near))
        features = found.shape[1] // 2
        known = np.array([scaled(setup, graph, node) for node in near]).reshape(-1, features)
        for neighbor in found[:, :features]:
            assert np.abs(known - neighbor).max(axis=1).min() < 1e-5
        if most >= len(near):
            assert found[:, :features] == pytest.approx(known, abs=1e-5)


def test_edge_features_belong_to_their_neighbours(setup: Setup) -> None:
    for row in rows_of(setup, some_groups(setup, (0, 1))):
        graph = row.problem.graph
        edges = row.batch.edge[row.at][row.batch.mask[row.at]]
        here = row.features(row.batch.node[row.at])
        near = row.features(row.neighbor_rows)
        if isinstance(graph, Graph):
            own = slice(graph.indptr[row.node], graph.indptr[row.node + 1])
            along = graph.edge_features[own] / np.array(setup.scaling.edge_spread)
            known = list(zip(graph.indices[own], along, strict=True))
            for neighbor, edge in zip(near[:, :3], edges, strict=True):
                assert any(
                    np.allclose(scaled(setup, graph, int(node)), neighbor, atol=1e-5)
                    and np.allclose(feature, edge)
                    for node, feature in known
                )
        else:
            # On a grid they are the offset (dx, dy) in cells, y upwards.
            half = frame(graph, setup.scaling).spread
            assert (near[:, :2] - here[:2]) * half == pytest.approx(edges, abs=1e-4)


def test_what_is_not_there_is_masked(setup: Setup) -> None:
    batch = gatherer_of(setup).gather(some_groups(setup, (0,)))
    assert batch.mask.shape == (15, setup.settings.neighbors)
    assert not batch.edge[~batch.mask].any()
    # Those that are there come first.
    assert (np.diff(batch.mask.astype(int), axis=1) <= 0).all()


def test_missing_moves_are_bits(setup: Setup) -> None:
    for row in rows_of(setup, some_groups(setup, (0, 1))):
        grid = row.problem.graph
        if not isinstance(grid, GridGraph) or not setup.network_settings.walls:
            assert row.batch.missing[row.at] == 0
            continue
        line, column = grid.cell(row.node)
        padded = np.pad(grid.free, 1)
        blocked = [
            not padded[1 + line - up, 1 + column + right] for right, up in MOVES[grid.connectivity]
        ]
        assert int(row.batch.missing[row.at]) == sum(bit << k for k, bit in enumerate(blocked))


def test_trails_are_passed_on(setup: Setup) -> None:
    groups = some_groups(setup, (0, 1))
    batch = gatherer_of(setup).gather(groups)
    assert np.array_equal(batch.trail, np.concatenate([trail for *_, trail in groups]))


def test_every_node_of_a_group_has_one_row(setup: Setup) -> None:
    groups = some_groups(setup, (0, 1, 0))
    batch = gatherer_of(setup).gather(groups)
    used = set(batch.node.tolist()) | set(batch.neighbor[batch.mask].tolist())
    assert used == set(range(len(batch.rows)))
    first = setup.oracle.problems[0]
    begin = batch.node[:15]
    for left in range(15):
        for right in range(15):
            alike = bool(groups[0][1][left] == groups[0][1][right])
            assert (begin[left] == begin[right]).item() is alike
    assert len(batch.rows) <= 3 * 15 * (1 + first.graph.max_degree)


def test_maps_of_one_size_with_one_goal_share_rows() -> None:
    setup = Setup(grid_problems(2) + grid_problems(1, side=12), "best")
    assert setup.oracle.problems[0].goal == setup.oracle.problems[1].goal
    nodes = nodes_of(setup.oracle.problems[2].graph, 15, 0)
    trail = np.zeros((15, setup.network_settings.trail_size), np.float32)
    batch = gatherer_of(setup).gather([(number, nodes, trail) for number in (0, 2, 1)])
    first, smaller, second = batch.node.reshape(3, 15)
    assert np.array_equal(first, second)
    assert not set(first.tolist()) & set(smaller.tolist())


def test_gathering_leaves_nothing_behind(setup: Setup) -> None:
    gatherer = gatherer_of(setup)
    groups = some_groups(setup, (0, 2))
    once = gatherer.gather(groups)
    gatherer.gather(some_groups(setup, (2, 1)))
    again = gatherer.gather(groups)
    for name in once._fields:
        assert np.array_equal(getattr(once, name), getattr(again, name))


@dataclass
class Shown:
    """What a guide was shown, and what it said."""

    expansion: Expansion
    values: NDArray[np.float64]


class Recorder:
    """Passes another heuristic's values on and keeps them."""

    name = "recorder"

    def __init__(self, heuristic: Heuristic) -> None:
        self._heuristic = heuristic
        self._guide: Guide
        self.shown: list[Shown] = []

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> Recorder:
        """Itself: it records one search."""
        self._guide = self._heuristic.begin(graph, start, goal)
        return self

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """The other's values."""
        values = self._guide.score(expansion)
        self.shown.append(Shown(expansion, values))
        return values


@pytest.mark.parametrize("kind", ["grid", "graph"])
@pytest.mark.parametrize("preset", ["best", "paper"])
@pytest.mark.parametrize("remember", [True, False])
def test_the_network_gives_the_kernels_values(preset: str, kind: str, remember: bool) -> None:
    """Along a whole search, so with the trail and the memory that the search has by then."""
    problems = grid_problems(2) if kind == "grid" else graph_problems(2, edge_features=2)
    setup = Setup(problems, preset, {"remember": remember}, seed=5)
    problem = setup.oracle.problems[1]
    recorder = Recorder(setup.heuristic)
    search(problem.graph, problem.start, problem.goal, recorder)
    scale = frame(problem.graph, setup.scaling)
    gatherer = gatherer_of(setup)
    memory = torch.zeros(setup.settings.memory)
    trail = PlainTrail(setup, problem)
    assert len(recorder.shown) > 5
    for shown in recorder.shown:
        seen = shown.expansion
        depth = int(seen.depth[0]) if seen.new.size else 0
        rows = trail.follow(seen.node, seen.new.tolist(), depth)
        with torch.no_grad():
            batch = gatherer.gather([(1, seen.new, rows)])
            values, memory = setup.network(batch, memory)
        expected = values.numpy() * scale.distance[0]
        assert shown.values == pytest.approx(expected, rel=1e-4, abs=1e-4 * scale.distance[0])
    assert bool(memory.any()) is remember
