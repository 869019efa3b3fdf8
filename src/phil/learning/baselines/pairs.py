"""Random pairs of a node and a goal, with the oracle's distance between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phil.heuristics.phil.scaling import Scaling, frame
from phil.learning.problems import OracleProblems, oracle_distances

NODES_PER_GOAL = 100  # the oracle's table of a goal costs as much for one node as for all


@dataclass(frozen=True)
class LabelledPairs:
    """inputs (K, 2 F): scaled features of node and goal; target (K,): their scaled distance."""

    inputs: NDArray[np.float32]
    target: NDArray[np.float32]


def draw_pairs(
    problems: OracleProblems, scaling: Scaling, count: int, random: np.random.Generator
) -> LabelledPairs:
    """Pairs of a random node and a random goal of a random problem's graph.

    A goal is used for many nodes, of those from which it can be reached; the starts and goals of
    the problems play no part.
    """
    inputs, targets = [], []
    left = count
    while left > 0:
        problem = problems.problems[random.integers(len(problems.problems))]
        graph = problem.graph
        goal = int(random.choice(graph.node_ids))
        distance = oracle_distances(graph, goal, problems.unit)
        nodes = random.choice(np.flatnonzero(np.isfinite(distance)), min(left, NODES_PER_GOAL))
        scale = frame(graph, scaling)
        features = (graph.features - scale.centre) / scale.spread
        both = features[nodes], np.broadcast_to(features[goal], (nodes.size, features.shape[1]))
        inputs.append(np.concatenate(both, axis=1))
        targets.append(distance[nodes] / scale.distance)
        left -= nodes.size
    return LabelledPairs(
        np.concatenate(inputs).astype(np.float32), np.concatenate(targets).astype(np.float32)
    )
