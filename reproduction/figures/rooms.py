"""What PHIL, greedy search and A* expand in the rooms of Table 3."""

from __future__ import annotations

from typing import Any

from phil.errors import InputError
from phil.evaluation import parse_method
from phil.rooms.film import room_pictures
from phil.rooms.markers import MAX_NODES, SearchMarks
from phil.rooms.problems import COUNTS, room_problem
from phil.rooms.scene import import_mujoco
from phil.view.picture import small_png
from phil.view.sheet import sheet
from reproduction.figures.figure import Drawn, Figure, Missing
from reproduction.figures.sources import Sources, shortest
from reproduction.legacy.parts import make_parts
from reproduction.legacy.table3.columns import COLUMNS, PHIL
from reproduction.legacy.table3.pictures import SHOWN, lost_by_straight_line
from reproduction.legacy.table3.study import SMALL_SPLITS, Cell, Study
from reproduction.legacy.training import trained_method

# Larger than in films: a sheet of pictures makes them small.
NODE, OPACITY, PATH_RADIUS = 0.65, 1.0, 0.035

Row = dict[str, SearchMarks]  # the searches of one problem, by method


def draw(sources: Sources) -> Drawn | Missing:
    """A row a room, a picture a method."""
    study = sources.flights
    try:
        import_mujoco()
    except InputError as error:
        return Missing(f"{error}.")
    if sources.quick:
        make_parts([study.part(Cell(room, PHIL)) for room in study.rooms], 1, lambda _: None)
    if not all(study.heuristic(Cell(room, PHIL)).exists() for room in study.rooms):
        return Missing("first make it with `python -m reproduction table3`.")
    rows = {room: _searches(study, room) for room in study.rooms}
    try:
        drawn = [each for row in rows.values() for each in room_pictures(list(row.values()))]
    except InputError as error:  # nothing to draw with
        return Missing(f"{error}.")
    titles = [
        f"{room}, {title}: {marks.result.expansions:,} expansions"
        for room, row in rows.items()
        for title, marks in row.items()
    ]
    facts = {room: _facts(row) for room, row in rows.items()}
    problems = "; ".join(f"{each['problem']}: {each['shortest']:,}" for each in facts.values())
    return Drawn(
        small_png(sheet(list(zip(titles, drawn, strict=True)), across=len(SHOWN))),
        "Of each room the validation problem where the straight line misleads most: where greedy "
        f"Euclidean expands most beyond the nodes of the shortest path ({problems}). PHIL as in "
        "training 0. Voxels from blue (first expanded) to yellow (last), the path in red, from the "
        f"drone to the ball; if more than {MAX_NODES:,} voxels are expanded, so many of them are "
        "drawn, evenly in order. Furniture is shown as if of glass.",
        facts,
    )


def _searches(study: Study, room: str) -> Row:
    count = (SMALL_SPLITS if study.quick else COUNTS)["validation"]
    flights = [room_problem(room, "validation", number) for number in range(count)]
    flight = max(flights, key=lambda flight: lost_by_straight_line(flight.problem))
    row = {}
    for column in (COLUMNS[name] for name in SHOWN):
        file = study.heuristic(Cell(room, column.name))
        method = trained_method(column, file) if column.learned else parse_method(column.text)
        result = method.search(flight.problem, trace=True)
        row[column.title] = SearchMarks(flight, result, NODE, OPACITY, PATH_RADIUS)
    return row


def _facts(row: Row) -> dict[str, Any]:
    problem = next(iter(row.values())).task.problem
    return {
        "problem": problem.name,
        "shortest": shortest(problem),
        "expansions": {title: marks.result.expansions for title, marks in row.items()},
    }


FIGURE = Figure("rooms", "PHIL, greedy search and A* in rooms", draw)
