"""Whether trainings bear a claim out: by their means, and by how much trainings differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

MARGINAL = 0.05  # a difference or spread of less is as good as none

Runs = Sequence[Sequence[float]]  # of each variant and family, its figure by seed


def judge(fewer: Runs, more: Runs, *, alike: bool = False) -> dict[str, Any]:
    """Compare two groups of trainings by their means over each seed.

    Gives the difference (of those said to expand less, over the others; below 0: they do), its
    spread, and whether the claim holds: yes, no or undecided. The spread is the root of the summed
    squares of both groups' deviations between seeds; a difference within it decides nothing. Two
    are alike if both difference and spread are marginal, and not alike if the difference is neither
    marginal nor within the spread. One seed has no spread and decides nothing.

    >>> judge([[1.0, 1.1, 0.9]], [[2.0, 2.1, 1.9]])["outcome"]
    'yes'
    >>> judge([[1.0, 1.1, 0.9]], [[1.0, 1.2, 0.9]])["outcome"]
    'undecided'
    >>> judge([[1.0, 1.01, 0.99]], [[1.0, 1.02, 0.99]], alike=True)["outcome"]
    'yes'
    """
    left, right = _by_seed(fewer), _by_seed(more)
    base = float(right.mean())
    difference = float(left.mean()) / base - 1
    if min(left.size, right.size) < 2:
        return {"outcome": "undecided", "difference": difference, "spread": None}
    spread = float(np.hypot(left.std(ddof=1), right.std(ddof=1))) / base
    if alike and max(abs(difference), spread) <= MARGINAL:
        outcome = "yes"
    elif abs(difference) <= (max(spread, MARGINAL) if alike else spread):
        outcome = "undecided"
    else:
        outcome = "yes" if difference < 0 and not alike else "no"
    return {"outcome": outcome, "difference": difference, "spread": spread}


def _by_seed(runs: Runs) -> NDArray[np.float64]:
    """The mean of each seed; what has more seeds than others is cut to theirs."""
    seeds = min(len(each) for each in runs)
    return np.array([np.mean([each[k] for each in runs]) for k in range(seeds)], np.float64)
