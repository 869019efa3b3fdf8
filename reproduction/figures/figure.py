"""A figure: how it is drawn, and what is said about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from phil.graphs.distances import hops_to
from phil.problems.problem import Problem
from phil.search import Result
from phil.search.method import Searcher
from phil.view.picture import picture, png
from reproduction.drawing import sheet
from reproduction.experiment import Request
from reproduction.table1.table import TABLE1, has_path

PIXELS = 402  # a side of one map

Facts = Mapping[str, Any]  # what was found, as the results keep it


@dataclass(frozen=True)
class Figure:
    """One figure of the page.

    `draw` may search and train; it gives a picture and facts, of which `text` says what the
    picture shows and how that was chosen. An `InputError` says what must be made first.
    """

    name: str
    title: str
    draw: Callable[[Request], tuple[bytes, Facts]]
    text: Callable[[Facts, bool], str]  # of the facts, and whether the run was a quick one


def validation(request: Request, family: str) -> list[Problem]:
    """The validation maps of a family that have a path."""
    return [*filter(has_path, TABLE1.problems(request, family).validation)]


def shortest(problem: Problem) -> int:
    """The nodes of a shortest path, which no search expands less than."""
    return int(hops_to(problem.graph, problem.goal)[problem.start]) + 1


def map_picture(problem: Problem, result: Result, pixels: int = PIXELS) -> Any:
    """What a search expanded on a map."""
    assert problem.graph.is_grid
    return picture(problem.graph, result, goal=problem.goal).resize((pixels, pixels))


def side_by_side(problem: Problem, solvers: Mapping[str, Searcher]) -> tuple[bytes, dict[str, Any]]:
    """One map, one picture for each method; and what they expand."""
    found = {title: solver.search(problem, trace=True) for title, solver in solvers.items()}
    cells = [
        (f"{title}: {result.expansions:,} expansions", map_picture(problem, result))
        for title, result in found.items()
    ]
    counts = {title: result.expansions for title, result in found.items()}
    return png(sheet(cells, across=len(cells))), {"problem": problem.name, "expansions": counts}
