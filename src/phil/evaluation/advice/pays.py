"""From which cost of an expansion on a learned method pays, with how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from phil.evaluation.advice.measure import Measured
from phil.evaluation.break_even import pays_between
from phil.evaluation.statistics import RESAMPLES

LEVEL = 0.95


@dataclass(frozen=True)
class Pays:
    """Seconds per call between which a method is faster than all rivals; nowhere if low is inf."""

    method: str
    low: float
    high: float
    likely: tuple[float, float]  # where `low` lies, by resampling the problems
    low_without_looking_ahead: float  # where only expansions cost, not a look at other nodes
    unknown: Pays | None  # the same on a graph not known whole, if some rivals need to know it


def rivals(method: Measured, others: Sequence[Measured]) -> list[Measured]:
    """The classical methods that promise paths as good."""
    return [other for other in others if not other.learned and other.promise <= method.promise]


def pays(method: Measured, others: Sequence[Measured]) -> Pays:
    """A learned method against its rivals."""
    against = rivals(method, others)
    everything = np.arange(method.seconds.size)
    low, high = _between(method, against, everything)
    random = np.random.default_rng(0)
    draws = random.integers(everything.size, size=(RESAMPLES, everything.size))
    lows = np.sort([_between(method, against, draw)[0] for draw in draws])
    # Not interpolated: between a number and `nowhere` there is nothing.
    tail = (1 - LEVEL) / 2
    first, last = (round(share * (lows.size - 1)) for share in (tail, 1 - tail))
    looking = _between(
        method.without_looking_ahead(),
        [other.without_looking_ahead() for other in against],
        everything,
    )
    likely = float(lows[first]), float(lows[last])
    unprepared = [other for other in against if not other.preparation.nodes]
    differs = not method.preparation.nodes and len(unprepared) < len(against)
    unknown = pays(method, unprepared) if differs else None
    return Pays(method.method, low, high, likely, looking[0], unknown)


def _between(
    method: Measured, against: Sequence[Measured], chosen: np.typing.NDArray[np.int64]
) -> tuple[float, float]:
    found = pays_between(method.cost_of(chosen), [other.cost_of(chosen) for other in against])
    return found or (inf, inf)
