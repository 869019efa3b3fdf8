"""Timing side by side, and the cost of a call above which a method pays."""

from __future__ import annotations

import gc
import math
from itertools import count

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import phil
from phil.evaluation.timing import (
    SHORT,
    Cost,
    Job,
    break_even,
    interleaved,
    mean_cost,
    pays_between,
    time_text,
)
from phil.heuristics.phil.specification import NetworkSettings
from tests.networks import random_heuristic


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


def test_no_garbage_is_collected_while_jobs_are_timed() -> None:
    collecting = []
    interleaved({"a": lambda: collecting.append(gc.isenabled())}, 1)
    assert not any(collecting)
    assert gc.isenabled()
    with pytest.raises(ZeroDivisionError):
        interleaved({"a": lambda: 1 / 0}, 1)
    assert gc.isenabled()


def test_a_budget_may_be_used_up_exactly() -> None:
    clock = Clock()
    assert interleaved({"a": clock.job("a", 3.0)}, 4, budget=6.0, clock=clock)["a"] == [3.0] * 3


@pytest.mark.parametrize(
    ("microseconds", "text"),
    [
        (999.4, "999 µs"),
        (999.6, "1.00 ms"),
        (999_400, "999 ms"),
        (999_600, "1.00 s"),
        (5_999_999_000, "6,000 s"),
        (99.94, "99.9 µs"),
        (99.96, "100 µs"),
        (9.994, "9.99 µs"),
        (9.996, "10.0 µs"),
        (0.9994, "0.999 µs"),
        (0.9996, "1.00 µs"),
    ],
)
def test_times_have_three_digits(microseconds: float, text: str) -> None:
    assert time_text(microseconds) == text


costs = st.builds(Cost, seconds=st.floats(0, 1), calls=st.integers(0, 10**6))


@given(costs, costs, st.floats(1e-9, 1))
def test_above_it_ours_is_faster_and_below_it_is_not(ours: Cost, other: Cost, more: float) -> None:
    least = break_even(ours, other)
    if math.isinf(least):
        assert ours.calls >= other.calls
        return
    assert ours.at(least + more) < other.at(least + more)
    if least > 0:
        assert ours.at(least / 2) > other.at(least / 2)


# Numbers that are exact in all sums.
whole = st.builds(Cost, seconds=st.integers(0, 50), calls=st.integers(0, 20))


@given(whole, st.lists(whole, max_size=5), st.integers(0, 3840).map(lambda part: part / 64))
def test_inside_the_range_and_only_there_it_is_faster_than_all(
    ours: Cost, others: list[Cost], call: float
) -> None:
    found = pays_between(ours, others)
    faster = all(ours.at(call) < other.at(call) for other in others)
    if found is None:
        assert not faster
    else:
        low, high = found
        assert 0 <= low < high
        if low < call < high:
            assert faster
        if call < low or call > high:
            assert not faster


@given(costs, costs)
def test_against_one_it_begins_at_the_break_even(ours: Cost, other: Cost) -> None:
    least = break_even(ours, other)
    if math.isfinite(least):
        assert pays_between(ours, [other]) == (least, math.inf)


def test_with_as_many_calls_the_faster_in_memory_pays_anywhere() -> None:
    fast, slow = Cost(1.0, 10), Cost(2.0, 10)
    assert pays_between(fast, [slow]) == (0.0, math.inf)
    assert pays_between(slow, [fast]) is pays_between(fast, [fast]) is None


@pytest.mark.parametrize(("neighbors", "walls"), [(8, 0), (0, 8), (0, 0)])
def test_calls_are_nodes_whose_neighbours_were_asked_for(neighbors: int, walls: int) -> None:
    grid = phil.GridGraph(np.random.default_rng(0).random((15, 15)) < 0.9)
    network = NetworkSettings(width=8, memory=4, neighbors=neighbors, walls=walls)
    start, goal = (int(node) for node in np.flatnonzero(grid.free)[[0, -1]])
    result = phil.search(grid, start, goal, random_heuristic(network), trace=True)
    assert result.trace is not None
    expanded = set(result.trace.tolist()) - {goal}
    seen = {other for node in expanded for other in grid.neighbors(node).tolist()} | {start}
    assert result.calls == len(seen if neighbors or walls else expanded)


def test_the_mean_cost_of_searches() -> None:
    grid = phil.GridGraph(np.ones((5, 5), bool))
    found = [phil.search(grid, 0, goal, phil.load("euclidean")) for goal in (4, 24)]
    cost = mean_cost(found)
    assert cost.calls == sum(result.calls for result in found) / 2 == 4
    assert cost.seconds == pytest.approx(sum(result.seconds for result in found) / 2)
