"""Comparing times that were taken side by side."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median


def ratio(seconds: Sequence[float], reference: Sequence[float]) -> float:
    """How many times longer than the reference: the median over the rounds that both ran.

    >>> ratio([4.0, 9.0], [2.0, 3.0, 1.0])
    2.5
    """
    return median(one / max(other, 1e-9) for one, other in zip(seconds, reference, strict=False))
