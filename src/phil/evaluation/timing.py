"""Timing methods side by side, and the cost of a call at which two of them break even.

A search computes the neighbours of the nodes that it expands, and some learned heuristics compute
those of further nodes, to look ahead. If such a call takes c seconds, a query takes
`seconds + c * calls`, where `seconds` was measured in memory, where calls cost next to nothing.
"""

from __future__ import annotations

import gc
import math
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import TypeVar

from phil.search import Result

Clock = Callable[[], float]
Job = Callable[[], object]

SHORT = 0.02  # seconds
# The thread's own time, so that other work does not count; on Windows its resolution is too coarse.
core_clock: Clock = time.perf_counter if sys.platform == "win32" else time.thread_time
MICRO = 1e6  # microseconds per second


K = TypeVar("K")


def interleaved(
    jobs: Mapping[K, Job],
    rounds: int,
    *,
    before: Mapping[K, Job] | None = None,
    budget: float = math.inf,
    clock: Clock = core_clock,
) -> dict[K, list[float]]:
    """The seconds that every job takes in every round.

    In a round each job runs once, so a busy moment of the machine affects all of them, and ratios
    within a round hold. A short job runs twice and its second run counts: the first pays for what a
    long job before it evicted from the caches. `before` holds what to do, untimed, before each run
    of a job. A job that has used up its budget of seconds takes part in no more rounds.
    """
    seconds: dict[K, list[float]] = {name: [] for name in jobs}
    prepare = before or {}
    gc.disable()  # otherwise a single job would pay for the garbage of all
    try:
        for _ in range(rounds):
            for name, job in jobs.items():
                if not seconds[name] or sum(seconds[name]) <= budget:
                    took = timed(job, prepare.get(name), clock)
                    if took < SHORT:
                        took = timed(job, prepare.get(name), clock)
                    seconds[name].append(took)
    finally:
        gc.enable()
    return seconds


def timed(job: Job, before: Job | None = None, clock: Clock = core_clock) -> float:
    """The seconds that a job takes, without what is done before it."""
    if before is not None:
        before()
    began = clock()
    job()
    return clock() - began


@dataclass(frozen=True)
class Cost:
    """The mean cost of a query."""

    seconds: float  # in memory
    calls: float

    def at(self, call: float) -> float:
        """Seconds per query if a call takes `call` seconds."""
        return self.seconds + call * self.calls


def break_even(method: Cost, other: Cost) -> float:
    """The seconds per call above which the method is faster: 0 if it always is, inf if never.

    >>> break_even(Cost(seconds=3.0, calls=100), Cost(seconds=1.0, calls=500))
    0.005
    >>> break_even(Cost(1.0, 100), Cost(2.0, 500)), break_even(Cost(1.0, 500), Cost(2.0, 500))
    (0.0, inf)
    """
    if method.calls >= other.calls:
        return math.inf
    return max(0.0, (method.seconds - other.seconds) / (other.calls - method.calls))


def pays_between(method: Cost, others: Iterable[Cost]) -> tuple[float, float] | None:
    """The range of seconds per call in which the method is faster than all others, if any.

    >>> many, few = Cost(seconds=1.0, calls=500), Cost(seconds=9.0, calls=50)
    >>> pays_between(Cost(3.0, 100), [many]), pays_between(Cost(3.0, 100), [many, few])
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


def mean_cost(results: Sequence[Result]) -> Cost:
    """The mean cost of some searches."""
    return Cost(mean(one.seconds for one in results), mean(one.calls for one in results))


def time_text(microseconds: float) -> str:
    """A time with three significant digits, in a suitable unit.

    >>> time_text(0.1234), time_text(98.76), time_text(12_345), time_text(3.21e6), time_text(0)
    ('0.123 µs', '98.8 µs', '12.3 ms', '3.21 s', '0 µs')
    """
    for unit, size in (("µs", 1.0), ("ms", 1e3)):
        if microseconds < 999.5 * size:
            return f"{digits(microseconds / size)} {unit}"
    return f"{digits(microseconds / 1e6)} s"


def digits(value: float) -> str:
    """A number with three significant digits.

    >>> digits(1234.5), digits(12.345), digits(1.2345), digits(0.012345)
    ('1,234', '12.3', '1.23', '0.0123')
    """
    if value >= 99.95:
        return f"{value:,.0f}"
    return (
        f"{value:.1f}" if value >= 9.995 else f"{value:.2f}" if value >= 0.9995 else f"{value:.3g}"
    )
