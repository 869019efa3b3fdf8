"""The network's inputs for many nodes of several problems, as arrays for training."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel
from phil.graphs.arrays import GraphArrays
from phil.heuristics.phil.cache import map_shape
from phil.heuristics.phil.inputs import look_around
from phil.heuristics.phil.specification import NetworkSettings
from phil.heuristics.scaling import Frame, Scaling, frame, local_unit, scaled_features
from phil.problems.problem import Problem

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]


class NodeBatch(NamedTuple):
    """B nodes to evaluate; f is computed once per row of `rows`, however often it is used."""

    rows: Floats  # (R, 2 D): scaled features of a node and of the goal
    node: Integers  # (B,): rows of the nodes
    neighbor: Integers  # (B, n): rows of their neighbours
    mask: NDArray[np.bool_]  # (B, n): which neighbours exist
    edge: Floats  # (B, n, De): scaled edge features
    missing: Integers  # (B,): blocked moves of a grid, as bits
    goal: Floats  # (B, D): scaled features of the goal
    trail: Floats  # (B, T): how the search came to a node
    local: Floats  # (B,): the unit of values in cells, scaled


class GatherWorkspace(NamedTuple):
    """Buffers for the neighbours of one node, and the rows assigned to nodes of alike problems."""

    row_of: Integers  # by node, where `stamp` holds the problems' generation
    stamp: Integers
    near: NDArray[np.int32]
    edges: Integers
    costs: NDArray[np.float64]
    edge_spread: Floats


class Gatherer:
    """Builds node batches from nodes of any of the problems."""

    def __init__(
        self, problems: Sequence[Problem], settings: NetworkSettings, scaling: Scaling
    ) -> None:
        self._problems = problems
        self._settings = settings
        self._frames = [
            frame(problem.graph, scaling, settings.frame, (problem.start, problem.goal))
            for problem in problems
        ]
        # On maps of one size, a node's features are the same: such problems share rows.
        kinds: dict[tuple[object, int, int], int] = {}
        self._kinds = [
            kinds.setdefault((*_nodes_of(problem, settings), problem.goal), len(kinds))
            for problem in problems
        ]
        size = max(problem.graph.size for problem in problems)
        degree = max(problem.graph.max_degree for problem in problems)
        self._generation = 0
        spread = scaling.edge_spread or (1.0,) * settings.edge_features
        self._workspace = GatherWorkspace(
            row_of=np.empty(size, np.int64),
            stamp=np.zeros(size, np.int64),
            near=np.empty(degree, np.int32),
            edges=np.empty(degree, np.int64),
            costs=np.empty(degree),
            edge_spread=np.array(spread, np.float32),
        )

    def gather(self, groups: Sequence[tuple[int, NDArray[np.int32], Floats]]) -> NodeBatch:
        """The batch of all nodes of the groups (problem number, nodes, trails), in order."""
        settings, most = self._settings, self._settings.neighbors
        total = sum(nodes.size for _, nodes, _ in groups)
        batch = NodeBatch(
            rows=np.empty((total * (most + 1), 2 * settings.features), np.float32),
            node=np.empty(total, np.int64),
            neighbor=np.zeros((total, most), np.int64),
            mask=np.zeros((total, most), np.bool_),
            edge=np.zeros((total, most, settings.edge_features), np.float32),
            missing=np.zeros(total, np.int64),
            goal=np.empty((total, settings.features), np.float32),
            trail=np.concatenate([trail for _, _, trail in groups]),
            local=np.empty(total, np.float32),
        )
        ends = np.cumsum([nodes.size for _, nodes, _ in groups])
        rows, before = 0, -1
        for at in sorted(range(len(groups)), key=lambda at: self._kinds[groups[at][0]]):
            number, nodes, _ = groups[at]
            problem = self._problems[number]
            self._generation += self._kinds[number] != before
            before = self._kinds[number]
            rows = _gather(
                batch,
                self._workspace,
                problem.graph.arrays,
                self._frames[number],
                problem.goal if settings.frame == "map" else problem.start,
                nodes,
                settings.walls,
                settings.sample_seed,
                self._generation,
                rows,
                ends[at] - nodes.size,
            )
        return batch._replace(rows=batch.rows[:rows])


def _nodes_of(problem: Problem, settings: NetworkSettings) -> tuple[object, int]:
    """What the nodes' rows depend on, beside the goal."""
    start = problem.start if settings.frame == "goal" else -1
    return map_shape(problem.graph) or id(problem.graph), start


@kernel
def _gather(
    batch: NodeBatch,
    workspace: GatherWorkspace,
    graph: GraphArrays,
    frame: Frame,
    goal: int,
    nodes: NDArray[np.int32],
    moves: int,
    seed: int,
    generation: int,
    rows: int,
    done: int,
) -> int:
    """Fill in the nodes of one problem; every node gets one row, however often it occurs.

    In the frame of the goal, the start takes the goal's place.
    """
    features = batch.goal.shape[1]
    near, edges, costs = workspace.near, workspace.edges, workspace.costs
    for item in range(nodes.size):
        at = done + item
        scaled_features(graph, frame, goal, batch.goal[at])
        batch.local[at] = local_unit(frame)
        most = batch.neighbor.shape[1]
        count, missing = look_around(
            graph, nodes[item], most, moves, frame.turn, seed, near, edges, costs
        )
        batch.missing[at] = missing
        for j in range(count + 1):
            node = nodes[item] if j == 0 else near[j - 1]
            if workspace.stamp[node] != generation:
                workspace.stamp[node] = generation
                workspace.row_of[node] = rows
                scaled_features(graph, frame, node, batch.rows[rows])
                for k in range(features):
                    batch.rows[rows, features + k] = batch.goal[at, k]
                rows += 1
            if j == 0:
                batch.node[at] = workspace.row_of[node]
            else:
                batch.neighbor[at, j - 1] = workspace.row_of[node]
                batch.mask[at, j - 1] = True
                for e in range(batch.edge.shape[2]):
                    feature = graph.edge_features[edges[j - 1], e]
                    batch.edge[at, j - 1, e] = feature / workspace.edge_spread[e]
    return rows
