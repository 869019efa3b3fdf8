"""How long methods take: timing them side by side, and the cost of an expansion that breaks even.

A search asks for the neighbours of the nodes that it expands, and some learned heuristics ask for
those of further nodes, to look ahead. Where such a call costs c, a query takes `seconds + c *
calls`, with the time that was measured in memory, where a call costs next to nothing.
"""

from __future__ import annotations

import gc
import math
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

from phil.search import Result

Clock = Callable[[], float]
Job = Callable[[], object]

SHORT = 0.02  # seconds
# This thread's, so that other work does not count; on Windows that one ticks too slowly.
core_clock: Clock = time.perf_counter if sys.platform == "win32" else time.thread_time
MICRO = 1e6  # microseconds of a second


def interleaved(
    jobs: Mapping[str, Job],
    rounds: int,
    *,
    before: Mapping[str, Job] | None = None,
    budget: float = math.inf,
    clock: Clock = core_clock,
) -> dict[str, list[float]]:
    """The seconds of every job in every round.

    In a round each job runs once, so a busy moment of the machine strikes all of them and ratios
    within a round stay what they are. A short job runs twice and the second time counts: the first
    pays for what a long job before it pushed out of the caches. What stands in `before` under a
    job's name is done each time before it, untimed. A job that has used its budget of seconds runs
    no more rounds; those that it has run are compared with the others' same rounds.
    """
    seconds: dict[str, list[float]] = {name: [] for name in jobs}
    prepare = before or {}
    gc.disable()  # whoever runs when it is time to collect would pay for the garbage of all
    try:
        for _ in range(rounds):
            for name, job in jobs.items():
                if not seconds[name] or sum(seconds[name]) <= budget:
                    took = _time(job, prepare.get(name), clock)
                    if took < SHORT:
                        took = _time(job, prepare.get(name), clock)
                    seconds[name].append(took)
    finally:
        gc.enable()
    return seconds


def _time(job: Job, before: Job | None, clock: Clock) -> float:
    if before is not None:
        before()
    began = clock()
    job()
    return clock() - began


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


def time_text(microseconds: float) -> str:
    """A time with three digits, in the unit that fits.

    >>> time_text(0.1234), time_text(98.76), time_text(12_345), time_text(3.21e6), time_text(0)
    ('0.123 µs', '98.8 µs', '12.3 ms', '3.21 s', '0 µs')
    """
    for unit, size in (("µs", 1.0), ("ms", 1e3)):
        if microseconds < 999.5 * size:
            return f"{digits(microseconds / size)} {unit}"
    return f"{digits(microseconds / 1e6)} s"


def digits(value: float) -> str:
    """A number with three digits.

    >>> digits(1234.5), digits(12.345), digits(1.2345), digits(0.012345)
    ('1,234', '12.3', '1.23', '0.0123')
    """
    if value >= 99.95:
        return f"{value:,.0f}"
    return (
        f"{value:.1f}" if value >= 9.995 else f"{value:.2f}" if value >= 0.9995 else f"{value:.3g}"
    )
