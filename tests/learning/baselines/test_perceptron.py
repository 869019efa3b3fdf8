"""The fit of a perceptron."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from phil.heuristics.mlp.kernel import BLOCK, allocate, forward
from phil.heuristics.mlp.specification import pack
from phil.heuristics.obstacles import allocate as allocate_obstacles
from phil.learning.baselines.perceptron import Regression
from tests.perceptrons import random_perceptron


def begun(seed: int = 0) -> Regression:
    return Regression(17, (30, 20), rate=5e-3, averaging=0.98, total=600, seed=seed)


def some_inputs(rows: int = 2000) -> NDArray[np.float32]:
    return np.random.default_rng(1).uniform(-1, 1, (rows, 17)).astype(np.float32)


def test_it_learns_a_function_that_is_not_linear() -> None:
    inputs = some_inputs()
    targets = np.abs(inputs[:, 0] - inputs[:, 1]) + inputs[:, 5]
    regression = begun()
    random = np.random.default_rng(0)
    first = regression.fit(inputs, targets, 5, 64, random)
    last = regression.fit(inputs, targets, 595, 64, random)
    assert last < 0.2 * first
    assert np.mean((regression.values(inputs) - targets) ** 2) < 0.05 * targets.var()


def test_the_tensors_say_what_the_regression_says() -> None:
    inputs = some_inputs()
    regression = begun()
    regression.fit(inputs, inputs[:, 1], 50, 64, np.random.default_rng(0))
    metadata = random_perceptron(hidden=(30, 20)).metadata
    weights = pack(metadata, regression.tensors())
    work = allocate(weights, 2, allocate_obstacles(0, 0))
    work.inputs[:] = inputs[:BLOCK]
    values = np.empty(BLOCK)
    forward(weights, work, BLOCK, 1.0, values)
    np.testing.assert_allclose(values, regression.values(inputs[:BLOCK]), rtol=1e-3, atol=1e-3)


def test_the_learning_rate_decays_from_its_value_to_0() -> None:
    inputs, random = some_inputs(200), np.random.default_rng(0)
    regression = begun()
    before = regression.tensors()["layers.0.weight"]
    regression.fit(inputs, inputs[:, 1], 1, 64, random)
    # Adam's first step is as long as the rate; the average follows by 10 of 11 parts.
    moved = np.abs(regression.tensors()["layers.0.weight"] - before).max()
    assert moved == pytest.approx(5e-3 * 10 / 11, rel=1e-3)
    regression.fit(inputs, inputs[:, 1], 599, 64, random)
    settled = regression.fit(inputs[:1], inputs[:1, 1], 1, 1, random)
    assert regression.fit(inputs[:1], inputs[:1, 1], 50, 1, random) == pytest.approx(settled)


def test_the_same_seed_gives_the_same_weights() -> None:
    inputs = some_inputs(200)
    found = []
    for other, seed in enumerate((0, 0, 1)):
        torch.manual_seed(other)  # the caller's numbers do not count
        regression = begun(seed)
        regression.fit(inputs, inputs[:, 1], 10, 16, np.random.default_rng(5))
        found.append(regression.tensors()["layers.1.weight"])
    assert np.array_equal(found[0], found[1])
    assert not np.array_equal(found[0], found[2])
