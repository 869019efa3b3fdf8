"""Random pairs of node and goal."""

from __future__ import annotations

import numpy as np
import pytest

from phil.graphs import Graph
from phil.graphs.distances import hops_to
from phil.heuristics.phil.scaling import frame
from phil.learning.baselines.pairs import NODES_PER_GOAL, draw_pairs
from phil.learning.problems import OracleProblems, scaling_of, with_oracle
from phil.problems.problem import Problem
from tests.learning.small import graph_problems, grid_problems


@pytest.fixture(params=["grid", "graph"])
def oracle(request: pytest.FixtureRequest) -> OracleProblems:
    problems = grid_problems(1) if request.param == "grid" else graph_problems(1)
    return with_oracle(problems, "train")


def test_targets_are_the_distances_of_the_nodes_that_the_inputs_tell(
    oracle: OracleProblems,
) -> None:
    scaling = scaling_of(oracle)
    pairs = draw_pairs(oracle, scaling, 350, np.random.default_rng(0))
    graph = oracle.problems[0].graph
    scale = frame(graph, scaling)
    features = (graph.features - scale.centre) / scale.spread
    assert pairs.inputs.shape == (350, 2 * features.shape[1])
    goals = set()
    for row, target in zip(pairs.inputs, pairs.target, strict=True):
        node, goal = (
            int(np.square(features - half).sum(axis=1).argmin()) for half in np.split(row, 2)
        )
        goals.add(goal)
        assert target * scale.distance == pytest.approx(hops_to(graph, goal)[node], rel=1e-5)
    assert 1 < len(goals) <= 350 // NODES_PER_GOAL + 1


def test_nodes_that_cannot_reach_the_goal_are_left_out() -> None:
    edges = [(k, k + 1) for k in range(23) if k != 11]  # two paths of 12 nodes
    apart = Graph.from_edges(24, edges, np.arange(24.0)[:, None])
    oracle = with_oracle((Problem(apart, 0, 6),), "train")
    pairs = draw_pairs(oracle, scaling_of(oracle), 2000, np.random.default_rng(0))
    assert np.isfinite(pairs.target).all()
    node, goal = pairs.inputs.T > 0  # the scaled features of the second path's nodes
    assert np.array_equal(node, goal)
    assert node.any()
    assert not node.all()
