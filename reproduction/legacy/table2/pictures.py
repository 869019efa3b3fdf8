"""The pictures of the report on Table 2: learning curves, and PHIL against A* on a city."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image

from phil.graphs import Graph
from phil.graphs.formats.geojson import path_geojson
from phil.problems.problem import Problem
from phil.search import Result
from phil.view.graph_picture import graph_picture
from phil.view.picture import small_png
from phil.view.sheet import sheet
from reproduction.curves import TrainingCurve, curves_svg
from reproduction.legacy.table2.columns import COLUMNS
from reproduction.legacy.table2.sets import FIRST
from reproduction.legacy.table2.study import Cell, Study, method_of

CITY = "rimini"
QUICK_CITY = "roads"
PIXELS_PER_INCH = 100
SHOWN_LOSSES = 5  # every fifth: all of them make a page of megabytes


@dataclass(frozen=True)
class RoadSearch:
    """What a method expands between two places of a city."""

    method: str
    graph: Graph
    problem: Problem
    result: Result

    @property
    def text(self) -> str:
        """What the picture shows."""
        found = self.result
        return f"{COLUMNS[self.method].title}: {found.expansions:,} expansions"

    def geojson(self) -> dict[str, Any]:
        """Path and expanded nodes, for maps on a screen."""
        assert self.result.trace is not None
        return path_geojson(self.graph, self.result.path, self.result.trace)


def road_cells(study: Study) -> list[Cell]:
    """What must be there for the picture: A* on the paper's features, PHIL on its best ones."""
    city = QUICK_CITY if study.quick else CITY
    return [Cell(city, FIRST, "astar"), Cell(city, study.known[city].best_tier, "phil")]


def road_searches(study: Study) -> list[RoadSearch]:
    """A* on the paper's features and PHIL on its best ones, on the pair of median A* expansions.

    Nothing while one of them is missing.
    """
    cells = road_cells(study)
    if not (study.part(cells[0]).done and study.heuristic(cells[1]).exists()):
        return []
    expansions = study.part(cells[0]).read()["test"]["expansions"]
    problem = study.problems(cells[0].set).test[int(np.argsort(expansions)[len(expansions) // 2])]
    graph = problem.graph
    assert isinstance(graph, Graph)
    return [
        RoadSearch(cell.method, graph, problem, method_of(study, cell).search(problem, trace=True))
        for cell in cells
    ]


def roads_png(searches: list[RoadSearch]) -> bytes:
    """All searches side by side."""
    shots = [(search.text, _shot(search)) for search in searches]
    return small_png(sheet(shots, across=len(shots)))


def _shot(search: RoadSearch) -> Image.Image:
    stream = io.BytesIO()
    figure = graph_picture(search.graph, search.result, goal=search.problem.goal)
    figure.savefig(stream, format="png", dpi=PIXELS_PER_INCH)
    return Image.open(stream).convert("RGB")


def validation_curves(document: Mapping[str, Any]) -> bytes:
    """The best validation so far, in the first and the best tier of every set."""
    return _curves(document, "curve", "mean expansions on validation problems, best so far", True)


def loss_curves(document: Mapping[str, Any]) -> bytes:
    """The losses of the same trainings; every method has its own."""
    return _curves(document, "loss", "loss", False, every=SHOWN_LOSSES)


def _curves(
    document: Mapping[str, Any], kind: str, label: str, best_so_far: bool, every: int = 1
) -> bytes:
    titles = document["titles"]
    panels = {
        f"{name}, tier {tier}": [
            TrainingCurve(titles[method], training[kind][every - 1 :: every])
            for method, summary in row["tiers"][tier]["methods"].items()
            for training in summary.get("trainings", [])
        ]
        for name, row in document["sets"].items()
        for tier in dict.fromkeys((FIRST, list(row["tiers"])[-1]))
    }
    learned = [titles[name] for name in titles if COLUMNS[name].learned]
    return curves_svg(panels, learned, label, "table2", best_so_far=best_so_far)
