"""Summary statistics and bootstrap confidence intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

RESAMPLES = 2000


@dataclass(frozen=True)
class Summary:
    """Mean, median and 95th percentile; all None for an empty sample."""

    mean: float | None
    median: float | None
    p95: float | None


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
    if len(values) == 0:
        return Summary(None, None, None)
    numbers = np.asarray(values, np.float64)
    median, p95 = np.percentile(numbers, [50, 95])
    return Summary(float(numbers.mean()), float(median), float(p95))


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
    return bootstrap_ratio(values, np.ones(len(values)), level=level, seed=seed)


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
    pairs = np.stack([np.asarray(above, np.float64), np.asarray(beneath, np.float64)])
    draws = np.random.default_rng(seed).integers(pairs.shape[1], size=(RESAMPLES, pairs.shape[1]))
    tops, bottoms = pairs[:, draws].mean(axis=2)
    tail = 50 * (1 - level)
    low, high = np.percentile(tops / bottoms, [tail, 100 - tail])
    return float(low), float(high)
