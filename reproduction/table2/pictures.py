"""What A* and PHIL expand on a city."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image

from phil.errors import InputError
from phil.graphs import Graph
from phil.graphs.formats.geojson import path_geojson
from phil.problems.problem import Problem
from phil.search import Result
from phil.view.graph_picture import graph_picture
from phil.view.picture import small_png
from reproduction.drawing import sheet
from reproduction.experiment import Request
from reproduction.grid import Grid, Trial
from reproduction.page import Picture
from reproduction.table2.sets import FIRST, QUICK_SETS, SETS

CITY = "rimini"
QUICK_CITY = "roads"
PIXELS_PER_INCH = 100


@dataclass(frozen=True)
class RoadSearch:
    """What a method expands between two places of a city."""

    method: str
    title: str
    graph: Graph
    problem: Problem
    result: Result

    @property
    def text(self) -> str:
        """What the picture shows."""
        return f"{self.title}: {self.result.expansions:,} expansions"

    def geojson(self) -> dict[str, Any]:
        """Path and expanded nodes, for maps on a screen."""
        assert self.result.trace is not None
        return path_geojson(self.graph, self.result.path, self.result.trace)


def city_picture(searches: list[RoadSearch]) -> Picture:
    """The searches side by side."""
    content = roads_png(searches) if searches else None
    return Picture("What A* and PHIL expand on a city", "roads.png", content)


def road_trials(request: Request) -> list[Trial]:
    """What the picture is made of: A* on the paper's features, PHIL on its best ones."""
    row = QUICK_SETS[QUICK_CITY] if request.quick else SETS[CITY]
    return [
        Trial(f"{row.name}-{FIRST}", "astar"),
        Trial(f"{row.name}-{row.best_tier}", "phil"),
    ]


def road_searches(table: Grid, request: Request) -> list[RoadSearch]:
    """A* and PHIL on the pair of median A* expansions; none where something for it is missing."""
    parts, trials = table.store(request).parts(), road_trials(request)
    if trials[0].name not in parts or not table.heuristic(request, trials[1]).exists():
        return []
    expansions = parts[trials[0].name]["test"]["expansions"]
    try:
        problems = table.problems(request, trials[0].row).test
    except InputError:  # no roads here
        return []
    problem = problems[int(np.argsort(expansions)[len(expansions) // 2])]
    graph = problem.graph
    assert not graph.is_grid
    return [
        RoadSearch(
            trial.method,
            table.methods[trial.method].title,
            graph,
            problem,
            table.solver(request, trial).search(problem, trace=True),
        )
        for trial in trials
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
