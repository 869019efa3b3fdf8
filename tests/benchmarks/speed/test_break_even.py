"""The cost of a call above which a learned heuristic pays."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import phil
from benchmarks.speed.break_even.burn import burnt
from benchmarks.speed.break_even.cost import Cost, break_even, calls_of
from phil.heuristics.phil.settings import NetworkSettings
from phil.problems import Problem
from tests.networks import random_heuristic

costs = st.builds(Cost, seconds=st.floats(0, 1), calls=st.integers(0, 10**6))


def total(cost: Cost, call: float) -> float:
    return cost.seconds + call * cost.calls


@given(costs, costs, st.floats(1e-9, 1))
def test_above_it_ours_is_faster_and_below_it_is_not(ours: Cost, other: Cost, more: float) -> None:
    least = break_even(ours, other)
    if math.isinf(least):
        assert ours.calls >= other.calls
        return
    assert total(ours, least + more) < total(other, least + more)
    if least > 0:
        assert total(ours, least / 2) > total(other, least / 2)


@pytest.mark.parametrize(("neighbors", "walls"), [(8, 0), (0, 8), (0, 0)])
def test_calls_are_nodes_whose_neighbours_were_asked_for(neighbors: int, walls: int) -> None:
    grid = phil.GridGraph(np.random.default_rng(0).random((15, 15)) < 0.9)
    network = NetworkSettings(width=8, memory=4, neighbors=neighbors, walls=walls)
    start, goal = (int(node) for node in np.flatnonzero(grid.free)[[0, -1]])
    result = phil.search(grid, start, goal, random_heuristic(network), trace=True)
    assert result.trace is not None
    expanded = set(result.trace.tolist()) - {goal}
    seen = {other for node in expanded for other in grid.neighbors(node).tolist()} | {start}
    assert calls_of(result) == len(seen if neighbors or walls else expanded)


def test_the_burnt_time_is_paid_for_every_call() -> None:
    grid = phil.GridGraph(np.ones((8, 8), bool))
    problem = Problem(grid, grid.node(7, 0), grid.node(0, 7))
    methods = {"greedy": (phil.load("euclidean"), phil.GREEDY)}
    found = burnt(problem, methods, 1e-4)
    assert found is not None
    assert found["greedy"]["calls"] == 7
    assert found["greedy"]["seconds"] >= 7e-4
