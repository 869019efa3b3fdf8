"""The two losses against their formulas in numpy."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import logsumexp

from phil.learning.losses import ranking_loss, value_loss

Floats = NDArray[np.float32]


@st.composite
def lists(draw: st.DrawFn) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Values, distances with ties, and which entries exist; at least one in every row."""
    shape = draw(st.tuples(st.integers(1, 4), st.integers(1, 6)))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    there = random.random(shape) < 0.7
    there[np.arange(shape[0]), random.integers(shape[1], size=shape[0])] = True
    values = random.normal(size=shape) * draw(st.sampled_from([0.1, 1.0, 30.0]))
    return values.astype(np.float32), random.integers(3, size=shape).astype(np.float32), there


def rank(values: Floats, distance: Floats, there: NDArray[np.bool_], temperature: float) -> float:
    return float(
        ranking_loss(
            torch.from_numpy(values),
            torch.from_numpy(distance),
            torch.from_numpy(there),
            temperature,
        )
    )


@given(lists())
def test_value_loss_is_the_squared_error(example: tuple[Floats, Floats, object]) -> None:
    values, distance, _ = example
    loss = float(value_loss(torch.from_numpy(values), torch.from_numpy(distance), 1.0))
    assert loss == pytest.approx(np.mean((values - distance) ** 2), rel=1e-5)


@given(lists(), st.sampled_from([0.5, 2.0, 20.0]))
def test_underestimates_weigh_more(example: tuple[Floats, Floats, object], weight: float) -> None:
    values, distance, _ = example
    loss = float(value_loss(torch.from_numpy(values), torch.from_numpy(distance), weight))
    errors = [
        (weight if value < exact else 1.0) * (value - exact) ** 2
        for value, exact in zip(values.flat, distance.flat, strict=True)
    ]
    assert loss == pytest.approx(np.mean(errors), rel=1e-5)


def test_too_low_by_one_costs_more_than_too_high_by_one() -> None:
    exact = torch.tensor([5.0])
    assert float(value_loss(exact - 1, exact, 3.0)) == 3.0
    assert float(value_loss(exact + 1, exact, 3.0)) == 1.0


@given(lists(), st.sampled_from([0.5, 2.0, 10.0]))
def test_ranking_loss_is_the_cross_entropy_of_taking_a_best_node(
    example: tuple[Floats, Floats, NDArray[np.bool_]], temperature: float
) -> None:
    values, distance, there = example
    rows = []
    for row in range(len(values)):
        logits = -values[row, there[row]].astype(float) / temperature
        exact = distance[row, there[row]]
        rows.append(logsumexp(logits) - logsumexp(logits[exact == exact.min()]))
    assert rank(values, distance, there, temperature) == pytest.approx(
        np.mean(rows), rel=1e-4, abs=1e-5
    )


@given(lists())
def test_what_is_not_there_does_not_count(
    example: tuple[Floats, Floats, NDArray[np.bool_]],
) -> None:
    values, distance, there = example
    other = np.where(there, values, np.float32(-1e6))
    nearer = np.where(there, distance, np.float32(-1.0))
    assert rank(other, nearer, there, 2.0) == rank(values, distance, there, 2.0)


def test_the_best_node_far_ahead_costs_nothing() -> None:
    values = np.array([[0.0, 1e4, 1e4]], np.float32)
    distance = np.array([[3.0, 4.0, 5.0]], np.float32)
    assert rank(values, distance, np.ones((1, 3), bool), 2.0) == 0.0
    assert rank(-values, distance, np.ones((1, 3), bool), 2.0) == pytest.approx(5e3, rel=1e-3)


def test_all_nodes_of_least_distance_are_right() -> None:
    values = np.zeros((1, 4), np.float32)
    there = np.ones((1, 4), bool)
    for ties in range(1, 5):
        distance = np.array([[1.0] * ties + [2.0] * (4 - ties)], np.float32)
        assert rank(values, distance, there, 2.0) == pytest.approx(math.log(4 / ties), abs=1e-6)


def test_a_lower_temperature_is_a_harsher_judge() -> None:
    values = np.array([[1.0, 0.0]], np.float32)  # the wrong way round
    distance = np.array([[1.0, 2.0]], np.float32)
    there = np.ones((1, 2), bool)
    losses = [rank(values, distance, there, temperature) for temperature in (4.0, 1.0, 0.25)]
    assert losses == sorted(losses)
    assert losses[-1] > 4.0


def test_the_gradient_lowers_the_best_and_raises_the_rest() -> None:
    values = torch.tensor([[3.0, 1.0, 2.0, 9.0]], requires_grad=True)
    distance = torch.tensor([[1.0, 2.0, 5.0, 0.0]])
    there = torch.tensor([[True, True, True, False]])
    ranking_loss(values, distance, there, 2.0).backward()  # type: ignore[no-untyped-call]
    assert values.grad is not None
    best, second, third, missing = values.grad[0].tolist()
    assert best > 0 > second
    assert third < 0
    assert missing == 0
