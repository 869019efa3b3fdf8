"""The cost of one `neighbors` call above which one method is faster than another."""

from __future__ import annotations

import math
from dataclasses import dataclass

import phil
from phil.heuristics.phil.settings import NetworkSettings


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


def calls_of(result: phil.Result, network: NetworkSettings | None = None) -> int:
    """The nodes whose neighbours a search asked for, each node counted once.

    A network that convolves, or sees walls, asks for those of every node that it evaluates; all
    nodes that are expanded are among these but the start. Others ask when they expand.
    """
    if network is not None and (network.neighbors or network.walls):
        return result.evaluations + 1
    return result.neighbor_calls
