"""Limits are checked; a result says what it is."""

from __future__ import annotations

import dataclasses
from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest

from phil.errors import InputError
from phil.graphs import GridGraph
from phil.heuristics.classical import euclidean
from phil.search import Limits, Outcome, loop, search


@pytest.mark.parametrize("expansions", [-1, -(10**9)])
def test_expansions_are_not_negative(expansions: int) -> None:
    with pytest.raises(InputError, match=f"expansions must not be negative: {expansions}"):
        Limits(expansions=expansions)


@pytest.mark.parametrize("seconds", [-0.1, float("nan"), float("-inf")])
def test_seconds_are_not_negative(seconds: float) -> None:
    with pytest.raises(InputError, match=f"seconds must not be negative: {seconds}"):
        Limits(seconds=seconds)


def test_a_limit_of_nothing_is_a_limit() -> None:
    result = search(GridGraph([[True]]), 0, 0, euclidean, limits=Limits(expansions=0))
    assert (result.outcome, result.expansions, result.solved) == (Outcome.LIMIT, 0, False)


def test_length_is_in_moves() -> None:
    grid = GridGraph(np.ones((1, 5), bool))
    assert [search(grid, 0, goal, euclidean).length for goal in range(5)] == [0, 1, 2, 3, 4]
    wall = GridGraph([[True, False, True]])
    assert search(wall, 0, 2, euclidean).length == 0


def test_outcomes_are_named_as_they_are_reported() -> None:
    assert [str(outcome) for outcome in Outcome] == ["solved", "unreachable", "limit"]


def test_a_result_cannot_be_changed() -> None:
    result = search(GridGraph([[True]]), 0, 0, euclidean)
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.expansions = 0  # type: ignore[misc]


def test_a_result_says_what_was_found() -> None:
    grid = GridGraph(np.ones((3, 3), bool))
    found = search(grid, 0, 8, euclidean)
    assert repr(dataclasses.replace(found, seconds=0.00123)) == (
        "Result(solved, expansions=3, calls=2, cost=2.828, length=2, 1.23 ms)"
    )
    none = search(GridGraph([[True, False, True]]), 0, 2, euclidean)
    assert repr(none).startswith("Result(unreachable, expansions=1, calls=1, ")


def test_calls_are_those_to_expand_and_those_to_look_ahead() -> None:
    found = search(GridGraph(np.ones((3, 3), bool)), 0, 8, euclidean)
    looking = dataclasses.replace(found, lookahead_calls=5)
    assert (found.calls, looking.calls) == (2, 7)


def test_seconds_do_not_count_waiting_for_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here a search waits 1,000 seconds for every kernel, by a clock that only pretends so."""
    waited = count(step=1000)
    monkeypatch.setattr(loop, "loading_seconds", lambda: float(next(waited)))
    monkeypatch.setattr(loop, "time", SimpleNamespace(perf_counter=count(step=1001).__next__))
    assert search(GridGraph([[True]]), 0, 0, euclidean).seconds == 1.0


@pytest.mark.parametrize("limit", [1.5, float("nan"), True, "3", 3.0, [3]])
def test_expansions_are_a_whole_number(limit: object) -> None:
    with pytest.raises(InputError, match="limit on expansions must be a whole number or None, not"):
        Limits(expansions=limit)  # type: ignore[arg-type]


@pytest.mark.parametrize("limit", ["3", True, 1j, [1.0]])
def test_seconds_are_a_number(limit: object) -> None:
    with pytest.raises(InputError, match="limit on seconds must be a number or None, not"):
        Limits(seconds=limit)  # type: ignore[arg-type]


def test_limits_of_numpy_are_limits() -> None:
    assert Limits(expansions=np.int32(3), seconds=np.float32(0.5)).expansions == 3  # type: ignore[arg-type]
    assert Limits(seconds=float("inf")).seconds == float("inf")
