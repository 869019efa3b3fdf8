"""The cross-entropy method: its samples, and that giving some up changes nothing."""

from __future__ import annotations

import numpy as np
import pytest

from phil.heuristics.mlp.specification import tensor_shapes
from phil.learning.baselines import cem
from phil.learning.baselines.cem import Cem, CemSettings, as_tensors, first_spread
from phil.learning.oracle import with_oracle
from phil.search.guide import Heuristic
from tests.learning.baselines.maps import generated_problems, mean_expansions
from tests.perceptrons import random_perceptron

SMALL = CemSettings(iterations=4, samples=12, maps=3, width=8)


def test_a_row_of_weights_becomes_the_tensors_in_their_order() -> None:
    heuristic = random_perceptron("grid", (7,))
    row = np.concatenate([tensor.ravel() for tensor in heuristic.tensors.values()])
    again = as_tensors(heuristic.metadata, row.astype(np.float64))
    assert list(again) == list(tensor_shapes(heuristic.metadata))
    assert all(np.array_equal(again[name], heuristic.tensors[name]) for name in again)


def test_the_first_networks_vary_as_much_as_their_inputs() -> None:
    metadata = random_perceptron("grid", (400,)).metadata
    spread = first_spread(metadata)
    random = np.random.default_rng(0)
    drawn = as_tensors(metadata, spread * random.normal(size=spread.size))
    hidden = random.normal(size=(500, 17)) @ drawn["layers.0.weight"].T + drawn["layers.0.bias"]
    assert hidden.std() == pytest.approx(1, rel=0.1)


def test_a_sample_is_given_up_only_when_it_costs_more() -> None:
    problems = generated_problems("forest", 3)
    heuristic = random_perceptron()
    total = mean_expansions(heuristic, problems) * len(problems)
    for most in (np.inf, total + 10, total):
        assert cem.total_expansions(heuristic, problems, most) == total
    for most in (total - 1, 1):
        assert cem.total_expansions(heuristic, problems, most) == np.inf


def test_giving_samples_up_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    oracle = with_oracle(generated_problems("forest", 6), "train")
    hasty, patient = (Cem(oracle, SMALL, seed=3) for _ in range(2))
    losses = [hasty.iterate(number) for number in (1, 2)]
    inner = cem.total_expansions

    def whole(heuristic: Heuristic, problems: object, most: float) -> float:
        return inner(heuristic, problems, np.inf)  # type: ignore[arg-type]

    monkeypatch.setattr(cem, "total_expansions", whole)
    assert [patient.iterate(number) for number in (1, 2)] == losses
    given, kept = hasty.heuristic().tensors, patient.heuristic().tensors
    assert all(np.array_equal(given[name], kept[name]) for name in given)


def test_without_noise_the_gaussian_shrinks_and_with_it_less() -> None:
    oracle = with_oracle(generated_problems("forest", 6), "train")
    spreads = []
    for noise in (0.0, 0.5):
        learner = Cem(oracle, SMALL.model_copy(update={"noise": noise}), seed=0)
        before = learner._spread.mean()
        learner.iterate(1)
        spreads.append(learner._spread.mean() / before)
    assert spreads[0] < 1
    assert spreads[1] == pytest.approx(spreads[0] + 0.5 * (1 - 1 / SMALL.iterations))
