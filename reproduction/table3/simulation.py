"""What MuJoCo says: collision checks while searching, and flights along PHIL's paths.

A part is one run of all methods, problem by problem in turn, so that they share whatever the
machine was doing. A search begins knowing nothing, and asks about a voxel at most once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from typing import Any

import numpy as np

from phil.evaluation import Method
from phil.graphs import ImplicitGraph
from phil.graphs.grid import Cell as Voxel
from phil.graphs.grid import grid_moves
from phil.rooms import CollisionChecker
from phil.rooms.flight import fly_problem
from phil.rooms.problems import RoomProblem, room_problem
from phil.rooms.room import CONNECTIVITY
from phil.search import search
from reproduction.experiment import Request
from reproduction.grid import MOST_SEEDS, Grid, Trial
from reproduction.markup import round_to
from reproduction.runner import Part
from reproduction.store import Content, Parts
from reproduction.table3.methods import CHECKED, METHODS, PHIL

QUICK_PROBLEMS = 2
BESIDE = "astar"  # what the others are compared with, so it is in every run
FLIGHTS = 20
QUICK_FLIGHTS = 1


@dataclass(frozen=True)
class CheckedSearch:
    """What a search on the implicit graph took."""

    expansions: int
    calls: int
    checks: int
    own_checks: int  # of voxels that only the heuristic looked at
    check_milliseconds: float
    milliseconds: float  # in all


def checks_parts(table: Grid, request: Request) -> list[Part]:
    """One run per room and seed, if nothing that it compares was left out."""
    if not set(CHECKED) <= set(table.chosen_methods(request)):
        return []
    return [
        Part(_name(room, seed), partial(_check, table, request, room, seed))
        for seed in range(request.seeds)
        for room in table.rows(request)
    ]


def needed_checks(expanded: Sequence[Voxel], shape: Voxel) -> int:
    """How many voxels are around these ones: what their expansions alone must check.

    >>> needed_checks([(0, 0, 0), (1, 0, 0)], (5, 5, 5))
    7
    """
    moves = grid_moves(CONNECTIVITY, axes=3).offsets
    around = (np.array(expanded)[:, None] + moves).reshape(-1, 3)
    inside = ((around >= 0) & (around < shape)).all(axis=1)
    return len(np.unique(around[inside], axis=0))


def _name(room: str, seed: int) -> str:
    return f"{room}-checks-{seed}"


def _check(table: Grid, request: Request, room: str, seed: int) -> Content:
    methods = {
        name: table.solver(request, Trial(room, name, seed if METHODS[name].learned else 0))
        for name in CHECKED
        if seed == 0 or name == BESIDE or METHODS[name].learned
    }
    count = QUICK_PROBLEMS if request.quick else len(table.problems(request, room).test)
    runs: dict[str, list[CheckedSearch]] = {name: [] for name in methods}
    for number in (0, *range(count)):
        flight = room_problem(room, "test", number)
        checker = flight.room.checker()
        graph = flight.room.implicit(checker)
        for name, method in methods.items():
            assert isinstance(method, Method)
            runs[name].append(_checked(flight, graph, checker, method))
    return {
        "room": room,
        "seed": seed,
        "problems": count,
        # The first searches load compiled code; that problem is searched again.
        "methods": {name: _columns(found[1:]) for name, found in runs.items()},
    }


def _checked(
    flight: RoomProblem, graph: ImplicitGraph[Voxel], checker: CollisionChecker, method: Method
) -> CheckedSearch:
    problem = flight.problem
    grid = problem.graph
    assert grid.is_grid
    start, goal = grid.cell(problem.start), grid.cell(problem.goal)
    checker.reset()
    result = search(graph, start, goal, method.heuristic, key=method.key, trace=True)
    assert result.solved
    assert result.trace is not None
    voxelised = method.search(problem).expansions
    assert result.expansions == voxelised, (
        f"{method.text} on {problem.name}: {result.expansions} expansions on the implicit graph, "
        f"{voxelised} on the explicit one"
    )
    return CheckedSearch(
        result.expansions,
        result.calls,
        checker.checks,
        # The goal's neighbours are of no use to a search.
        checker.checks - needed_checks(result.trace[:-1], grid.shape),
        1000 * checker.seconds,
        1000 * result.seconds,
    )


def _columns(found: Sequence[CheckedSearch]) -> dict[str, list[float | None]]:
    rows = [asdict(one) for one in found]
    return {name: [round_to(row[name], 6) for row in rows] for name in rows[0]}


def over_runs(parts: Parts, room: str) -> dict[str, Any] | None:
    """Means over problems and runs, and their ratios to A*'s in the same run."""
    names = (_name(room, seed) for seed in range(MOST_SEEDS))
    runs = [parts[name] for name in names if name in parts]
    if not runs:
        return None
    return {
        "problems": runs[0]["problems"],
        "methods": {
            name: _over_runs(
                [run["methods"][name] for run in runs if name in run["methods"]],
                [run["methods"][BESIDE] for run in runs if name in run["methods"]],
            )
            for name in runs[0]["methods"]
        },
    }


def _over_runs(
    runs: Sequence[dict[str, list[float]]], beside: Sequence[dict[str, list[float]]]
) -> dict[str, Any]:
    summary: dict[str, Any] = {
        each.name: _mean_of(each.name, runs) for each in fields(CheckedSearch)
    }
    for what in ("checks", "milliseconds"):
        ratios = [
            float(np.mean(run[what]) / np.mean(other[what]))
            for run, other in zip(runs, beside, strict=True)
        ]
        summary[f"{what}_ratio"] = float(np.mean(ratios))
        summary[f"{what}_ratio_by_run"] = ratios
    return summary


def _mean_of(name: str, runs: Sequence[dict[str, list[float]]]) -> float | None:
    """None if one of the runs was kept without it."""
    if not all(name in run for run in runs):
        return None
    return float(np.mean([run[name] for run in runs]))


def flights_parts(table: Grid, request: Request) -> list[Part]:
    """Flights on the first test problems of each room, unless PHIL was left out."""
    if PHIL not in table.chosen_methods(request):
        return []
    return [
        Part(f"{room}-flights", partial(_fly, table, request, room)) for room in table.rows(request)
    ]


def over_flights(parts: Parts, room: str) -> dict[str, Any] | None:
    """Means and extremes of a room's flights; errors and lengths are in metres."""
    if f"{room}-flights" not in parts:
        return None
    flown = parts[f"{room}-flights"]["flights"]
    return {
        "flights": len(flown),
        "touched": sum(flight["contacts"] > 0 for flight in flown),
        "mean_error": float(np.mean([flight["mean_error"] for flight in flown])),
        "worst_mean_error": max(flight["mean_error"] for flight in flown),
        "largest_error": max(flight["largest_error"] for flight in flown),
        "seconds": float(np.mean([flight["seconds"] for flight in flown])),
        "length": float(np.mean([flight["length"] for flight in flown])),
    }


def _fly(table: Grid, request: Request, room: str) -> Content:
    solver = table.solver(request, Trial(room, PHIL))
    flown = []
    for number in range(QUICK_FLIGHTS if request.quick else FLIGHTS):
        problem = room_problem(room, "test", number)
        flight = fly_problem(problem, solver.search(problem.problem))
        flown.append(
            {
                "contacts": flight.contacts,
                "mean_error": round_to(flight.mean_error),
                "largest_error": round_to(flight.largest_error),
                "seconds": round_to(flight.seconds),
                "length": round_to(flight.length),
            }
        )
    return {"room": room, "flights": flown}
