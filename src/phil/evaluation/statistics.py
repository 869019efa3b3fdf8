"""Summary statistics and bootstrap confidence intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phil.arguments import COUNT, ITERABLE, SHARE, takes
from phil.errors import InputError
from phil.graphs.checks import numbers as as_numbers

RESAMPLES = 2000


@dataclass(frozen=True)
class Summary:
    """A summary of some numbers.

    Attributes
    ----------
    mean, median, p95 : float
        Mean, median and 95th percentile; all None for an empty sample.
    """

    mean: float | None
    median: float | None
    p95: float | None


@takes(values=ITERABLE)
def summarize(values: Sequence[float]) -> Summary:
    """Summarize numbers.

    Parameters
    ----------
    values
        A sample; it may be empty.

    Returns
    -------
    Summary
        Percentiles interpolate linearly, like numpy's.

    Examples
    --------
    >>> summarize([1, 2, 3, 5, 9])
    Summary(mean=4.0, median=3.0, p95=8.2)
    >>> summarize([])
    Summary(mean=None, median=None, p95=None)
    """
    numbers = _sample(values)
    if numbers.size == 0:
        return Summary(None, None, None)
    median, p95 = np.percentile(numbers, [50, 95])
    return Summary(float(numbers.mean()), float(median), float(p95))


@takes(values=ITERABLE, level=SHARE, seed=COUNT)
def bootstrap_interval(
    values: Sequence[float], *, level: float = 0.95, seed: int = 0
) -> tuple[float, float]:
    """A bootstrap confidence interval of the mean.

    Parameters
    ----------
    values
        A sample of at least one number.
    level : float
        The confidence level.
    seed : int
        The seed for resampling; the same seed gives the same interval.

    Returns
    -------
    tuple of float
        The ends of the interval.

    Examples
    --------
    >>> low, high = bootstrap_interval([3.0, 4.0, 5.0, 4.0])
    >>> low < 4.0 < high
    True
    """
    return bootstrap_ratio(values, np.ones(_sample(values).size), level=level, seed=seed)


@takes(above=ITERABLE, beneath=ITERABLE, level=SHARE, seed=COUNT)
def bootstrap_ratio(
    above: ArrayLike, beneath: ArrayLike, *, level: float = 0.95, seed: int = 0
) -> tuple[float, float]:
    """A bootstrap confidence interval of the ratio of two means, resampling pairs of values.

    Parameters
    ----------
    above, beneath
        Paired samples: the numerators and the denominators.
    level, seed
        As for `bootstrap_interval`.

    Returns
    -------
    tuple of float
        The ends of the interval.

    Examples
    --------
    >>> bootstrap_ratio([2.0, 4.0, 6.0], [1.0, 2.0, 3.0])
    (2.0, 2.0)
    """
    tops, bottoms = _sample(above), _sample(beneath)
    if tops.size != bottoms.size or tops.size == 0:
        raise InputError(f"{tops.size} and {bottoms.size} values; give as many, one or more")
    pairs = np.stack([tops, bottoms])
    draws = np.random.default_rng(int(seed)).integers(
        pairs.shape[1], size=(RESAMPLES, pairs.shape[1])
    )
    tops, bottoms = pairs[:, draws].mean(axis=2)
    tail = 50 * (1 - level)
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = np.percentile(tops / bottoms, [tail, 100 - tail])
    return float(low), float(high)


def _sample(values: ArrayLike) -> NDArray[np.float64]:
    given = as_numbers(values, "a sample")
    if given.ndim != 1:
        raise InputError(f"a sample has one dimension, not shape {given.shape}")
    return given.astype(np.float64)
