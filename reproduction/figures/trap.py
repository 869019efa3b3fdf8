"""PHIL leaves a local minimum that greedy search fills, step by step."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PIL import Image

from phil.problems.problem import Problem
from phil.search import Result
from phil.view.picture import picture, png
from phil.view.sheet import sheet
from reproduction.figures.figure import Drawn, Figure, Missing
from reproduction.figures.sources import Sources, euclidean, first, grid_of, shortest
from reproduction.legacy.table1.columns import COLUMNS

FAMILY = "bugtrap_forest"
TRAPPED, QUICK_TRAPPED = 5, 3  # times the shortest path; small maps have small traps
ENTERED = 1.5  # PHIL goes round most traps: it is to be seen how it leaves one
FRAMES = 6
PIXELS = 300  # a side of one frame


def draw(sources: Sources) -> Drawn | Missing:
    """Two rows of frames: PHIL, and greedy search after as many expansions."""
    phil, greedy = sources.method("phil", FAMILY), euclidean()
    times = QUICK_TRAPPED if sources.quick else TRAPPED
    problems = sources.validation(FAMILY)

    def are_trapped(problem: Problem) -> bool:
        least = shortest(problem)
        return (
            greedy.search(problem).expansions >= times * least
            and phil.search(problem).expansions >= ENTERED * least
        )

    problem = first(problems, are_trapped)
    if problem is None:
        return Missing(f"on no validation map of {FAMILY} both searches enter a trap.")
    found = {
        COLUMNS["phil"].title: phil.search(problem, trace=True),
        COLUMNS["euclidean"].title: greedy.search(problem, trace=True),
    }
    own = found[COLUMNS["phil"].title].expansions
    moments = np.linspace(0, own, FRAMES + 1).round().astype(int)[1:].tolist()
    frames = [
        (f"{title}: {min(moment, result.expansions):,}", _frame(problem, result, moment))
        for title, result in found.items()
        for moment in moments
    ]
    counts = {title: result.expansions for title, result in found.items()}
    return Drawn(
        png(sheet(frames, across=FRAMES)),
        f"The first validation map of {FAMILY} on which greedy Euclidean expands at least "
        f"{times} times the nodes of the shortest path ({problem.name}: {shortest(problem):,}), "
        f"and PHIL, which goes round most traps, at least {ENTERED} times as many. "
        "Above PHIL, below greedy Euclidean after as many expansions; in all they expand "
        + ", ".join(f"{title} {count:,}" for title, count in counts.items())
        + ". From blue (first expanded) to yellow (last).",
        {"problem": problem.name, "shortest": shortest(problem), "expansions": counts},
    )


def _frame(problem: Problem, result: Result, moment: int) -> Image.Image:
    """The search after some expansions; its path only when it has ended."""
    assert result.trace is not None
    ended = moment >= result.expansions
    path = result.path if ended else result.path[:0]
    so_far = replace(result, trace=result.trace[:moment], path=path)
    return picture(grid_of(problem), so_far, goal=problem.goal).resize((PIXELS, PIXELS))


FIGURE = Figure("trap", "PHIL escapes a local minimum", draw)
