"""What SaIL and PHIL expand on four families."""

from __future__ import annotations

from phil.view.picture import png
from reproduction.figures.figure import Drawn, Figure
from reproduction.figures.sources import Sources
from reproduction.legacy.table1.pictures import map_views, searches_figure


def draw(sources: Sources) -> Drawn:
    """Pairs of pictures, one for each family."""
    views = map_views(sources.maps, "validation")
    return Drawn(
        png(searches_figure(views)),
        "The first validation map of each family that has a path. From blue (first expanded) to "
        "yellow (last).",
        {view.name: {shot.method: shot.result.expansions for shot in view.shots} for view in views},
    )


FIGURE = Figure("sail", "SaIL and PHIL", draw)
