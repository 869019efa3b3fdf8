"""`phil solve`: one search on one map or graph."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from phil.cli.options import JsonFile, Limit
from phil.cli.output import STANDARD_OUTPUT, check_json_target, emit, number, print_row, table
from phil.cli.search_picture import check_drawable, check_ending, draw
from phil.errors import InputError
from phil.files import check_writable, write_atomic

if TYPE_CHECKING:
    from phil.graphs import AnyGraph
    from phil.problems.problem import Problem
    from phil.search import Result
    from phil.search.method import Solver

NO_PATH = 1


def solve(
    graph_file: Annotated[
        Path,
        typer.Argument(
            metavar="GRAPH", help="A map or a graph file of any format.", show_default=False
        ),
    ],
    start: Annotated[
        str,
        typer.Option(
            "--start",
            metavar="NODE",
            help="A label, or the node's number if there are no labels; on a map ROW,COL (row 0 is "
            "the top) or X,Y,Z.",
            show_default=False,
        ),
    ],
    goal: Annotated[str, typer.Option("--goal", metavar="NODE", show_default=False)],
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
            metavar="FILE",
            help="Draw expanded nodes and path: as PNG of 2D maps, and graphs with coordinates; of "
            "3D maps as a page (.html) whose view can be turned.",
            show_default=False,
        ),
    ] = None,
    trace: Annotated[
        Path | None,
        typer.Option(
            "--trace",
            metavar="JSON",
            help="Write the path and the expanded nodes in order, as labels or lists of numbers.",
            show_default=False,
        ),
    ] = None,
    geojson: Annotated[
        Path | None,
        typer.Option(
            "--geojson",
            metavar="FILE",
            help="Write the path and the expanded nodes of a graph with coordinates as GeoJSON.",
            show_default=False,
        ),
    ] = None,
    json_file: JsonFile = None,
) -> None:
    """Search a path on a map or graph. Exit code 1: there is none, or the limit came before it."""
    from phil.evaluation.methods import parse_method
    from phil.graphs.formats import read_graph
    from phil.problems.problem import Problem
    from phil.search import Limits

    chosen = _with_bound(parse_method(method), bound)
    limits = Limits(expansions=limit)
    _check_outputs(picture, trace, geojson, json_file)
    graph = read_graph(graph_file)
    problem = Problem(graph, _node(graph, start, "--start"), _node(graph, goal, "--goal"))
    _check_places(graph, picture, geojson)
    # What is done once in a process or for a graph, such as finding landmarks, is not the search's.
    chosen.search(problem, Limits(expansions=2))
    traced = any(file is not None for file in (picture, trace, geojson))
    document = {"graph": str(graph_file), **_ends(problem, method)}
    if anytime:
        found = chosen.anytime(problem, limits, trace=traced)
        results = list(found if json_file == STANDARD_OUTPUT else _print_all(found))
        result = results[-1]
        paths = {"paths": [_numbers(path) for path in results if path.solved]}
        emit({**document, **_numbers(result), **_path(graph, result), **paths}, None, json_file)
    else:
        result = chosen.search(problem, limits, trace=traced)
        shown = table(*_columns(bounded=chosen.bound is not None))
        shown.add_row(*_row(result, bounded=chosen.bound is not None))
        emit({**document, **_numbers(result), **_path(graph, result)}, shown, json_file)
    if picture is not None:
        draw(picture, graph_file, problem, method, result)
    if trace is not None:
        _write_json(trace, _trace_json(problem, method, result))
    if geojson is not None:
        _write_json(geojson, _geojson(problem, result))
    if not result.solved:
        raise typer.Exit(NO_PATH)


def _check_outputs(
    picture: Path | None, trace: Path | None, geojson: Path | None, json_file: Path | None
) -> None:
    check_json_target(json_file)
    for path in (picture, trace, geojson):
        if path is not None:
            check_writable(path)
    if picture is not None:
        check_ending(picture)


def _check_places(graph: AnyGraph, picture: Path | None, geojson: Path | None) -> None:
    """Say before the search that nodes have no places to be drawn at."""
    if picture is not None:
        check_drawable(picture, graph)
    if geojson is not None:
        from phil.graphs.formats.geojson import path_geojson

        path_geojson(graph, [])


def _node(graph: AnyGraph, text: str, option: str) -> int:
    try:
        return graph.find_node(text)
    except InputError as error:
        raise InputError(f"{option} {text}: {error}") from error


def _ends(problem: Problem, method: str) -> dict[str, Any]:
    return {
        "method": method,
        "start": problem.graph.node_name(problem.start),
        "goal": problem.graph.node_name(problem.goal),
    }


def _path(graph: AnyGraph, result: Result) -> dict[str, Any]:
    return {"path": [graph.node_name(int(node)) for node in result.path]}


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


def _trace_json(problem: Problem, method: str, result: Result) -> dict[str, Any]:
    return {
        **_ends(problem, method),
        "outcome": str(result.outcome),
        "expansions": result.expansions,
        **_path(problem.graph, result),
        "trace": [problem.graph.node_name(node) for node in _expanded(result)],
    }


def _geojson(problem: Problem, result: Result) -> dict[str, Any]:
    from phil.graphs.formats.geojson import path_geojson

    return path_geojson(problem.graph, result.path, _expanded(result))


def _expanded(result: Result) -> list[int]:
    return [] if result.trace is None else [int(node) for node in result.trace]


def _write_json(path: Path, document: dict[str, Any]) -> None:
    write_atomic(path, (json.dumps(document) + "\n").encode())
