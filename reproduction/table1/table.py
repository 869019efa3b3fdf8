"""Table 1: families of grid maps by methods."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from phil.graphs.distances import hops_to
from phil.problems import open_set
from phil.problems.generated import FAMILIES, generate_maps
from phil.problems.grids import repeated_maps
from phil.problems.pairs import map_problem
from phil.problems.problem import Problem, ProblemSet
from reproduction.experiment import Document, Request, Value
from reproduction.grid import Grid
from reproduction.markup import Section
from reproduction.page import Page
from reproduction.runner import Part
from reproduction.scores import without_repeated
from reproduction.store import Content, Parts
from reproduction.table1 import page
from reproduction.table1.methods import METHODS
from reproduction.table1.page import searches_picture

SMALL_SPLITS = {"train": 12, "validation": 6, "test": 6}
SMALL_SIDE = 61
QUICK_FAMILIES = ("forest", "alternating_gaps")
LEAST, SPAN = 200, 4800  # SaIL's normalisation


class Table1(Grid):
    """PHIL and everything it is compared with, on the eight grid families."""

    name = "table1"
    title = "Table 1: maps"
    options = ("families", "methods")
    methods = METHODS
    references = ("astar",)

    def rows(self, request: Request) -> tuple[str, ...]:
        """Families of maps."""
        default = QUICK_FAMILIES if request.quick else FAMILIES
        return request.chosen("families", "family", FAMILIES, default)

    def problems(self, request: Request, row: str) -> ProblemSet:
        """The public maps of a family, or a few small generated ones."""
        return small_set(row) if request.quick else open_set(f"grids/{row}", data=request.data)

    def problem_parts(self, request: Request) -> list[Part]:
        """How many maps there are, and which test maps are in other splits too."""
        return [
            Part(f"{row}-maps", partial(self._maps, request, row)) for row in self.rows(request)
        ]

    def assemble(self, parts: Parts, *, quick: bool) -> Document:
        """Mean expansions of every method on every family, in several units."""
        return {
            "titles": self.titles(),
            "families": {
                family: self._row(parts, family)
                for family in FAMILIES
                if f"{family}-maps" in parts and self.runs(parts, family, "astar")
            },
        }

    def page(self, document: Document, request: Request) -> Page:
        """The table in several units, trainings, and searches of SaIL and PHIL."""
        pictures = [page.curves(document), searches_picture(self, request)]
        title = METHODS["phil"].title
        return Page(page.TITLE, document["command"], [*page.sections(document), *pictures], title)

    def values(self, document: Document) -> dict[str, Value]:
        """Mean expansions."""
        return {
            f"{family}, {document['titles'][method]}": Value.of_expansions(summary)
            for family, row in document["families"].items()
            for method, summary in row["methods"].items()
        }

    def summary(self, document: Document) -> Section:
        """Mean expansions."""
        return page.expansions(document)

    def _maps(self, request: Request, family: str) -> Content:
        problems = self.problems(request, family)
        names = [problem.name for problem in problems.test]
        return {
            "family": family,
            "train": len(problems.train),
            "validation": len(problems.validation),
            "test": len(names),
            "repeated": {
                str(names.index(test)): list(others)
                for test, others in repeated_maps(problems).items()
            },
        }

    def _row(self, parts: Parts, family: str) -> dict[str, Any]:
        maps = parts[f"{family}-maps"]
        repeated = {int(number) for number in maps["repeated"]}
        methods: Mapping[str, dict[str, Any]] = self.summaries(parts, family)
        for name, summary in methods.items():
            tests = [run["test"] for run in self.runs(parts, family, name)]
            summary["on_new_maps"] = without_repeated(tests, repeated)
            summary["in_sail_unit"] = in_sail_unit(summary["expansions"])
            summary["printed"] = METHODS[name].printed.get(family)
        return {"maps": maps, "methods": methods}


def in_sail_unit(expansions: float) -> float:
    """Mean expansions as SaIL's paper prints them.

    >>> in_sail_unit(5000), in_sail_unit(30000), in_sail_unit(440)
    (1.0, 1.0, 0.05)
    """
    return min(1.0, (expansions - LEAST) / SPAN)


def small_set(family: str, pairs: str = "corners") -> ProblemSet:
    """A few small generated maps of a family."""
    name = f"generated/{family}"
    splits = {
        split: tuple(
            map_problem(free, name, f"{split}/{number}", pairs)
            for number, free in enumerate(
                generate_maps(family, count, seed=0, split=split, shape=(SMALL_SIDE, SMALL_SIDE))
            )
        )
        for split, count in SMALL_SPLITS.items()
    }
    return ProblemSet(name, **splits)


def has_path(problem: Problem) -> bool:
    """Whether the goal can be reached from the start; some of the public maps have no path."""
    return bool(np.isfinite(hops_to(problem.graph, problem.goal)[problem.start]))


TABLE1 = Table1()
