"""Timing things side by side."""

from __future__ import annotations

import gc
import math
import sys
import time
from collections.abc import Callable, Mapping

Clock = Callable[[], float]
Job = Callable[[], object]

SHORT = 0.02  # seconds
# This thread's, so that other work does not count; on Windows that one ticks too slowly.
core_clock: Clock = time.perf_counter if sys.platform == "win32" else time.thread_time


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
