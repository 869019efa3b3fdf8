"""What PHIL, greedy search and A* expand in the rooms, as views to be turned."""

from __future__ import annotations

from phil.evaluation import parse_method
from phil.problems.problem import Problem
from phil.view.report import Shot
from phil.view.scene import Scene, scene_html
from reproduction.experiment import Request
from reproduction.grid import Grid, Trial
from reproduction.table3.methods import LIMIT, METHODS, PHIL, REFERENCE

SHOWN = (PHIL, REFERENCE, "astar")
HEADING = (
    "<h2>What each method expanded</h2>\n<p>In each room, the validation problem where the "
    "straight line misleads most; PHIL as in training 0.</p>"
)


def room_views(table: Grid, request: Request) -> list[str]:
    """What PHIL, greedy Euclidean and A* expand in each room that has a trained PHIL, as HTML."""
    rooms = [
        room for room in table.rows(request) if table.heuristic(request, Trial(room, PHIL)).exists()
    ]
    return [HEADING, *(_view(table, request, room) for room in rooms)] if rooms else []


def lost_by_straight_line(problem: Problem) -> int:
    """How much more greedy search by the straight line expands than the shortest path has nodes."""
    straight, shortest = (parse_method(METHODS[name].text) for name in (REFERENCE, LIMIT))
    return straight.search(problem).expansions - shortest.search(problem).expansions


def _view(table: Grid, request: Request, room: str) -> str:
    problem = max(table.problems(request, room).validation, key=lost_by_straight_line)
    assert problem.graph.is_grid
    shots = [
        Shot(METHODS[name].title, solver.search(problem, trace=True))
        for name in SHOWN
        for solver in [table.solver(request, Trial(room, name))]
    ]
    scene = Scene(problem.name, problem.graph, problem.goal, shots)
    return scene_html(scene, METHODS[PHIL].title)
