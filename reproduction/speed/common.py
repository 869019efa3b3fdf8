"""What all parts share: how much is measured, on which problems, with which methods."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

import phil
from phil.graphs import GridGraph
from phil.heuristics.phil import PhilHeuristic
from phil.problems import Problem, ProblemSet, open_set
from phil.problems.generated import FAMILIES
from phil.search.guide import Heuristic
from reproduction.table1.table import has_path, small_set

QUICK_FAMILIES = ("forest", "mazes")
QUICK_TRAINING = {
    "iterations": 2,
    "hard_candidates": 0,
    "steps": 4,
    "rollouts": 3,
    "horizon": 300,
    "tune": 0,
}

Cell = tuple[int, int]
Method = tuple[Heuristic, phil.Key]
T = TypeVar("T")


@dataclass(frozen=True)
class Scale:
    """How much is measured: everything, or a minute's worth on small maps."""

    quick: bool
    data: Path | None  # the folder of the public maps; None: PHIL_DATA, or the user's cache
    build: Path  # where heuristics trained for the measurements are kept

    def pick(self, full: T, quick: T) -> T:
        """One of two values."""
        return quick if self.quick else full

    @property
    def families(self) -> tuple[str, ...]:
        """The grid families to measure."""
        return self.pick(FAMILIES, QUICK_FAMILIES)

    @property
    def training(self) -> dict[str, int]:
        """Changes to the default preset where something is trained."""
        return self.pick({}, QUICK_TRAINING)

    def problems(self, family: str) -> ProblemSet:
        """The maps of a family: the public ones, or a few small generated ones."""
        if not self.quick:
            return open_set(f"grids/{family}", data=self.data)
        return small_set(family)

    def tests(self, family: str, most: int) -> list[Problem]:
        """The first test problems of a family that have a path."""
        return list(islice(filter(has_path, self.problems(family).test), most))


class RenewableGrid:
    """A grid that can be replaced by an equal one.

    PHIL caches what it has computed for the last goals of a graph and would answer a repeated
    query from there. A copy of the graph has an empty cache.
    """

    def __init__(self, grid: GridGraph) -> None:
        self.grid = grid
        _ = grid.arrays  # made when they are first asked for

    @classmethod
    def of(cls, problem: Problem) -> RenewableGrid:
        """The grid of a problem."""
        assert problem.graph.is_grid
        return cls(problem.graph)

    def renew(self) -> None:
        """Replace the grid by a copy, which shares its arrays."""
        self.grid = copy(self.grid)


def classical() -> dict[str, Method]:
    """The methods that a learned heuristic is compared with."""
    euclidean = phil.load("euclidean")
    return {
        "A*": (euclidean, phil.ASTAR),
        "greedy (euclidean)": (euclidean, phil.GREEDY),
        "BFS": (phil.load("zero"), phil.BFS),
    }


def load_learned(name: str) -> PhilHeuristic:
    """A learned heuristic by name."""
    heuristic = phil.load(name)
    assert isinstance(heuristic, PhilHeuristic)
    return heuristic


def ratio(seconds: Sequence[float], reference: Sequence[float]) -> float:
    """How many times longer than the reference: the median over the rounds that both ran.

    >>> ratio([4.0, 9.0], [2.0, 3.0, 1.0])
    2.5
    """
    return median(one / max(other, 1e-9) for one, other in zip(seconds, reference, strict=False))


def medians(rows: Iterable[Mapping[str, Any]], figures: Iterable[str]) -> dict[str, float]:
    """The median of each figure over some rows."""
    found = list(rows)
    return {figure: median(row[figure] for row in found) for figure in figures}
