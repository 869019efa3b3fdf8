"""Searches drawn: on maps, in a city, and in rooms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from phil.errors import InputError
from phil.graphs.distances import hops_to
from phil.problems.problem import Problem
from phil.rooms.film import room_pictures
from phil.rooms.markers import MAX_NODES, SearchMarks
from phil.rooms.problems import COUNTS, room_problem
from phil.rooms.scene import import_mujoco
from phil.search import Result
from phil.search.method import Searcher
from phil.view.picture import picture, png, small_png
from phil.workers import LOCAL
from reproduction.ablations.studies import CONVOLUTIONS, HARD, QUICK_FAMILIES, variant
from reproduction.ablations.table import ABLATIONS
from reproduction.drawing import sheet
from reproduction.experiment import Request
from reproduction.grid import Trial
from reproduction.runner import Stage, make_parts
from reproduction.table1.page import SHOWN, map_view, searches_png
from reproduction.table1.table import TABLE1, has_path
from reproduction.table2.pictures import CITY, QUICK_CITY, road_searches, road_trials, roads_png
from reproduction.table2.table import TABLE2
from reproduction.table3.methods import PHIL
from reproduction.table3.page import IN_VIEWS, lost_by_straight_line
from reproduction.table3.table import ROOMS, SMALL_SPLITS, TABLE3

PIXELS = 402  # a side of one map
TRAP_FAMILY = "bugtrap_forest"
TRAPPED, QUICK_TRAPPED = 5, 3  # times the shortest path; small maps have small traps
ENTERED = 1.5  # PHIL goes round most traps: it is to be seen how it leaves one
FRAMES, FRAME_PIXELS = 6, 300
STRATEGY_FAMILY = "alternating_gaps"
QUICK_SHOWN = ("forest",)
COMPARED = ("GAT", "DeeperGCN softmax", "MPNN sum")  # as in the paper
QUICK_ROOMS = ("adversarial",)
# Larger than in films: a sheet of pictures makes them small.
NODE, OPACITY, PATH_RADIUS = 0.65, 1.0, 0.035

Facts = Mapping[str, Any]  # what was found, as the results keep it


@dataclass(frozen=True)
class Figure:
    """One figure of the page.

    `draw` may search and train; it gives a picture and facts, of which `text` says what the
    picture shows and how that was chosen. An `InputError` says what must be made first.
    """

    name: str
    title: str
    draw: Callable[[Request], tuple[bytes, Facts]]
    text: Callable[[Facts, bool], str]  # of the facts, and whether the run was a quick one


def validation(request: Request, family: str) -> list[Problem]:
    """The validation maps of a family that have a path."""
    return [*filter(has_path, TABLE1.problems(request, family).validation)]


def shortest(problem: Problem) -> int:
    """The nodes of a shortest path, which no search expands less than."""
    return int(hops_to(problem.graph, problem.goal)[problem.start]) + 1


def map_picture(problem: Problem, result: Result, pixels: int = PIXELS) -> Any:
    """What a search expanded on a map."""
    assert problem.graph.is_grid
    return picture(problem.graph, result, goal=problem.goal).resize((pixels, pixels))


def side_by_side(problem: Problem, solvers: Mapping[str, Searcher]) -> tuple[bytes, dict[str, Any]]:
    """One map, one picture for each method; and what they expand."""
    found = {title: solver.search(problem, trace=True) for title, solver in solvers.items()}
    cells = [
        (f"{title}: {result.expansions:,} expansions", map_picture(problem, result))
        for title, result in found.items()
    ]
    counts = {title: result.expansions for title, result in found.items()}
    return png(sheet(cells, across=len(cells))), {"problem": problem.name, "expansions": counts}


def _solvers(request: Request, family: str, *names: str) -> dict[str, Searcher]:
    """Methods of Table 1 by title, trained if they are not yet."""
    return {
        TABLE1.methods[name].title: TABLE1.solver(request, Trial(family, name)) for name in names
    }


def _draw_trap(request: Request) -> tuple[bytes, Facts]:
    """Two rows of frames: PHIL, and greedy search after as many expansions."""
    solvers = _solvers(request, TRAP_FAMILY, "phil", "euclidean")
    phil, greedy = solvers.values()
    times = QUICK_TRAPPED if request.quick else TRAPPED
    for problem in validation(request, TRAP_FAMILY):
        least = shortest(problem)
        if (
            greedy.search(problem).expansions >= times * least
            and phil.search(problem).expansions >= ENTERED * least
        ):
            break
    else:
        raise InputError(f"on no validation map of {TRAP_FAMILY} both searches enter a trap")
    found = {title: solver.search(problem, trace=True) for title, solver in solvers.items()}
    counts = {title: result.expansions for title, result in found.items()}
    own = next(iter(counts.values()))
    moments = np.linspace(0, own, FRAMES + 1).round().astype(int)[1:].tolist()
    frames = [
        (
            f"{title}: {min(moment, result.expansions):,}",
            map_picture(problem, _so_far(result, moment), FRAME_PIXELS),
        )
        for title, result in found.items()
        for moment in moments
    ]
    facts = {"problem": problem.name, "shortest": least, "expansions": counts}
    return png(sheet(frames, across=FRAMES)), facts


def _so_far(result: Result, moment: int) -> Result:
    """A search after some expansions; it has a path only when it has ended."""
    assert result.trace is not None
    path = result.path if moment >= result.expansions else result.path[:0]
    return replace(result, trace=result.trace[:moment], path=path)


def _trap_text(facts: Facts, quick: bool) -> str:
    counts = ", ".join(f"{title} {count:,}" for title, count in facts["expansions"].items())
    return (
        f"The first validation map of {TRAP_FAMILY} on which greedy Euclidean expands at least "
        f"{QUICK_TRAPPED if quick else TRAPPED} times the nodes of the shortest path "
        f"({facts['problem']}: {facts['shortest']:,}), and PHIL, which goes round most traps, at "
        f"least {ENTERED} times as many. Above PHIL, below greedy Euclidean after as many "
        f"expansions; in all they expand {counts}. From blue (first expanded) to yellow (last)."
    )


def _draw_sail(request: Request) -> tuple[bytes, Facts]:
    """Pairs of pictures, one for each family."""
    families = QUICK_SHOWN if request.quick else SHOWN
    views = [map_view(TABLE1, request, family, "validation") for family in families]
    return searches_png(views), {
        view.name: {shot.method: shot.result.expansions for shot in view.shots} for view in views
    }


def _sail_text(facts: Facts, quick: bool) -> str:
    return (
        "The first validation map of each family that has a path. From blue (first expanded) to "
        "yellow (last)."
    )


def _draw_strategy(request: Request) -> tuple[bytes, Facts]:
    """PHIL, the shortest path, and greedy search."""
    problem = validation(request, STRATEGY_FAMILY)[0]
    solvers = _solvers(request, STRATEGY_FAMILY, "phil", "oracle", "euclidean")
    return side_by_side(problem, solvers)


def _strategy_text(facts: Facts, quick: bool) -> str:
    return (
        f"The first validation map of {STRATEGY_FAMILY} that has a path ({facts['problem']}). No "
        "search expands less than the shortest path has nodes."
    )


def _convolutions_family(quick: bool) -> str:
    return QUICK_FAMILIES[0] if quick else HARD


def _draw_convolutions(request: Request) -> tuple[bytes, Facts]:
    """The ablations' first trainings of three convolutions."""
    family = _convolutions_family(request.quick)
    trials = {
        title: Trial(family, variant(convolution=CONVOLUTIONS[title]).name) for title in COMPARED
    }
    made = all(ABLATIONS.heuristic(request, trial).exists() for trial in trials.values())
    if not made and not request.quick:
        raise InputError("first make them with `python -m reproduction ablations`")
    problem: Problem = ABLATIONS.problems(request, family).validation[0]
    solvers = {title: ABLATIONS.solver(request, trial) for title, trial in trials.items()}
    content, facts = side_by_side(problem, solvers)
    assert problem.graph.is_grid
    shape = list(problem.graph.shape)
    return content, {**facts, "shortest": shortest(problem), "shape": shape}


def _convolutions_text(facts: Facts, quick: bool) -> str:
    rows, columns = facts["shape"]
    return (
        f"The first validation map of {_convolutions_family(quick)} of the ablations "
        f"({rows}x{columns} cells, 4-connected), training 0 of each convolution. The shortest path "
        f"has {facts['shortest']:,} nodes."
    )


def _draw_city(request: Request) -> tuple[bytes, Facts]:
    """Two pictures of the road network, as on the page on Table 2."""
    if request.quick:
        needed = Stage([TABLE2.part(request, trial) for trial in road_trials(request)])
        make_parts([needed], TABLE2.store(request), lambda _: None, LOCAL)
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
    return small_png(sheet(list(zip(titles, drawn, strict=True)), across=len(IN_VIEWS))), facts


def _room_searches(request: Request, room: str) -> dict[str, SearchMarks]:
    """By method, on the validation problem where the straight line misleads most."""
    count = (SMALL_SPLITS if request.quick else COUNTS)["validation"]
    flights = [room_problem(room, "validation", number) for number in range(count)]
    flight = max(flights, key=lambda flight: lost_by_straight_line(flight.problem))
    return {
        TABLE3.methods[name].title: SearchMarks(
            flight,
            TABLE3.solver(request, Trial(room, name)).search(flight.problem, trace=True),
            NODE,
            OPACITY,
            PATH_RADIUS,
        )
        for name in IN_VIEWS
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


TRAP = Figure("trap", "PHIL escapes a local minimum", _draw_trap, _trap_text)
AGAINST_SAIL = Figure("sail", "SaIL and PHIL", _draw_sail, _sail_text)
STRATEGY = Figure("strategy", "The strategy on alternating gaps", _draw_strategy, _strategy_text)
THREE_CONVOLUTIONS = Figure(
    "convolutions", "Three convolutions", _draw_convolutions, _convolutions_text
)
CITY_FIGURE = Figure("city", "PHIL and A* on a city", _draw_city, _city_text)
ROOMS_FIGURE = Figure("rooms", "PHIL, greedy search and A* in rooms", _draw_rooms, _rooms_text)
DRAWN = (TRAP, AGAINST_SAIL, STRATEGY, THREE_CONVOLUTIONS, CITY_FIGURE, ROOMS_FIGURE)
