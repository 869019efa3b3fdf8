"""Supervised learning by its two schemes."""

from __future__ import annotations

import pytest

from phil.errors import InputError
from phil.graphs import GridGraph
from phil.learning import train
from phil.learning.baselines.supervised import Supervised, SupervisedSettings
from phil.learning.problems import with_oracle
from phil.problems.problem import Problem, ProblemSet
from tests.learning.baselines.maps import blind, generated_set, mean_expansions
from tests.learning.small import graph_problems

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
