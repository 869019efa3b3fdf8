"""Turning (problem, node) pairs into the tensors that the network reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from phil.compiled import kernel
from phil.graphs.arrays import GraphArrays, node_features
from phil.heuristics.phil.network import NodeBatch
from phil.heuristics.phil.sampling import look_around
from phil.heuristics.phil.scaling import Frame, Scaling, frame
from phil.heuristics.phil.settings import NetworkSettings
from phil.problems.problem import Problem


@dataclass(frozen=True)
class Room:
    """Arrays that are filled problem by problem (see `NodeBatch`)."""

    rows: NDArray[np.float32]
    node: NDArray[np.int64]
    neighbor: NDArray[np.int64]
    mask: NDArray[np.bool_]
    edge: NDArray[np.float32]
    missing: NDArray[np.int64]
    goal: NDArray[np.float32]


class Gatherer:
    """Makes node batches out of nodes of any of the problems."""

    def __init__(
        self, problems: Sequence[Problem], settings: NetworkSettings, scaling: Scaling
    ) -> None:
        self._problems = problems
        self._settings = settings
        self._frames = [frame(problem.graph, scaling) for problem in problems]
        size = max(problem.graph.size for problem in problems)
        degree = max(problem.graph.max_degree for problem in problems)
        self._row_of = np.empty(size, np.int64)
        self._stamp = np.zeros(size, np.int64)
        self._generation = 0
        self._near = np.empty(degree, np.int32)
        self._edges = np.empty(degree, np.int64)
        self._costs = np.empty(degree)
        self._edge_spread = np.ones(settings.edge_features, np.float32)
        if scaling.edge_spread:
            self._edge_spread[:] = scaling.edge_spread

    def gather(
        self, groups: Sequence[tuple[int, NDArray[np.int32], NDArray[np.float32]]]
    ) -> NodeBatch:
        """The batch of all nodes of the groups (problem, nodes, trails), in order."""
        settings = self._settings
        total = sum(nodes.size for _, nodes, _ in groups)
        room = Room(
            rows=np.empty((total * (settings.neighbors + 1), 2 * settings.features), np.float32),
            node=np.empty(total, np.int64),
            neighbor=np.zeros((total, settings.neighbors), np.int64),
            mask=np.zeros((total, settings.neighbors), np.bool_),
            edge=np.zeros((total, settings.neighbors, settings.edge_features), np.float32),
            missing=np.zeros(total, np.int64),
            goal=np.empty((total, settings.features), np.float32),
        )
        rows = done = 0
        for problem, nodes, _ in groups:
            self._generation += 1
            rows = _gather(
                self._problems[problem].graph.arrays,
                self._frames[problem],
                self._problems[problem].goal,
                nodes,
                settings.neighbors,
                settings.sample_seed,
                self._row_of,
                self._stamp,
                self._generation,
                self._near,
                self._edges,
                self._costs,
                self._edge_spread,
                self._settings.walls,
                rows,
                done,
                room.rows,
                room.node,
                room.neighbor,
                room.mask,
                room.edge,
                room.missing,
                room.goal,
            )
            done += nodes.size
        return NodeBatch(
            rows=torch.from_numpy(room.rows[:rows]),
            node=torch.from_numpy(room.node),
            neighbor=torch.from_numpy(room.neighbor),
            mask=torch.from_numpy(room.mask),
            edge=torch.from_numpy(room.edge),
            missing=torch.from_numpy(room.missing),
            goal=torch.from_numpy(room.goal),
            trail=torch.from_numpy(np.concatenate([trail for _, _, trail in groups])),
        )


@kernel
def _gather(
    graph: GraphArrays,
    frame: Frame,
    goal: int,
    nodes: NDArray[np.int32],
    most: int,
    seed: int,
    row_of: NDArray[np.int64],
    stamp: NDArray[np.int64],
    generation: int,
    near: NDArray[np.int32],
    edges: NDArray[np.int64],
    costs: NDArray[np.float64],
    edge_spread: NDArray[np.float32],
    moves: int,
    rows: int,
    done: int,
    out_rows: NDArray[np.float32],
    out_node: NDArray[np.int64],
    out_neighbor: NDArray[np.int64],
    out_mask: NDArray[np.bool_],
    out_edge: NDArray[np.float32],
    out_missing: NDArray[np.int64],
    out_goal: NDArray[np.float32],
) -> int:
    """Fill in the nodes of one problem; every node gets one row, however often it is met."""
    features = out_goal.shape[1]
    for item in range(nodes.size):
        at = done + item
        node_features(graph, goal, out_goal[at])
        for k in range(features):
            out_goal[at, k] = (out_goal[at, k] - frame.centre[k]) / frame.spread[k]
        count, missing = look_around(graph, nodes[item], most, moves, seed, near, edges, costs)
        out_missing[at] = missing
        for j in range(count + 1):
            node = nodes[item] if j == 0 else near[j - 1]
            if stamp[node] != generation:
                stamp[node] = generation
                row_of[node] = rows
                node_features(graph, node, out_rows[rows])
                for k in range(features):
                    out_rows[rows, k] = (out_rows[rows, k] - frame.centre[k]) / frame.spread[k]
                    out_rows[rows, features + k] = out_goal[at, k]
                rows += 1
            if j == 0:
                out_node[at] = row_of[node]
            else:
                out_neighbor[at, j - 1] = row_of[node]
                out_mask[at, j - 1] = True
                for e in range(out_edge.shape[2]):
                    out_edge[at, j - 1, e] = graph.edge_features[edges[j - 1], e] / edge_spread[e]
    return rows
