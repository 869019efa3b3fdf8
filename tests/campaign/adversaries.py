"""Heuristics that mislead a search as well as they can, through the contract of guides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from phil.graphs import SearchedGraph
from phil.heuristics.node_value import TableHeuristic
from phil.search.guide import Expansion, Heuristic
from tests.campaign.truth import Reals
from tests.guides import PythonGuide, RevisingPythonGuide

# Gives the values of an expansion; knows the true costs to the goal, and may remember.
Score = Callable[[Expansion], Reals]
HUGE = 1e300


@dataclass(frozen=True)
class Adversary:
    """A heuristic that misleads: every search gets a new guide, which does the same again."""

    name: str
    costs: Reals = field(repr=False)  # the least cost of every node to the goal
    seed: int

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> PythonGuide:
        """A guide for one search."""
        values = self._values()
        if values is not None:
            return PythonGuide(lambda expansion: values[expansion.new])
        random = np.random.default_rng(self.seed)
        score = FICKLE[self.name](self._finite, goal, random)
        if self.name != REVISING:
            return PythonGuide(score)
        size = graph.size

        def revise() -> tuple[NDArray[np.int32], Reals]:
            count = random.integers(4)
            return random.integers(0, size, count).astype(np.int32), random.normal(size=count)

        return RevisingPythonGuide(score, revise)

    def compiled(self) -> Heuristic:
        """The same in compiled code, if its values are fixed."""
        values = self._values()
        return self if values is None else TableHeuristic(values, self.name)

    def _values(self) -> Reals | None:
        make = FIXED.get(self.name)
        return make and make(self._finite, np.random.default_rng(self.seed))

    @property
    def _finite(self) -> Reals:
        known = np.isfinite(self.costs)
        return np.where(known, self.costs, self.costs[known].max() + 1)


def _new_every_time(costs: Reals, goal: int, random: Generator) -> Score:
    return lambda expansion: random.normal(size=expansion.new.size) * 10.0 ** random.integers(9)


def _away_from_the_goal(costs: Reals, goal: int, random: Generator) -> Score:
    """What was found last comes first, the farthest node of it before all."""
    return lambda expansion: -1e6 * expansion.count - costs[expansion.new]


def _worse_and_worse(costs: Reals, goal: int, random: Generator) -> Score:
    """The nearer a node is to the goal, the later it comes, and the goal last of all."""
    seen = np.zeros(costs.size)

    def score(expansion: Expansion) -> Reals:
        seen[expansion.node] += 1
        near = 1e6 / (1e-3 + costs[expansion.new])
        return np.where(expansion.new == goal, HUGE, near * (expansion.count + seen.sum()))

    return score


def _back_to_the_start(costs: Reals, goal: int, random: Generator) -> Score:
    """Undoes what the path cost says."""
    return lambda expansion: -expansion.g * random.choice([1.0, 2.0])


def _spoils_what_it_is_shown(costs: Reals, goal: int, random: Generator) -> Score:
    def score(expansion: Expansion) -> Reals:
        values = -costs[expansion.new]
        expansion.new[:], expansion.g[:], expansion.depth[:] = goal, -1.0, -1
        return values

    return score


REVISING = "values that it changes later"
ADMISSIBLE = ("admissible but not consistent", "zero here, exact there")
FIXED: dict[str, Callable[[Reals, Generator], Reals]] = {
    "all equal": lambda costs, random: np.ones(costs.size),
    "all negative": lambda costs, random: np.full(costs.size, -7.5),
    "all huge": lambda costs, random: np.full(costs.size, HUGE),
    "all lowest": lambda costs, random: np.full(costs.size, -HUGE),
    "all infinite": lambda costs, random: np.full(costs.size, np.inf),
    "minus infinity": lambda costs, random: np.full(costs.size, -np.inf),
    "both infinities": lambda costs, random: random.choice([np.inf, -np.inf, 0.0], costs.size),
    "minus the distance": lambda costs, random: -costs,
    "the order reversed": lambda costs, random: costs.max() - costs,
    "almost equal": lambda costs, random: 1 + 2.0**-52 * random.choice([0.0, 1.0, 2.0], costs.size),
    "just above a bound": lambda costs, random: (
        costs * random.choice([1.0, 1.05, 1.5, 3.0]) * (1 + 1e-9)
    ),
    ADMISSIBLE[0]: lambda costs, random: costs * random.random(costs.size),
    ADMISSIBLE[1]: lambda costs, random: costs * random.integers(0, 2, costs.size),
    "not consistent": lambda costs, random: costs * random.lognormal(size=costs.size),
}
FICKLE: dict[str, Callable[[Reals, int, Generator], Score]] = {
    "new every time": _new_every_time,
    "away from the goal": _away_from_the_goal,
    "worse and worse": _worse_and_worse,
    "back to the start": _back_to_the_start,
    "spoils what it is shown": _spoils_what_it_is_shown,
    REVISING: _new_every_time,
}
ADVERSARIES = (*FIXED, *FICKLE)
