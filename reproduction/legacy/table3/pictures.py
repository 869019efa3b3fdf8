"""The pictures of the report on Table 3: learning curves, and searches to turn in the browser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from phil.evaluation import parse_method
from phil.problems.problem import Problem
from phil.view.report import Shot
from phil.view.scene import Scene, scene_html
from reproduction.curves import TrainingCurve, curves_svg
from reproduction.legacy.report_files import Picture
from reproduction.legacy.table3.columns import COLUMNS, LIMIT, PHIL, REFERENCE
from reproduction.legacy.table3.study import Cell, Study, method_of

SHOWN = (PHIL, REFERENCE, "astar")
HEADING = (
    "<h2>What each method expanded</h2>\n<p>Of each room the validation problem where the straight "
    "line misleads most; PHIL as in training 0.</p>"
)


def learning_curves(document: Mapping[str, Any]) -> Picture:
    """The best validation so far: a panel a room, a line a training."""
    titles = document["titles"]
    panels = {
        room: [
            TrainingCurve(titles[name], training["curve"])
            for name, summary in row["methods"].items()
            for training in summary.get("trainings", [])
        ]
        for room, row in document["rooms"].items()
    }
    learned = [titles[name] for name in titles if COLUMNS[name].learned]
    label = "mean expansions on validation problems, best so far"
    return Picture("Learning curves", "curves.svg", curves_svg(panels, learned, label, "table3"))


def room_views(study: Study) -> list[str]:
    """What PHIL, greedy Euclidean and A* expand in each room that has a trained PHIL, as HTML."""
    rooms = [room for room in study.rooms if study.heuristic(Cell(room, PHIL)).exists()]
    return [HEADING, *(_view(study, room) for room in rooms)] if rooms else []


def _view(study: Study, room: str) -> str:
    problem = max(study.problems(room).validation, key=lost_by_straight_line)
    assert problem.graph.is_grid
    shots = [
        Shot(COLUMNS[name].title, method_of(study, Cell(room, name)).search(problem, trace=True))
        for name in SHOWN
    ]
    scene = Scene(problem.name, problem.graph, problem.goal, shots)
    return scene_html(scene, COLUMNS[PHIL].title)


def lost_by_straight_line(problem: Problem) -> int:
    """How much more greedy search by the straight line expands than the shortest path has nodes."""
    straight, shortest = (parse_method(COLUMNS[name].text) for name in (REFERENCE, LIMIT))
    return straight.search(problem).expansions - shortest.search(problem).expansions
