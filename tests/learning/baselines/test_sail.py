"""SaIL learns, from grids and from other graphs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from phil.errors import InputError
from phil.heuristics.mlp import MlpHeuristic
from phil.heuristics.registry import load_heuristic
from phil.learning import train
from phil.learning.baselines.sail import Sail, SailSettings
from phil.learning.oracle import with_oracle
from phil.problems.problem import Problem, ProblemSet
from phil.search import BFS, search
from tests.learning.small import graph_problems, grid_problems

QUICK = SailSettings(
    explored=(0.5,),
    iterations=4,
    searches=20,
    records=40,
    steps=300,
    updates=200,
    batch=64,
    hidden=(32, 16),
)


def mean_expansions(heuristic: MlpHeuristic, problems: tuple[Problem, ...]) -> float:
    found = [search(p.graph, p.start, p.goal, heuristic).expansions for p in problems]
    return float(np.mean(found))


def test_it_learns_to_search_small_maps() -> None:
    learner = Sail(with_oracle(grid_problems(20), "train"), QUICK, seed=0)
    losses = [learner.iterate(number) for number in range(1, QUICK.iterations + 1)]
    assert losses[-1] < losses[0]
    unseen = grid_problems(10, seed=1)
    plain = np.mean(
        [
            search(p.graph, p.start, p.goal, load_heuristic("zero"), key=BFS).expansions
            for p in unseen
        ]
    )
    assert mean_expansions(learner.heuristic(), unseen) < 0.5 * plain


def test_what_it_gives_away_is_its_own() -> None:
    learner = Sail(with_oracle(grid_problems(2), "train"), QUICK, seed=0)
    learner.iterate(1)
    given = learner.heuristic().tensors
    before = {name: tensor.copy() for name, tensor in given.items()}
    learner.iterate(2)
    assert all(np.array_equal(given[name], before[name]) for name in given)


def test_every_run_begins_from_scratch() -> None:
    settings = QUICK.model_copy(update={"explored": (1.0, 0.3), "iterations": 2})
    learner = Sail(with_oracle(grid_problems(2), "train"), settings, seed=0)
    assert learner.iterations == 4
    losses = [learner.iterate(number) for number in range(1, 5)]
    assert losses[1] < losses[0]
    assert losses[1] < losses[2]


def test_general_graphs_have_the_reduced_inputs(tmp_path: Path) -> None:
    problems = graph_problems(6)
    output = tmp_path / "sail.safetensors"
    settings = QUICK.model_dump() | {"iterations": 2}
    trained = train(
        ProblemSet("rings", problems, problems), method="sail", settings=settings, output=output
    )
    assert isinstance(trained, MlpHeuristic)
    assert trained.metadata.inputs == "graph"
    again = load_heuristic(str(output))
    assert isinstance(again, MlpHeuristic)
    assert mean_expansions(again, problems) == mean_expansions(trained, problems)


def test_the_same_seed_gives_the_same_heuristic() -> None:
    problems = ProblemSet("small", grid_problems(4), grid_problems(4, seed=1))
    settings = QUICK.model_dump() | {"iterations": 2, "hidden": "8, 4", "explored": "0.5"}
    one, same, other = (
        train(problems, method="sail", seed=seed, settings=settings).tensors for seed in (1, 1, 2)
    )
    assert one["layers.1.weight"].shape == (4, 8)
    assert all(np.array_equal(one[name], same[name]) for name in one)
    assert not np.array_equal(one["layers.1.weight"], other["layers.1.weight"])


def test_grids_and_other_graphs_together_are_refused() -> None:
    mixed = with_oracle(grid_problems(1) + graph_problems(1), "train")
    with pytest.raises(InputError, match="differ in kind"):
        Sail(mixed, QUICK, seed=0)


def test_distances_are_counted() -> None:
    learner = Sail(with_oracle(grid_problems(2), "train"), QUICK, seed=0)
    assert learner.distances == 0
    learner.iterate(1)
    first = learner.distances
    assert 0 < first <= QUICK.searches * QUICK.records
    learner.iterate(2)
    assert learner.distances > first
