"""What a heuristic is trained for: the search that it will guide, and the cost to minimise."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from phil.errors import InputError, unknown_name
from phil.problems.problem import Problem
from phil.search import Limits, Result
from phil.search.guide import Heuristic
from phil.search.method import Solver
from phil.search.registry import built_in_searches
from phil.search.state import GREEDY, Key

Measure = Literal["expansions", "calls", "calls+cost"]

# The searches that heuristics are trained for, and their number if none is given.
SEARCHES: dict[str, float | None] = {"greedy": None, "astar": None, "wastar": 2.0, "bounded": 1.5}


@dataclass(frozen=True)
class Score:
    """The costs of a heuristic's searches on some problems."""

    mean: float  # of the costs that are minimised, arithmetic or geometric
    expansions: list[int]
    calls: list[int]


@dataclass(frozen=True)
class Objective:
    """A search, such as `greedy` or `wastar(2)`, and what of it is minimised.

    >>> Objective("wastar").search, Objective("wastar").key.h
    ('wastar(2)', 2.0)
    """

    search: str = "greedy"
    measure: Measure = "expansions"
    geometric: bool = False  # whether costs are averaged by their geometric mean

    def __post_init__(self) -> None:
        object.__setattr__(self, "search", canonical_search(self.search))

    @property
    def key(self) -> Key:
        """The order in which the search expands nodes; until the goal, if it proves a bound."""
        name, number = _parts(self.search)
        if name in ("greedy", "bounded"):
            return GREEDY
        return Key(g=1.0, h=1.0 if number is None else number, reopen=number is None)

    def method(self, heuristic: Heuristic) -> Solver:
        """The search with a heuristic."""
        name, number = _parts(self.search)
        numbers = [] if number is None else [number]
        return built_in_searches()[name].make(self.search, [heuristic], numbers)

    def named(self, heuristic: str) -> str:
        """The name of the search with a heuristic, such as `wastar(euclidean, 2)`."""
        name, number = _parts(self.search)
        return f"{name}({heuristic})" if number is None else f"{name}({heuristic}, {number:g})"

    def cost(self, result: Result[Any]) -> float:
        """What a search cost; `calls+cost` adds the cost of its path, if it found one."""
        if self.measure == "expansions":
            return result.expansions
        follows = self.measure == "calls+cost" and result.solved
        return result.calls + (result.cost if follows else 0)

    def costs(
        self, heuristic: Heuristic, problems: Sequence[Problem], most: Sequence[int] | None = None
    ) -> list[float]:
        """What searches cost; on each problem, `most` is the number of expansions to stop at."""
        method = self.method(heuristic)
        limits = [None] * len(problems) if most is None else [Limits(expansions=m) for m in most]
        return [
            self.cost(method.search(problem, limit))
            for problem, limit in zip(problems, limits, strict=True)
        ]

    def score(self, results: Sequence[Result[Any]]) -> Score:
        """The score of a heuristic with these searches."""
        return Score(
            mean=self.mean([self.cost(result) for result in results]),
            expansions=[result.expansions for result in results],
            calls=[result.calls for result in results],
        )

    def mean(self, costs: Sequence[float]) -> float:
        """The mean of costs, which are at least 1 in effect.

        >>> Objective().mean([10, 1000]), round(Objective(geometric=True).mean([10, 1000]), 6)
        (505.0, 100.0)
        """
        if self.geometric:
            return float(np.exp(np.mean(np.log(np.maximum(costs, 1.0)))))
        return float(np.mean(costs))


def canonical_search(text: str) -> str:
    """A search in full, with its number.

    >>> canonical_search("bounded"), canonical_search("wastar( 3 )")
    ('bounded(1.5)', 'wastar(3)')
    """
    name, number = _parts(text)
    return name if number is None else f"{name}({number:g})"


def _parts(text: str) -> tuple[str, float | None]:
    """The name of a search, and its number if it has one."""
    name, opened, rest = text.strip().partition("(")
    if name not in SEARCHES:
        raise unknown_name("search to train for", name, SEARCHES)
    usual = SEARCHES[name]
    if not opened:
        return name, usual
    if usual is None:
        raise InputError(f"search '{text}': {name} takes no number; write {name}")
    found = re.fullmatch(r"\s*([0-9.]+)\s*\)", rest)
    try:
        number = float(found[1]) if found else 0.0
    except ValueError:
        number = 0.0
    if number < 1:
        raise InputError(f"search '{text}': give a number of at least 1, as in {name}({usual:g})")
    return name, number
