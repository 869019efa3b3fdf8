"""Really paying for every call."""

from __future__ import annotations

import numpy as np

import phil
from phil.problems import Problem
from reproduction.speed.break_even import burn


def test_the_burnt_time_is_paid_for_every_call() -> None:
    grid = phil.GridGraph(np.ones((8, 8), bool))
    problem = Problem(grid, grid.node(7, 0), grid.node(0, 7))
    methods = {"greedy": (phil.load("euclidean"), phil.GREEDY)}
    found = burn(problem, methods, 1e-4)
    assert found["greedy"].calls == 7
    assert found["greedy"].seconds >= 7e-4
