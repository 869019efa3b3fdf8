"""The cost of one expansion above which one method is faster than another.

A search asks for the neighbours of the nodes that it expands, and some learned heuristics ask for
those of further nodes, to look ahead. Where such a call costs c, a query takes `seconds + c *
calls`, with the time that was measured in memory, where a call costs next to nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import mean

from phil.search import Result


@dataclass(frozen=True)
class Cost:
    """A method on some problems, means over them."""

    seconds: float  # of a query in memory
    calls: float

    def at(self, call: float) -> float:
        """Seconds of a query where a call costs that many."""
        return self.seconds + call * self.calls


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


def pays_between(method: Cost, others: Iterable[Cost]) -> tuple[float, float] | None:
    """Between which seconds per call the method is faster than all others; None if nowhere.

    >>> dear, cheap = Cost(seconds=1.0, calls=500), Cost(seconds=9.0, calls=50)
    >>> pays_between(Cost(3.0, 100), [dear]), pays_between(Cost(3.0, 100), [dear, cheap])
    ((0.005, inf), (0.005, 0.12))
    """
    low, high = 0.0, math.inf
    for other in others:
        saved = other.calls - method.calls
        slower = method.seconds - other.seconds
        if saved > 0:
            low = max(low, slower / saved)
        elif saved < 0:
            high = min(high, slower / saved)
        elif slower >= 0:
            return None
    return (low, high) if low < high else None


def calls_of(result: Result) -> int:
    """The nodes whose neighbours a search asked for, be it to expand them or to look ahead."""
    return result.neighbor_calls + result.lookahead_calls


def mean_cost(results: Sequence[Result]) -> Cost:
    """What searches cost on average, by the time that each of them took."""
    return Cost(mean(one.seconds for one in results), mean(map(calls_of, results)))
