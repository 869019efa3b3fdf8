"""Supervised learning by its two schemes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs import Graph, GridGraph
from phil.graphs.distances import hops_to
from phil.heuristics.scaling import frame
from phil.learning import train
from phil.learning.baselines.perceptron import perceptron_metadata
from phil.learning.baselines.supervised import (
    NODES_PER_GOAL,
    Supervised,
    SupervisedSettings,
    draw_pairs,
)
from phil.learning.oracle import OracleProblems, with_oracle
from phil.problems.problem import Problem, ProblemSet
from tests.learning.baselines.maps import blind, generated_set, mean_expansions
from tests.learning.small import graph_problems, grid_problems

PAIRS = SupervisedSettings(
    scheme="pairs", iterations=3, pairs=4000, updates=300, batch=64, hidden=(64, 64)
)


def test_pairs_teach_the_way_to_any_goal() -> None:
    problems = generated_set("forest").train
    learner = Supervised(with_oracle(problems, "train"), PAIRS, seed=0)
    losses = [learner.iterate(number) for number in range(1, 4)]
    assert losses[-1] < 0.3 * losses[0]
    grid = problems[0].graph
    assert isinstance(grid, GridGraph)
    elsewhere = (Problem(grid, grid.node(0, 30), grid.node(30, 0)),)
    for asked in (problems, elsewhere):
        assert mean_expansions(learner.heuristic(), asked) < 0.4 * blind(asked)


def test_the_scheme_follows_the_graphs_unless_it_is_named() -> None:
    graphs = graph_problems(2)
    few = {"iterations": 1, "updates": 1, "searches": 1, "pairs": 10}
    for problems, scheme, inputs in (
        (generated_set(), None, "grid"),
        (generated_set(), "pairs", "nodes"),
        (ProblemSet("rings", graphs, graphs), None, "nodes"),
        (ProblemSet("rings", graphs, graphs), "rollouts", "graph"),
    ):
        trained = train(problems, method="supervised", settings={**few, "scheme": scheme})
        told = trained.metadata.model_dump()
        assert told["inputs"] == inputs
        assert told["hidden"] == ((256,) * 5 if inputs == "nodes" else (100, 50))


@pytest.mark.parametrize("method", ["sail", "supervised"])
def test_graphs_can_have_the_distances_that_phil_reads(method: str) -> None:
    settings: dict[str, Any] = {"iterations": 1, "updates": 1, "group_distances": True}
    settings |= {"searches": 4, "explored": "1"} if method == "sail" else {"pairs": 100}
    graphs = graph_problems(2)
    rings = ProblemSet("rings", graphs, graphs)
    learned = train(rings, method=method, settings=settings, features="degree")
    assert learned.metadata.model_dump()["groups"] == (3, 1)
    assert mean_expansions(learned, graphs) > 0
    # SaIL's features of maps have none.
    on_maps = train(generated_set(), method=method, settings=settings)
    assert on_maps.metadata.model_dump()["groups"] == ()


def test_an_unknown_scheme_is_refused() -> None:
    with pytest.raises(InputError, match="scheme"):
        train(generated_set(), method="supervised", settings={"scheme": "guesses"})


def test_the_oracle_rolls_out_on_all_problems_in_turn() -> None:
    """Every step of every search is labelled: as many as the shortest paths have nodes."""
    oracle = with_oracle(generated_set(count=3).train, "train")
    far = [d[p.start] + 1 for p, d in zip(oracle.problems, oracle.distances, strict=True)]
    settings = SupervisedSettings(searches=2 * len(far))
    learner = Supervised(oracle, settings, seed=0)
    assert learner._inputs.shape == (2 * sum(far), 17)
    assert learner._targets.min() >= 0


@pytest.fixture(params=["grid", "graph"])
def oracle(request: pytest.FixtureRequest) -> OracleProblems:
    problems = grid_problems(1) if request.param == "grid" else graph_problems(1)
    return with_oracle(problems, "train")


def test_targets_are_the_distances_of_the_nodes_that_the_inputs_tell(
    oracle: OracleProblems,
) -> None:
    metadata = perceptron_metadata("supervised", oracle, (1,), "nodes")
    pairs = draw_pairs(oracle, metadata, 350, np.random.default_rng(0))
    graph = oracle.problems[0].graph
    scale = frame(graph, metadata.scaling)
    features = (graph.features - scale.centre) / scale.spread
    assert pairs.inputs.shape == (350, 2 * features.shape[1])
    goals = set()
    for row, target in zip(pairs.inputs, pairs.target, strict=True):
        node, goal = (
            int(np.square(features - half).sum(axis=1).argmin()) for half in np.split(row, 2)
        )
        goals.add(goal)
        assert target * scale.distance[0] == pytest.approx(hops_to(graph, goal)[node], rel=1e-5)
    assert 1 < len(goals) <= 350 // NODES_PER_GOAL + 1


def test_nodes_that_cannot_reach_the_goal_are_left_out() -> None:
    edges = [(k, k + 1) for k in range(23) if k != 11]  # two paths of 12 nodes
    apart = Graph.from_edges(24, edges, np.arange(24.0)[:, None])
    oracle = with_oracle((Problem(apart, 0, 6),), "train")
    metadata = perceptron_metadata("supervised", oracle, (1,), "nodes")
    pairs = draw_pairs(oracle, metadata, 2000, np.random.default_rng(0))
    assert np.isfinite(pairs.target).all()
    node, goal = pairs.inputs.T > 0  # the scaled features of the second path's nodes
    assert np.array_equal(node, goal)
    assert node.any()
    assert not node.all()
