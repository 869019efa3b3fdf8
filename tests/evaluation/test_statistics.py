"""Statistics against numpy, over any numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from phil.evaluation.statistics import Summary, bootstrap_interval, bootstrap_ratio, summarize

NUMBERS = st.lists(st.floats(0, 1e9), min_size=1, max_size=50)


@given(NUMBERS)
def test_a_summary_is_what_numpy_says(values: list[float]) -> None:
    summary = summarize(values)
    assert summary.mean == pytest.approx(np.mean(values))
    assert summary.median == pytest.approx(np.median(values))
    assert summary.p95 == pytest.approx(np.percentile(values, 95))


def test_nothing_has_no_statistics() -> None:
    assert summarize([]) == Summary(None, None, None)


@given(NUMBERS)
def test_an_interval_lies_within_the_values_and_is_repeatable(values: list[float]) -> None:
    low, high = bootstrap_interval(values)
    assert min(values) * (1 - 1e-9) <= low <= high <= max(values) * (1 + 1e-9)
    assert (low, high) == bootstrap_interval(values)


def test_an_interval_has_its_level() -> None:
    rng = np.random.default_rng(1)
    samples = [rng.normal(10, 2, size=40) for _ in range(100)]
    intervals = [bootstrap_interval(sample.tolist()) for sample in samples]
    assert 85 <= sum(low <= 10 <= high for low, high in intervals) <= 100


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95, None])
def test_an_interval_of_coin_tosses_is_that_of_the_binomial_distribution(
    level: float | None,
) -> None:
    tosses = [0.0, 1.0] * 200
    options: dict[str, Any] = {} if level is None else {"level": level}
    tail = (1 - (level or 0.95)) / 2
    exact = binom.ppf([tail, 1 - tail], 400, 0.5) / 400
    assert bootstrap_interval(tosses, **options) == pytest.approx(exact, abs=0.003)
    assert bootstrap_ratio(tosses, np.ones(400), **options) == pytest.approx(exact, abs=0.003)


def test_an_interval_hardly_depends_on_the_seed() -> None:
    values = np.random.default_rng(5).normal(size=20)
    ends = [bootstrap_interval(values.tolist(), seed=seed) for seed in range(200)]
    assert len(set(ends)) == 200
    # The ends vary with 1 / sqrt(resamples): by 6 % of the mean's standard error, with 2000.
    error = values.std() / np.sqrt(values.size)
    assert (np.std(ends, axis=0) < 0.07 * error).all()


def test_a_ratio_of_means_is_resampled_by_pairs() -> None:
    random = np.random.default_rng(0)
    beneath = random.exponential(100, size=50)
    above = beneath * random.uniform(0.4, 0.6, size=50)
    low, high = bootstrap_ratio(above, beneath)
    assert 0.4 < low < above.mean() / beneath.mean() < high < 0.6
    # Problems that cost one of them much cost the other as much: apart, the interval is wider.
    apart = bootstrap_ratio(random.permutation(above), beneath)
    assert apart[1] - apart[0] > 2 * (high - low)
