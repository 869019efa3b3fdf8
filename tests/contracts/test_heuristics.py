"""Every heuristic keeps the contract."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from phil.graphs import SearchedGraph
from phil.heuristics.catalog import BUILT_IN, load_heuristic, shipped_names
from phil.search.guide import Expansion, Heuristic
from tests.contracts.check_heuristic import CHECKS, check_heuristic
from tests.networks import PRESETS, random_heuristic
from tests.neural import random_neural_astar

UNTRAINED = {f"untrained ({preset})": network for preset, network in PRESETS.items()}


NEURAL = {f"untrained Neural A* (blocks of {block})": block for block in (1, 3)}


def load(name: str) -> Heuristic:
    if name in NEURAL:
        return random_neural_astar(block=NEURAL[name])
    return random_heuristic(UNTRAINED[name]) if name in UNTRAINED else load_heuristic(name)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", [*BUILT_IN, *UNTRAINED, *NEURAL, *shipped_names()])
def test_the_contract(name: str, check: Callable[[Heuristic], None]) -> None:
    check(load(name))


class Faulty:
    """A heuristic that breaks the contract in one way."""

    def __init__(self, fault: str) -> None:
        self.name = "" if fault == "no name" else "faulty"
        self._fault = fault
        self._calls = 0

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> Faulty:
        return self

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        self._calls += 1
        values = np.zeros(expansion.new.size)
        if self._fault == "too many":
            values = np.zeros(expansion.new.size + 1)
        if self._fault == "infinite":
            values[:] = np.inf
        if self._fault == "not the same twice":
            values[:] = self._calls
        if self._fault == "writes":
            expansion.new[:] = 0
        return values


def test_a_heuristic_without_fault_passes() -> None:
    check_heuristic(Faulty("none"))


@pytest.mark.parametrize(
    "fault", ["no name", "too many", "infinite", "not the same twice", "writes"]
)
def test_every_fault_is_found(fault: str) -> None:
    with pytest.raises((AssertionError, ValueError)):
        check_heuristic(Faulty(fault))
