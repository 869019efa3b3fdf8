"""`phil fly`: find a path through a room, and fly a simulated drone along it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from phil.cli.options import AllowOutside, JsonFile, Limit, MethodName
from phil.cli.output import check_json_target, emit, note, number, table
from phil.cli.plugins import parse_method
from phil.errors import InputError, unknown_name
from phil.files import check_writable
from phil.text import visible

if TYPE_CHECKING:
    from phil.rooms.flight import Flight
    from phil.rooms.problems import RoomProblem
    from phil.search import Result

FAILED = 1
MILLIMETRES = 1000


def fly(
    room: Annotated[
        str,
        typer.Argument(
            metavar="ROOM",
            help="A room set such as rooms/simple (list them with: phil problems rooms), or an "
            "MJCF file, gzipped or not.",
            show_default=False,
        ),
    ],
    method: MethodName,
    seed: Annotated[
        int,
        typer.Option(
            "--seed",
            metavar="K",
            help="Random seed for the start, the goal, and the obstacles added to rooms/* (none "
            "are added to a room from a file).",
        ),
    ] = 0,
    start: Annotated[
        str | None,
        typer.Option(
            "--start",
            metavar="X,Y,Z",
            help="The start voxel (default: random).",
            show_default=False,
        ),
    ] = None,
    goal: Annotated[
        str | None,
        typer.Option(
            "--goal", metavar="X,Y,Z", help="The goal voxel (default: random).", show_default=False
        ),
    ] = None,
    voxel: Annotated[
        float | None,
        typer.Option(
            "--voxel",
            metavar="METRES",
            help="Side of a voxel, for a room from a file (default: 1/50 of its longest side).",
            show_default=False,
        ),
    ] = None,
    limit: Limit = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE.mp4",
            help="Write a video of the flight, and a still image next to it (FILE.png).",
            show_default=False,
        ),
    ] = None,
    json_file: JsonFile = None,
    allow_outside: AllowOutside = False,
) -> None:
    """Find a path through a room, and fly a simulated drone along it.

    Exits with code 1 if no path is found, or if the drone touches anything.
    """
    from phil.search import Limits

    chosen = parse_method(method)
    limits = Limits(expansions=limit)
    _check_outputs(output, json_file)
    task = _task(room, seed, voxel, start, goal)
    result = chosen.search(task.problem, limits, trace=output is not None)
    document = _search_json(room, method, seed, task, result)
    if not result.solved:
        emit({**document, "flight": None}, _no_path(result), json_file)
        raise typer.Exit(FAILED)

    from phil.rooms.flight import fly_problem

    flight = fly_problem(task, result)
    emit({**document, "flight": _flight_json(flight)}, _report(result, flight), json_file)
    if flight.contacts:
        note(f"the drone touched: {', '.join(flight.touched)}")
    if output is not None:
        _film(output, task, result, flight, visible(f"{task.room.name}  {method}"))
    if flight.contacts:
        raise typer.Exit(FAILED)


def _check_outputs(output: Path | None, json_file: Path | None) -> None:
    check_json_target(json_file)
    if output is None:
        return
    from phil.rooms.film import still_beside

    if output.suffix.lower() != ".mp4":
        raise InputError(f"--output {output}: videos are MP4 files; end the name in .mp4")
    check_writable(output)
    check_writable(still_beside(output))


def _task(
    text: str, seed: int, voxel: float | None, start: str | None, goal: str | None
) -> RoomProblem:
    from phil.rooms import built_in_room, room_from_mjcf
    from phil.rooms.problems import NAMES, random_ends, random_flight

    sets = {f"rooms/{name}": name for name in NAMES}
    if text in sets:
        if voxel is not None:
            raise InputError(
                f"--voxel {voxel:g}: the voxels of {text} have a fixed size; use --voxel only with "
                "an MJCF file"
            )
        task = random_flight(built_in_room(sets[text]), f"{text}/flight", seed)
    elif text.startswith("rooms/") and not Path(text).exists():
        raise unknown_name("room", text, sets)
    else:
        room = room_from_mjcf(text, voxel)
        task = random_ends(room, f"{room.name}/flight", seed)
    problem = task.problem
    if start is not None:
        problem = replace(problem, start=_voxel(task, start, "--start"))
    if goal is not None:
        problem = replace(problem, goal=_voxel(task, goal, "--goal"))
    return replace(task, problem=problem)


def _voxel(task: RoomProblem, text: str, option: str) -> int:
    """The node of a free voxel."""
    grid = task.problem.graph
    assert grid.is_grid, "rooms are grids"
    try:
        x, y, z = (int(part) for part in text.split(","))
    except ValueError as error:
        raise InputError(f"{option} {text}: not a voxel; write {grid.cell_form}") from error
    cell = x, y, z
    if not all(0 <= place < side for place, side in zip(cell, grid.shape, strict=True)):
        ranges = ", ".join(
            f"{axis} 0..{side - 1}" for axis, side in zip("XYZ", grid.shape, strict=True)
        )
        raise InputError(f"{option} {text}: outside the room; its voxels are {ranges}")
    if not grid.free[cell]:
        raise InputError(
            f"{option} {text}: the drone would collide there, or come closer to an obstacle than "
            "its safety margin; choose a free voxel"
        )
    return grid.node(*cell)


def _search_json(
    room: str, method: str, seed: int, task: RoomProblem, result: Result
) -> dict[str, Any]:
    problem = task.problem
    return {
        "room": room,
        "method": method,
        "seed": seed,
        "voxel_metres": task.room.voxel,
        "blocks": [list(block) for block in task.room.blocks],
        "start": problem.graph.node_name(problem.start),
        "goal": problem.graph.node_name(problem.goal),
        "outcome": str(result.outcome),
        "expansions": result.expansions,
        "calls": result.calls,
        "path": [problem.graph.node_name(int(node)) for node in result.path],
    }


def _flight_json(flight: Flight) -> dict[str, Any]:
    return {
        "contacts": flight.contacts,
        "touched": list(flight.touched),
        "mean_error_metres": flight.mean_error,
        "largest_error_metres": flight.largest_error,
        "mean_error_voxels": flight.mean_error / flight.voxel,
        "largest_error_voxels": flight.largest_error / flight.voxel,
        "seconds": flight.seconds,
        "metres": flight.length,
    }


def _report(result: Result, flight: Flight) -> Table:
    shown = table(
        "outcome",
        "expansions",
        "calls",
        "metres",
        "seconds",
        "contacts",
        "error mm",
        "largest mm",
        "voxels",
    )
    shown.add_row(
        str(result.outcome),
        number(result.expansions, 0),
        number(result.calls, 0),
        number(flight.length, 2),
        number(flight.seconds, 1),
        number(flight.contacts, 0),
        number(MILLIMETRES * flight.mean_error, 2),
        number(MILLIMETRES * flight.largest_error, 2),
        number(flight.mean_error / flight.voxel, 3),
    )
    return shown


def _no_path(result: Result) -> Table:
    shown = table("outcome", "expansions", "calls")
    shown.add_row(str(result.outcome), number(result.expansions, 0), number(result.calls, 0))
    return shown


def _film(output: Path, task: RoomProblem, result: Result, flight: Flight, title: str) -> None:
    from phil.rooms.film import Filmed, save_film, still_beside
    from phil.rooms.markers import MAX_NODES

    expanded = f"{result.expansions:,} expansions"
    save_film(output, Filmed(task, result, flight, f"{title}\n{expanded}"))
    part = f" ({MAX_NODES:,} of {expanded} shown)" if result.expansions > MAX_NODES else ""
    note(f"wrote {output} and {still_beside(output)}{part}")
