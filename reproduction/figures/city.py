"""A city with PHIL against A*."""

from __future__ import annotations

from reproduction.figures.figure import Drawn, Figure, Missing
from reproduction.figures.sources import Sources
from reproduction.legacy.parts import make_parts
from reproduction.legacy.table2.pictures import (
    CITY,
    QUICK_CITY,
    road_cells,
    road_searches,
    roads_png,
)


def draw(sources: Sources) -> Drawn | Missing:
    """Two pictures of the road network, as in the report on Table 2."""
    study = sources.graphs
    if sources.quick:
        make_parts([study.part(cell) for cell in road_cells(study)], 1, lambda _: None)
    searches = road_searches(study)
    if not searches:
        return Missing(f"first make it with `python -m reproduction table2 --sets {CITY}`.")
    return Drawn(
        roads_png(searches),
        f"{QUICK_CITY if sources.quick else CITY.capitalize()}, between the two places of the "
        "median of A*'s expansions over the test pairs (the paper shows Modena). A* takes the "
        "distance of the paper's features, PHIL its best features.",
        {
            "problem": searches[0].problem.name,
            "expansions": {search.method: search.result.expansions for search in searches},
        },
    )


FIGURE = Figure("city", "PHIL and A* on a city", draw)
