"""What figures are drawn from: the studies of the tables, and the heuristics trained for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from phil.evaluation import Solver, parse_method
from phil.graphs import GridGraph
from phil.graphs.distances import hops_to
from phil.problems.problem import Problem
from reproduction.legacy import table1, table2, table3
from reproduction.legacy.kept import Kept
from reproduction.legacy.table1.pictures import SHOWN
from reproduction.legacy.table1.study import method_of
from reproduction.solvable import has_path

QUICK_FAMILIES = ("forest",)
QUICK_ROOMS = ("adversarial",)


@dataclass(frozen=True)
class Sources(Kept):
    """Where results and heuristics are kept; quick ones are of small generated problems."""

    experiment: ClassVar[str] = "figures"

    data: Path | None
    results: Path
    heuristics: Path
    quick: bool = False

    @property
    def families(self) -> tuple[str, ...]:
        """Of maps: the four that the paper shows."""
        return QUICK_FAMILIES if self.quick else SHOWN

    @property
    def maps(self) -> table1.Study:
        """The study of Table 1, one seed."""
        return table1.Study(
            families=self.families,
            methods=("phil", "sail"),
            seeds=1,
            data=self.data,
            results=self.results,
            heuristics=self.heuristics,
            quick=self.quick,
        )

    @property
    def graphs(self) -> table2.Study:
        """The study of Table 2, one seed."""
        return table2.Study(
            sets=tuple(table2.QUICK_SETS if self.quick else table2.SETS),
            tiers=tuple(table2.TIERS),
            methods=tuple(table2.COLUMNS),
            seeds=1,
            data=self.data,
            results=self.results,
            heuristics=self.heuristics,
            quick=self.quick,
        )

    @property
    def flights(self) -> table3.Study:
        """The study of Table 3, one seed."""
        return table3.Study(
            rooms=QUICK_ROOMS if self.quick else tuple(table3.ROOMS),
            methods=tuple(table3.COLUMNS),
            seeds=1,
            results=self.results,
            heuristics=self.heuristics,
            quick=self.quick,
        )

    def method(self, name: str, family: str) -> Solver:
        """A method of Table 1 for a family, trained if it is not yet."""
        return method_of(self.maps, table1.COLUMNS[name], family, 0)

    def validation(self, family: str) -> list[Problem]:
        """The validation maps of a family that have a path."""
        return [*filter(has_path, self.maps.problems(family).validation)]


def shortest(problem: Problem) -> int:
    """The nodes of a shortest path, which no search expands less than."""
    return int(hops_to(problem.graph, problem.goal)[problem.start]) + 1


def first(problems: list[Problem], fits: Callable[[Problem], bool]) -> Problem | None:
    """The first problem that fits: chosen by a rule, not by how it looks."""
    return next(filter(fits, problems), None)


def grid_of(problem: Problem) -> GridGraph:
    """The map of a problem."""
    assert problem.graph.is_grid
    return problem.graph


def euclidean() -> Solver:
    """Greedy search by the straight line."""
    return parse_method(table1.COLUMNS["euclidean"].text)
