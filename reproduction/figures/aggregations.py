"""Three convolutions side by side, on the coarse maps of the ablations."""

from __future__ import annotations

from phil.evaluation import Method
from phil.heuristics.registry import read_any
from phil.search import GREEDY
from phil.view.picture import picture, png
from phil.view.sheet import sheet
from reproduction.ablations.parts import Ablations
from reproduction.ablations.studies import CONVOLUTIONS, HARD, QUICK_FAMILIES
from reproduction.ablations.variants import variant
from reproduction.figures.figure import Drawn, Figure, Missing
from reproduction.figures.sources import Sources, grid_of, shortest
from reproduction.legacy.parts import make_parts

SHOWN = ("GAT", "DeeperGCN softmax", "MPNN sum")  # as in the paper
PIXELS = 402


def draw(sources: Sources) -> Drawn | Missing:
    """One picture a convolution, of the ablations' first trainings."""
    [family] = QUICK_FAMILIES if sources.quick else (HARD,)
    ablations = Ablations(
        families=[family],
        studies=["convolution"],
        seeds=1,
        data=sources.data,
        results=sources.results,
        heuristics=sources.heuristics,
        quick=sources.quick,
    )
    variants = {title: variant(convolution=CONVOLUTIONS[title]) for title in SHOWN}
    if sources.quick:
        parts = [ablations.part(family, each, 0) for each in variants.values()]
        make_parts(parts, 1, lambda _: None)
    files = {title: ablations.heuristic(family, each, 0) for title, each in variants.items()}
    if not all(file.exists() for file in files.values()):
        return Missing("first make them with `python -m reproduction ablations`.")
    problem = ablations.maps(family).problems.validation[0]
    found = {
        title: Method(title, GREEDY, read_any(file)).search(problem, trace=True)
        for title, file in files.items()
    }
    shown = [
        (
            f"{title}: {result.expansions:,} expansions",
            picture(grid_of(problem), result, goal=problem.goal).resize((PIXELS, PIXELS)),
        )
        for title, result in found.items()
    ]
    rows, columns = grid_of(problem).shape
    return Drawn(
        png(sheet(shown, across=len(shown))),
        f"The first validation map of {family} of the ablations ({rows}x{columns} cells, "
        "4-connected), training 0 of each convolution. The shortest path has "
        f"{shortest(problem):,} nodes.",
        {
            "problem": problem.name,
            "shortest": shortest(problem),
            "expansions": {title: result.expansions for title, result in found.items()},
        },
    )


FIGURE = Figure("convolutions", "Three convolutions", draw)
