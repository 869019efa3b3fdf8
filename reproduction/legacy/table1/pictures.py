"""The pictures of the report on Table 1: learning curves, and what SaIL and PHIL expand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PIL import Image

from phil.view.picture import picture
from phil.view.report import MapView, Shot
from phil.view.sheet import sheet
from reproduction.curves import TrainingCurve, curves_svg
from reproduction.legacy.table1.columns import COLUMNS
from reproduction.legacy.table1.study import Study, method_of

COMPARED = ("sail", "phil")
SHOWN = ("shifting_gaps", "gaps_and_forest", "mazes", "forest")  # as in the paper
PIXELS = 402  # a side of one picture


def map_views(study: Study, split: str = "test") -> list[MapView]:
    """The searches of SaIL and PHIL on the first map that has a path, of four families."""
    views = []
    families = [family for family in SHOWN if family in study.families] or study.families[:1]
    for family in families:
        methods = [method_of(study, COLUMNS[name], family, 0) for name in COMPARED]
        for problem in study.problems(family).split(split):
            results = [method.search(problem, trace=True) for method in methods]
            if results[0].solved:
                break
        assert problem.graph.is_grid
        shots = [
            Shot(COLUMNS[name].title, result)
            for name, result in zip(COMPARED, results, strict=True)
        ]
        views.append(MapView(family, problem.graph, problem.goal, shots))
    return views


def searches_figure(views: Sequence[MapView]) -> Image.Image:
    """All views in one picture, two families side by side."""
    cells = [
        (
            f"{view.name}, {shot.method}: {shot.result.expansions:,} expansions",
            picture(view.graph, shot.result, goal=view.goal).resize((PIXELS, PIXELS)),
        )
        for view in views
        for shot in view.shots
    ]
    return sheet(cells, across=2 * len(COMPARED))


def training_curves(document: Mapping[str, Any]) -> bytes:
    """The best validation so far while training: a panel a family, a line a training."""
    titles = document["titles"]
    learned = [name for name in titles if COLUMNS[name].learned]
    panels = {
        family: [
            TrainingCurve(titles[name], training["curve"])
            for name in learned
            for training in row["methods"].get(name, {}).get("trainings", [])
        ]
        for family, row in document["families"].items()
    }
    label = "mean expansions on validation maps, best so far"
    return curves_svg(panels, [titles[name] for name in learned], label, "table1")
