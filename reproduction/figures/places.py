"""Searches in a city and in rooms."""

from __future__ import annotations

from phil.errors import InputError
from phil.rooms.film import room_pictures
from phil.rooms.markers import MAX_NODES, SearchMarks
from phil.rooms.problems import COUNTS, room_problem
from phil.rooms.scene import import_mujoco
from phil.view.picture import small_png
from reproduction.drawing import sheet
from reproduction.experiment import Request
from reproduction.figures.figure import Facts, Figure, shortest
from reproduction.grid import Trial
from reproduction.runner import Stage, make_parts
from reproduction.table2.pictures import CITY, QUICK_CITY, road_searches, road_trials, roads_png
from reproduction.table2.table import TABLE2
from reproduction.table3.methods import METHODS, PHIL
from reproduction.table3.pictures import SHOWN, lost_by_straight_line
from reproduction.table3.table import ROOMS, SMALL_SPLITS, TABLE3

QUICK_ROOMS = ("adversarial",)
# Larger than in films: a sheet of pictures makes them small.
NODE, OPACITY, PATH_RADIUS = 0.65, 1.0, 0.035


def _draw_city(request: Request) -> tuple[bytes, Facts]:
    """Two pictures of the road network, as on the page on Table 2."""
    if request.quick:
        needed = Stage([TABLE2.part(request, trial) for trial in road_trials(request)])
        make_parts([needed], TABLE2.store(request), lambda _: None, workers=1)
    searches = road_searches(TABLE2, request)
    if not searches:
        raise InputError(f"first make it with `python -m reproduction table2 --sets {CITY}`")
    return roads_png(searches), {
        "problem": searches[0].problem.name,
        "expansions": {search.method: search.result.expansions for search in searches},
    }


def _city_text(facts: Facts, quick: bool) -> str:
    return (
        f"{QUICK_CITY if quick else CITY.capitalize()}, between the two places of the median of "
        "A*'s expansions over the test pairs (the paper shows Modena). A* takes the distance of "
        "the paper's features, PHIL its best features."
    )


def _draw_rooms(request: Request) -> tuple[bytes, Facts]:
    """A row a room, a picture a method."""
    import_mujoco()
    rooms = QUICK_ROOMS if request.quick else ROOMS
    trained = [TABLE3.heuristic(request, Trial(room, PHIL)).exists() for room in rooms]
    if not all(trained) and not request.quick:
        raise InputError("first make it with `python -m reproduction table3`")
    rows = {room: _room_searches(request, room) for room in rooms}
    drawn = [each for row in rows.values() for each in room_pictures(list(row.values()))]
    titles = [
        f"{room}, {title}: {marks.result.expansions:,} expansions"
        for room, row in rows.items()
        for title, marks in row.items()
    ]
    facts = {}
    for room, row in rows.items():
        problem = next(iter(row.values())).task.problem
        facts[room] = {
            "problem": problem.name,
            "shortest": shortest(problem),
            "expansions": {title: marks.result.expansions for title, marks in row.items()},
        }
    return small_png(sheet(list(zip(titles, drawn, strict=True)), across=len(SHOWN))), facts


def _room_searches(request: Request, room: str) -> dict[str, SearchMarks]:
    """By method, on the validation problem where the straight line misleads most."""
    count = (SMALL_SPLITS if request.quick else COUNTS)["validation"]
    flights = [room_problem(room, "validation", number) for number in range(count)]
    flight = max(flights, key=lambda flight: lost_by_straight_line(flight.problem))
    return {
        METHODS[name].title: SearchMarks(
            flight,
            TABLE3.solver(request, Trial(room, name)).search(flight.problem, trace=True),
            NODE,
            OPACITY,
            PATH_RADIUS,
        )
        for name in SHOWN
    }


def _rooms_text(facts: Facts, quick: bool) -> str:
    problems = "; ".join(f"{each['problem']}: {each['shortest']:,}" for each in facts.values())
    return (
        "Of each room the validation problem where the straight line misleads most: where greedy "
        f"Euclidean expands most beyond the nodes of the shortest path ({problems}). PHIL as in "
        "training 0. Voxels from blue (first expanded) to yellow (last), the path in red, from the "
        f"drone to the ball; if more than {MAX_NODES:,} voxels are expanded, so many of them are "
        "drawn, evenly in order. Furniture is shown as if of glass."
    )


CITY_FIGURE = Figure("city", "PHIL and A* on a city", _draw_city, _city_text)
ROOMS_FIGURE = Figure("rooms", "PHIL, greedy search and A* in rooms", _draw_rooms, _rooms_text)
