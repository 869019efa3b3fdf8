"""Intervals over trainings and over problems, as a new training on a new problem would see them.

Both levels are resampled: trainings of each method, and problems, the same ones for both methods.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

LEVEL = 0.95
RESAMPLES = 4000

Trainings = Sequence[Sequence[int | None]]  # expansions by training and problem; None: no path
Numbers = NDArray[np.float64]
Compared = Literal["less", "more", "undecided"]


def mean_interval(given: Trainings) -> tuple[float, float]:
    """The interval of the mean over trainings and problems.

    >>> mean_interval([[3, 3], [3, 3]])
    (3.0, 3.0)
    """
    [means] = _resampled(given)
    return _ends(means)


def difference_interval(first: Trainings, second: Trainings) -> tuple[float, float]:
    """The interval of the difference of two means on the same problems.

    >>> difference_interval([[3, 5, None]], [[2, 4, 9]])
    (1.0, 1.0)
    """
    one, other = _resampled(first, second)
    return _ends(one - other)


def ratio_interval(first: Trainings, second: Trainings) -> tuple[float, float]:
    """The interval of the ratio of two means on the same problems.

    >>> ratio_interval([[4, 8]], [[2, 4]])
    (2.0, 2.0)
    """
    one, other = _resampled(first, second)
    return _ends(one / other)


def compared(first: Trainings, second: Trainings) -> Compared:
    """Whether the first expand less or more; undecided if the interval holds zero.

    >>> compared([[1, 2, 3]], [[2, 3, 4]]), compared([[1, 2, 3]], [[3, 2, 1]])
    ('less', 'undecided')
    """
    low, high = difference_interval(first, second)
    return "less" if high < 0 else "more" if low > 0 else "undecided"


def _resampled(*given: Trainings) -> list[Numbers]:
    """Means over resampled trainings and problems; what one has not solved is left out of all."""
    counts = [np.array(each, float) for each in given]  # NaN for None
    solved = ~np.any([np.isnan(each).any(axis=0) for each in counts], axis=0)
    problems, *trainings = _weights(int(solved.sum()), *map(len, counts))
    return [
        np.einsum("rt,tp,rp->r", weights, each[:, solved], problems)
        for weights, each in zip(trainings, counts, strict=True)
    ]


# Drawing takes ten times as long as what is done with it, and rows of a table have equal sizes.
@lru_cache(maxsize=8)
def _weights(*counts: int) -> list[Numbers]:
    """How often each of some is drawn, if as many are drawn with replacement; sums are 1."""
    random = np.random.default_rng(0)
    return [
        random.multinomial(count, np.full(count, 1 / count), size=RESAMPLES) / count
        for count in counts
    ]


def _ends(values: Numbers) -> tuple[float, float]:
    tail = 50 * (1 - LEVEL)
    low, high = np.percentile(values, [tail, 100 - tail]).tolist()
    return float(low), float(high)
