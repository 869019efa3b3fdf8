"""What SaIL and PHIL expand on maps of four families."""

from __future__ import annotations

from collections.abc import Sequence

from phil.errors import InputError
from phil.view.picture import picture, png
from phil.view.report import MapView, Shot, maps_html
from reproduction.drawing import sheet
from reproduction.experiment import Request
from reproduction.grid import Grid, Trial
from reproduction.page import Picture

COMPARED = ("sail", "phil")
SHOWN = ("shifting_gaps", "gaps_and_forest", "mazes", "forest")  # as in the paper
PIXELS = 402  # a side of one picture


def searches_picture(table: Grid, request: Request) -> Picture:
    """The searches side by side; drawn where the maps and the trained heuristics are."""
    title, file = "What SaIL and PHIL expand", "searches.png"
    families = [family for family in SHOWN if family in table.rows(request)]
    families = families or [*table.rows(request)[:1]]
    trials = [Trial(family, name) for family in families for name in COMPARED]
    if not all(table.heuristic(request, trial).exists() for trial in trials):
        return Picture(title, file, None)
    try:
        views = [map_view(table, request, family) for family in families]
    except InputError:  # no maps here
        return Picture(title, file, None)
    # On a phone, maps of their own stand below each other.
    view = maps_html(views, table.methods["phil"].title)
    return Picture(title, file, searches_png(views), view)


def map_view(table: Grid, request: Request, family: str, split: str = "test") -> MapView:
    """The searches of SaIL and PHIL on the first map of a family that has a path."""
    solvers = [table.solver(request, Trial(family, name)) for name in COMPARED]
    for problem in table.problems(request, family).split(split):
        results = [solver.search(problem, trace=True) for solver in solvers]
        if results[0].solved:
            break
    assert problem.graph.is_grid
    shots = [
        Shot(table.methods[name].title, result)
        for name, result in zip(COMPARED, results, strict=True)
    ]
    return MapView(family, problem.graph, problem.goal, shots)


def searches_png(views: Sequence[MapView]) -> bytes:
    """All views in one picture, two families side by side."""
    cells = [
        (
            f"{view.name}, {shot.method}: {shot.result.expansions:,} expansions",
            picture(view.graph, shot.result, goal=view.goal).resize((PIXELS, PIXELS)),
        )
        for view in views
        for shot in view.shots
    ]
    return png(sheet(cells, across=2 * len(COMPARED)))
