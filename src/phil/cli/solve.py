"""`phil solve`: one search on one map."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from phil.cli.options import JsonFile, Limit
from phil.cli.output import STANDARD_OUTPUT, check_json_target, emit, number, print_row, table
from phil.errors import InputError
from phil.files import check_writable, write_atomic

if TYPE_CHECKING:
    from phil.evaluation.solvers import Solver
    from phil.graphs import GridGraph
    from phil.problems.problem import Problem
    from phil.search import Result

NO_PATH = 1


def solve(
    map_file: Annotated[
        Path, typer.Argument(metavar="MAP", help="A PNG or npy map.", show_default=False)
    ],
    start: Annotated[
        str,
        typer.Option(
            "--start", metavar="ROW,COL", help="Row 0 is the top of the map.", show_default=False
        ),
    ],
    goal: Annotated[str, typer.Option("--goal", metavar="ROW,COL", show_default=False)],
    method: Annotated[
        str,
        typer.Option(
            "--method",
            "-m",
            metavar="METHOD",
            help="As for phil evaluate, such as phil:forest or astar.",
            show_default=False,
        ),
    ],
    limit: Limit = None,
    bound: Annotated[
        float | None,
        typer.Option(
            "--bound",
            metavar="B",
            help="The path must cost at most B times the least cost; 1 for a cheapest path.",
            show_default=False,
        ),
    ] = None,
    anytime: Annotated[
        bool,
        typer.Option(
            "--anytime",
            help="Print a first path at once, then better ones, until --bound (else the least "
            "cost) or --limit is reached.",
            show_default=False,
        ),
    ] = False,
    picture: Annotated[
        Path | None,
        typer.Option(
            "--picture",
            metavar="PNG",
            help="Draw expanded cells and path.",
            show_default=False,
        ),
    ] = None,
    trace: Annotated[
        Path | None,
        typer.Option(
            "--trace",
            metavar="JSON",
            help="Write the path and the expanded cells in order, as lists of (row, column).",
            show_default=False,
        ),
    ] = None,
    json_file: JsonFile = None,
) -> None:
    """Search a path on a map. Exit code 1: there is none, or the limit came before it."""
    from phil.evaluation.methods import parse_method
    from phil.graphs import GridGraph
    from phil.graphs.formats.image import read_map
    from phil.problems.problem import Problem
    from phil.search import Limits

    chosen = _with_bound(parse_method(method), bound)
    limits = Limits(expansions=limit)
    _check_outputs(picture, trace, json_file)
    grid = GridGraph(read_map(map_file))
    problem = Problem(grid, _node(grid, start, "--start"), _node(grid, goal, "--goal"))
    # The first search of a process loads compiled code, which is not what a search costs.
    chosen.search(problem, Limits(expansions=2))
    there = replace(problem, goal=problem.start)
    if anytime:
        list(chosen.anytime(there))
    elif chosen.bound is not None:
        chosen.search(there)
    traced = picture is not None or trace is not None
    document = {"map": str(map_file), **_ends(grid, problem, method)}
    if anytime:
        found = chosen.anytime(problem, limits, trace=traced)
        results = list(found if json_file == STANDARD_OUTPUT else _print_all(found))
        result = results[-1]
        paths = {"paths": [_numbers(path) for path in results if path.solved]}
        emit({**document, **_numbers(result), **paths}, None, json_file)
    else:
        result = chosen.search(problem, limits, trace=traced)
        shown = table(*_columns(bounded=chosen.bound is not None))
        shown.add_row(*_row(result, bounded=chosen.bound is not None))
        emit({**document, **_numbers(result)}, shown, json_file)
    if picture is not None:
        from phil.view.picture import save_picture

        save_picture(picture, grid, result, goal=problem.goal)
    if trace is not None:
        document = _trace_json(grid, problem, method, result)
        write_atomic(trace, (json.dumps(document) + "\n").encode())
    if not result.solved:
        raise typer.Exit(NO_PATH)


def _check_outputs(picture: Path | None, trace: Path | None, json_file: Path | None) -> None:
    check_json_target(json_file)
    for path in (picture, trace):
        if path is not None:
            check_writable(path)
    if picture is not None and picture.suffix.lower() != ".png":
        raise InputError(f"--picture {picture}: pictures are PNG files; end the name in .png")


def _node(grid: GridGraph, text: str, option: str) -> int:
    match = re.fullmatch(r"\s*(-?\d+)\s*,\s*(-?\d+)\s*", text)
    if not match:
        raise InputError(f"{option} must be ROW,COL such as 0,200, not '{text}'")
    try:
        return grid.check_node(grid.node(int(match[1]), int(match[2])), "the cell")
    except InputError as error:
        raise InputError(f"{option} {text}: {error}") from error


def _ends(grid: GridGraph, problem: Problem, method: str) -> dict[str, Any]:
    return {
        "method": method,
        "start": list(grid.cell(problem.start)),
        "goal": list(grid.cell(problem.goal)),
    }


def _numbers(result: Result) -> dict[str, Any]:
    return {
        "outcome": str(result.outcome),
        "expansions": result.expansions,
        "cost": _finite(result.cost),
        "length": result.length if result.solved else None,
        "lower_bound": _finite(result.lower_bound),
        "proven": _finite(result.proven),
        "milliseconds": 1000 * result.seconds,
        "reopened": result.reopened,
        "generated": result.generated,
        "evaluations": result.evaluations,
        "neighbor_calls": result.neighbor_calls,
        "lookahead_calls": result.lookahead_calls,
    }


def _columns(bounded: bool) -> tuple[str, ...]:
    proven = ("proven",) if bounded else ()
    return ("outcome", "expansions", "cost", "length", *proven, "ms")


def _row(result: Result, bounded: bool) -> tuple[str, ...]:
    proven = (number(_finite(result.proven), 3),) if bounded else ()
    return (
        str(result.outcome),
        number(result.expansions, 0),
        number(result.cost if result.solved else None, 2),
        number(result.length if result.solved else None, 0),
        *proven,
        number(1000 * result.seconds, 2),
    )


def _print_all(found: Iterator[Result]) -> Iterator[Result]:
    """Print every result as it comes."""
    print_row(*_columns(bounded=True))
    for result in found:
        print_row(*_row(result, bounded=True))
        yield result


def _with_bound(method: Solver, bound: float | None) -> Solver:
    if bound is None:
        return method
    try:
        return method.with_bound(bound)
    except InputError as error:
        raise InputError(f"--bound {bound:g}: {error}") from error


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _trace_json(grid: GridGraph, problem: Problem, method: str, result: Result) -> dict[str, Any]:
    expanded: list[int] = [] if result.trace is None else result.trace.tolist()
    return {
        **_ends(grid, problem, method),
        "outcome": str(result.outcome),
        "expansions": result.expansions,
        "path": [list(grid.cell(node)) for node in result.path],
        "trace": [list(grid.cell(node)) for node in expanded],
    }
