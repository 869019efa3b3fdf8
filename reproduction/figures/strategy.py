"""The strategy that PHIL learns for alternating gaps, beside the best one there is."""

from __future__ import annotations

from phil.evaluation import parse_method
from phil.view.picture import picture, png
from phil.view.sheet import sheet
from reproduction.figures.figure import Drawn, Figure
from reproduction.figures.sources import Sources, euclidean, grid_of
from reproduction.legacy.table1.columns import COLUMNS

FAMILY = "alternating_gaps"
PIXELS = 402


def draw(sources: Sources) -> Drawn:
    """PHIL, the shortest path, and greedy search."""
    problem = sources.validation(FAMILY)[0]
    solvers = {
        "phil": sources.method("phil", FAMILY),
        "oracle": parse_method(COLUMNS["oracle"].text),
        "euclidean": euclidean(),
    }
    found = {
        COLUMNS[name].title: solver.search(problem, trace=True) for name, solver in solvers.items()
    }
    counts = {title: result.expansions for title, result in found.items()}
    shown = [
        (
            f"{title}: {result.expansions:,} expansions",
            picture(grid_of(problem), result, goal=problem.goal).resize((PIXELS, PIXELS)),
        )
        for title, result in found.items()
    ]
    return Drawn(
        png(sheet(shown, across=len(shown))),
        f"The first validation map of {FAMILY} that has a path ({problem.name}). No search expands "
        "less than the shortest path has nodes.",
        {"problem": problem.name, "expansions": counts},
    )


FIGURE = Figure("strategy", "The strategy on alternating gaps", draw)
