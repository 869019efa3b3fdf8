"""Timing side by side."""

from __future__ import annotations

from itertools import count

import pytest

from phil.evaluation.timing import SHORT, Job, interleaved


class Clock:
    """A clock that moves when a job says so."""

    def __init__(self) -> None:
        self.now = 0.0
        self.told: list[str] = []

    def __call__(self) -> float:
        return self.now

    def job(self, name: str, *seconds: float) -> Job:
        """A job that takes so long, each time as long as the next number says."""
        numbers = count()

        def run() -> None:
            self.told.append(name)
            self.now += seconds[next(numbers) % len(seconds)]

        return run


def test_jobs_take_turns() -> None:
    clock = Clock()
    jobs = {name: clock.job(name, 1.0) for name in "ab"}
    assert interleaved(jobs, 2, clock=clock) == {"a": [1.0, 1.0], "b": [1.0, 1.0]}
    assert clock.told == ["a", "b", "a", "b"]


def test_of_a_short_job_the_second_run_counts() -> None:
    clock = Clock()
    jobs = {"a": clock.job("a", SHORT / 2, SHORT / 4)}
    assert interleaved(jobs, 1, clock=clock)["a"] == [pytest.approx(SHORT / 4)]


def test_what_is_done_before_a_job_is_not_timed() -> None:
    clock = Clock()
    jobs = {"a": clock.job("a", 1.0)}
    before = {"a": clock.job("before", 5.0)}
    assert interleaved(jobs, 2, before=before, clock=clock) == {"a": [1.0, 1.0]}
    assert clock.told == ["before", "a"] * 2


def test_a_job_stops_when_its_budget_is_used() -> None:
    clock = Clock()
    jobs = {"slow": clock.job("slow", 3.0), "fast": clock.job("fast", 1.0)}
    seconds = interleaved(jobs, 4, budget=5.0, clock=clock)
    assert seconds == {"slow": [3.0, 3.0], "fast": [1.0] * 4}
