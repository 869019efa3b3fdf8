"""The cost of one `neighbors` call above which one method is faster than another."""

from __future__ import annotations

import math
from dataclasses import dataclass

import phil


@dataclass(frozen=True)
class Cost:
    """A method on some maps, means over them."""

    seconds: float  # of a query in memory, where a call costs next to nothing
    calls: float


def break_even(method: Cost, other: Cost) -> float:
    """Seconds per call above which the method is faster: 0 if it always is, inf if never.

    >>> break_even(Cost(seconds=3.0, calls=100), Cost(seconds=1.0, calls=500))
    0.005
    >>> break_even(Cost(1.0, 100), Cost(2.0, 500)), break_even(Cost(1.0, 500), Cost(2.0, 500))
    (0.0, inf)
    """
    if method.calls >= other.calls:
        return math.inf
    return max(0.0, (method.seconds - other.seconds) / (other.calls - method.calls))


def calls_of(result: phil.Result) -> int:
    """The nodes whose neighbours a search asked for, be it to expand them or to look ahead."""
    return result.neighbor_calls + result.lookahead_calls
