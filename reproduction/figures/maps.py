"""Searches on maps: a trap that PHIL leaves, SaIL beside PHIL, a strategy, three convolutions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from phil.errors import InputError
from phil.problems.problem import Problem
from phil.search import Result
from phil.search.method import Searcher
from phil.view.picture import png
from reproduction.ablations.studies import CONVOLUTIONS, HARD, QUICK_FAMILIES
from reproduction.ablations.table import ABLATIONS
from reproduction.ablations.variants import variant
from reproduction.drawing import sheet
from reproduction.experiment import Request
from reproduction.figures.figure import (
    Facts,
    Figure,
    map_picture,
    shortest,
    side_by_side,
    validation,
)
from reproduction.grid import Trial
from reproduction.table1.pictures import SHOWN, map_view, searches_png
from reproduction.table1.table import TABLE1

TRAP_FAMILY = "bugtrap_forest"
TRAPPED, QUICK_TRAPPED = 5, 3  # times the shortest path; small maps have small traps
ENTERED = 1.5  # PHIL goes round most traps: it is to be seen how it leaves one
FRAMES, FRAME_PIXELS = 6, 300
STRATEGY_FAMILY = "alternating_gaps"
QUICK_SHOWN = ("forest",)
COMPARED = ("GAT", "DeeperGCN softmax", "MPNN sum")  # as in the paper


def _solvers(request: Request, family: str, *names: str) -> dict[str, Searcher]:
    """Methods of Table 1 by title, trained if they are not yet."""
    return {
        TABLE1.methods[name].title: TABLE1.solver(request, Trial(family, name)) for name in names
    }


def _draw_trap(request: Request) -> tuple[bytes, Facts]:
    """Two rows of frames: PHIL, and greedy search after as many expansions."""
    solvers = _solvers(request, TRAP_FAMILY, "phil", "euclidean")
    phil, greedy = solvers.values()
    times = QUICK_TRAPPED if request.quick else TRAPPED
    for problem in validation(request, TRAP_FAMILY):
        least = shortest(problem)
        if (
            greedy.search(problem).expansions >= times * least
            and phil.search(problem).expansions >= ENTERED * least
        ):
            break
    else:
        raise InputError(f"on no validation map of {TRAP_FAMILY} both searches enter a trap")
    found = {title: solver.search(problem, trace=True) for title, solver in solvers.items()}
    counts = {title: result.expansions for title, result in found.items()}
    own = next(iter(counts.values()))
    moments = np.linspace(0, own, FRAMES + 1).round().astype(int)[1:].tolist()
    frames = [
        (
            f"{title}: {min(moment, result.expansions):,}",
            map_picture(problem, _so_far(result, moment), FRAME_PIXELS),
        )
        for title, result in found.items()
        for moment in moments
    ]
    facts = {"problem": problem.name, "shortest": least, "expansions": counts}
    return png(sheet(frames, across=FRAMES)), facts


def _so_far(result: Result, moment: int) -> Result:
    """A search after some expansions; it has a path only when it has ended."""
    assert result.trace is not None
    path = result.path if moment >= result.expansions else result.path[:0]
    return replace(result, trace=result.trace[:moment], path=path)


def _trap_text(facts: Facts, quick: bool) -> str:
    counts = ", ".join(f"{title} {count:,}" for title, count in facts["expansions"].items())
    return (
        f"The first validation map of {TRAP_FAMILY} on which greedy Euclidean expands at least "
        f"{QUICK_TRAPPED if quick else TRAPPED} times the nodes of the shortest path "
        f"({facts['problem']}: {facts['shortest']:,}), and PHIL, which goes round most traps, at "
        f"least {ENTERED} times as many. Above PHIL, below greedy Euclidean after as many "
        f"expansions; in all they expand {counts}. From blue (first expanded) to yellow (last)."
    )


def _draw_sail(request: Request) -> tuple[bytes, Facts]:
    """Pairs of pictures, one for each family."""
    families = QUICK_SHOWN if request.quick else SHOWN
    views = [map_view(TABLE1, request, family, "validation") for family in families]
    return searches_png(views), {
        view.name: {shot.method: shot.result.expansions for shot in view.shots} for view in views
    }


def _sail_text(facts: Facts, quick: bool) -> str:
    return (
        "The first validation map of each family that has a path. From blue (first expanded) to "
        "yellow (last)."
    )


def _draw_strategy(request: Request) -> tuple[bytes, Facts]:
    """PHIL, the shortest path, and greedy search."""
    problem = validation(request, STRATEGY_FAMILY)[0]
    solvers = _solvers(request, STRATEGY_FAMILY, "phil", "oracle", "euclidean")
    return side_by_side(problem, solvers)


def _strategy_text(facts: Facts, quick: bool) -> str:
    return (
        f"The first validation map of {STRATEGY_FAMILY} that has a path ({facts['problem']}). No "
        "search expands less than the shortest path has nodes."
    )


def _convolutions_family(quick: bool) -> str:
    return QUICK_FAMILIES[0] if quick else HARD


def _draw_convolutions(request: Request) -> tuple[bytes, Facts]:
    """The ablations' first trainings of three convolutions."""
    family = _convolutions_family(request.quick)
    trials = {
        title: Trial(family, variant(convolution=CONVOLUTIONS[title]).name) for title in COMPARED
    }
    made = all(ABLATIONS.heuristic(request, trial).exists() for trial in trials.values())
    if not made and not request.quick:
        raise InputError("first make them with `python -m reproduction ablations`")
    problem: Problem = ABLATIONS.problems(request, family).validation[0]
    solvers = {title: ABLATIONS.solver(request, trial) for title, trial in trials.items()}
    content, facts = side_by_side(problem, solvers)
    assert problem.graph.is_grid
    shape = list(problem.graph.shape)
    return content, {**facts, "shortest": shortest(problem), "shape": shape}


def _convolutions_text(facts: Facts, quick: bool) -> str:
    rows, columns = facts["shape"]
    return (
        f"The first validation map of {_convolutions_family(quick)} of the ablations "
        f"({rows}x{columns} cells, 4-connected), training 0 of each convolution. The shortest path "
        f"has {facts['shortest']:,} nodes."
    )


TRAP = Figure("trap", "PHIL escapes a local minimum", _draw_trap, _trap_text)
AGAINST_SAIL = Figure("sail", "SaIL and PHIL", _draw_sail, _sail_text)
STRATEGY = Figure("strategy", "The strategy on alternating gaps", _draw_strategy, _strategy_text)
THREE_CONVOLUTIONS = Figure(
    "convolutions", "Three convolutions", _draw_convolutions, _convolutions_text
)
