"""`phil solve`: find a path on a map or graph."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from phil.cli.ends import End
from phil.cli.options import METHOD_HELP, AllowOutside, JsonFile, Limit, Weight
from phil.cli.output import (
    STANDARD_OUTPUT,
    check_json_target,
    emit,
    note,
    number,
    print_row,
    say,
    table,
)
from phil.cli.plugins import parse_method
from phil.errors import InputError
from phil.files import check_writable, write_atomic

if TYPE_CHECKING:
    from phil.graphs import AnyGraph, GridGraph
    from phil.problems.problem import Problem
    from phil.search import Result, Smoothed
    from phil.search.method import Solver

NO_PATH = 1
NEARLY = 1.01  # lengths of roads and straight lines on a map of degrees differ by less
PICTURE, PAGE = ".png", ".html"


def solve(
    graph_file: Annotated[
        Path,
        typer.Argument(
            metavar="GRAPH",
            help="A map or graph file (formats: phil convert --help).",
            show_default=False,
        ),
    ],
    start: Annotated[
        str | None,
        typer.Option(
            "--start",
            metavar="NODE",
            help="The start node: its label, or its number if nodes have no labels; on a map, "
            "ROW,COL (row 0 is at the top) or X,Y,Z.",
            show_default=False,
        ),
    ] = None,
    goal: Annotated[
        str | None,
        typer.Option("--goal", metavar="NODE", help="The goal node, likewise.", show_default=False),
    ] = None,
    start_place: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="LAT,LON",
            help="Instead of --start: the node nearest to a latitude and longitude in degrees.",
            show_default=False,
        ),
    ] = None,
    goal_place: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="LAT,LON", help="Instead of --goal, likewise.", show_default=False
        ),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            "--method",
            "-m",
            metavar="METHOD",
            help=f"{METHOD_HELP} Default: hedge(H) with the best shipped heuristic H that fits, or "
            "greedy(euclidean) if none does, and with --bound or --anytime.",
            show_default=False,
        ),
    ] = None,
    limit: Limit = None,
    bound: Annotated[
        float | None,
        typer.Option(
            "--bound",
            metavar="B",
            help="Find a path that costs at most B times the optimum; 1 means an optimal path.",
            show_default=False,
        ),
    ] = None,
    anytime: Annotated[
        bool,
        typer.Option(
            "--anytime",
            help="Print a first path quickly, then better ones, until one is within --bound "
            "(default: optimal) or --limit is reached.",
            show_default=False,
        ),
    ] = False,
    smooth: Annotated[
        bool,
        typer.Option(
            "--smooth",
            help="On a map, shorten the path by straight lines in any direction; print its length "
            "before and after, draw it, and write its waypoints to the JSON file.",
            show_default=False,
        ),
    ] = False,
    picture: Annotated[
        Path | None,
        typer.Option(
            "--picture",
            metavar="FILE",
            help="Draw the expanded nodes and the path: as a PNG file for 2D maps and graphs with "
            "coordinates, as an interactive page (.html) for 3D maps.",
            show_default=False,
        ),
    ] = None,
    trace: Annotated[
        Path | None,
        typer.Option(
            "--trace",
            metavar="FILE",
            help="Write the path and the expanded nodes as JSON, in order of expansion.",
            show_default=False,
        ),
    ] = None,
    geojson: Annotated[
        Path | None,
        typer.Option(
            "--geojson",
            metavar="FILE",
            help="Write the path and the expanded nodes as GeoJSON, for graphs with coordinates.",
            show_default=False,
        ),
    ] = None,
    weight: Weight = None,
    json_file: JsonFile = None,
    allow_outside: AllowOutside = False,
) -> None:
    """Find a path on a map or graph.

    Exits with code 1 if there is no path, or if the limit is reached before one is found; a search
    with a bound then shows the best path it has, and what is proven of it.
    """
    from phil.evaluation.methods import UNLEARNED, default_method
    from phil.graphs.formats import read_graph
    from phil.problems.problem import Problem
    from phil.search import Limits

    chosen = None if method is None else _with_bound(parse_method(method), bound)
    limits = Limits(expansions=limit)
    _check_outputs(picture, trace, geojson, json_file)
    ends = End("start", start, "--from", start_place), End("goal", goal, "--to", goal_place)
    graph = read_graph(graph_file, weight=weight)
    first, last = (end.find(graph) for end in ends)
    problem = Problem(graph, first.node, last.node)
    if json_file != STANDARD_OUTPUT:
        say(*first.told(graph), *last.told(graph))
    _check_places(graph, picture, geojson)
    if smooth and not graph.is_grid:
        raise InputError("--smooth: only a path on a map can be smoothed; this is a graph")
    if chosen is None:
        name = UNLEARNED if bound is not None or anytime else default_method(problem)
        chosen = _with_bound(parse_method(name), bound)
        if json_file != STANDARD_OUTPUT:
            say(f"method: {name}")
    # Keep what is done once per process or graph, such as finding landmarks, out of the timing.
    chosen.search(problem, Limits(expansions=2))
    traced = any(file is not None for file in (picture, trace, geojson))
    document = {"graph": str(graph_file), **_ends(problem, chosen.text)}
    document |= first.json() | last.json()
    if anytime:
        found = chosen.anytime(problem, limits, trace=traced)
        results = list(found if json_file == STANDARD_OUTPUT else _print_all(found))
        result = results[-1]
        document["paths"] = [_numbers(path) for path in results if path.solved]
        shown = None
    else:
        result = chosen.search(problem, limits, trace=traced)
        shown = table(*_columns(bounded=chosen.bound is not None))
        shown.add_row(*_row(result, bounded=chosen.bound is not None))
    smoothed = _smoothed(graph, result) if smooth and result.path.size else None
    document |= _numbers(result) | _path(graph, result) | _smoothed_json(smoothed)
    emit(document, shown, json_file)
    for line in _guarantee_notes(chosen, problem):
        note(line)
    if smoothed is not None and json_file != STANDARD_OUTPUT:
        before, after = smoothed.length_before, smoothed.length
        turns = len(smoothed.waypoints)
        say(f"smoothed: length {before:.2f} before, {after:.2f} after; waypoints: {turns}")
    if picture is not None:
        _draw(picture, graph_file, problem, chosen.text, _drawn(graph, result, smoothed))
    if trace is not None:
        _write_json(trace, _trace_json(problem, chosen.text, result))
    if geojson is not None:
        _write_json(geojson, _geojson(problem, result))
    if not result.solved:
        raise typer.Exit(NO_PATH)


def _check_outputs(
    picture: Path | None, trace: Path | None, geojson: Path | None, json_file: Path | None
) -> None:
    """Refuse, before the search, files that cannot be written."""
    check_json_target(json_file)
    for path in (picture, trace, geojson):
        if path is not None:
            check_writable(path)
    if picture is not None and picture.suffix.lower() not in (PICTURE, PAGE):
        raise InputError(
            f"--picture {picture}: the name must end in {PICTURE} (in {PAGE} for a 3D map)"
        )


def _check_places(graph: AnyGraph, picture: Path | None, geojson: Path | None) -> None:
    """Refuse, before the search, graphs that cannot be drawn in this format."""
    if picture is not None:
        page = picture.suffix.lower() == PAGE
        reason = None
        if not graph.is_drawable:
            reason = "only maps and graphs whose nodes have coordinates can be drawn"
        elif graph.axes == 3 and not page:
            reason = f"a 3D map is drawn as an interactive page; end the name in {PAGE}"
        elif page and graph.axes != 3:
            reason = f"only 3D maps are drawn as interactive pages; end the name in {PICTURE}"
        if reason is not None:
            raise InputError(f"--picture {picture}: {reason}")
    if geojson is not None:
        from phil.graphs.formats.geojson import path_geojson

        path_geojson(graph, [])


def _ends(problem: Problem, method: str) -> dict[str, Any]:
    return {
        "method": method,
        "start": problem.graph.node_name(problem.start),
        "goal": problem.graph.node_name(problem.goal),
    }


def _path(graph: AnyGraph, result: Result) -> dict[str, Any]:
    return {"path": [graph.node_name(int(node)) for node in result.path]}


def _smoothed(graph: AnyGraph, result: Result) -> Smoothed:
    from phil.search import smooth

    return smooth(graph, result.path)


def _smoothed_json(smoothed: Smoothed | None) -> dict[str, Any]:
    if smoothed is None:
        return {}
    waypoints = [list(cell) for cell in smoothed.waypoints]
    lengths = {"length_before": smoothed.length_before, "length": smoothed.length}
    return {"smoothed": {**lengths, "waypoints": waypoints}}


def _drawn(graph: AnyGraph, result: Result, smoothed: Smoothed | None) -> Result:
    """The result with the path that is drawn."""
    if smoothed is None:
        return result
    import numpy as np

    assert graph.is_grid
    corners = [graph.node(*cell) for cell in smoothed.waypoints]
    return replace(result, path=np.array(corners, np.int64))


def _numbers(result: Result) -> dict[str, Any]:
    return {
        "outcome": str(result.outcome),
        "expansions": result.expansions,
        "calls": result.calls,
        "cost": _finite(result.cost),
        "length": result.length if result.path.size else None,
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
    return ("outcome", "expansions", "calls", "cost", "length", *proven, "ms")


def _row(result: Result, bounded: bool) -> tuple[str, ...]:
    proven = (number(_finite(result.proven), 3),) if bounded else ()
    return (
        str(result.outcome),
        number(result.expansions, 0),
        number(result.calls, 0),
        number(_finite(result.cost), 2),
        number(result.length if result.path.size else None, 0),
        *proven,
        number(1000 * result.seconds, 2),
    )


def _print_all(found: Iterator[Result]) -> Iterator[Result]:
    """Print each result as it is found."""
    print_row(*_columns(bounded=True))
    for result in found:
        print_row(*_row(result, bounded=True))
        yield result


def _guarantee_notes(method: Solver, problem: Problem) -> Iterator[str]:
    """Say that a form of A* may miss the cheapest path, because of the Euclidean distance."""
    from phil.graphs.lower_bound import STRAIGHT_LINE, lower_bound_of
    from phil.heuristics.classical import euclidean

    key, graph = getattr(method, "key", None), problem.graph
    by_cost = key is not None and key.g == 1 and euclidean in method.heuristics
    if graph.is_grid or not graph.feature_names or not by_cost or method.bound is not None:
        return
    bound = lower_bound_of(graph, problem.goal)
    excess = 1 / bound.straight if bound.kind == STRAIGHT_LINE else math.inf
    if excess > NEARLY:
        most = f"up to {excess:.3g} times " if math.isfinite(excess) else ""
        yield (
            f"note: the straight line exceeds the costs of this graph {most}"
            f"and is no lower bound, so {method.text} may miss the cheapest path; dijkstra and "
            "astar(landmarks) find it"
        )


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
        "calls": result.calls,
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


def _draw(path: Path, graph_file: Path, problem: Problem, method: str, result: Result) -> None:
    """Draw a search that was run with `trace=True`."""
    graph = problem.graph
    if graph.axes == 3:
        page = _page(graph_file, graph, problem, method, result)
        write_atomic(path, page.encode())
    elif graph.is_grid:
        from phil.view.picture import save_picture

        save_picture(path, graph, result, goal=problem.goal)
    else:
        from phil.view.graph_picture import save_graph_picture

        save_graph_picture(path, graph, result, goal=problem.goal)


def _page(graph_file: Path, graph: GridGraph, problem: Problem, method: str, result: Result) -> str:
    from phil.view.report import Shot, page_html
    from phil.view.scene import Scene, scene_html

    size = " x ".join(map(str, graph.shape))
    scene = Scene(f"{size} cells", graph, problem.goal, [Shot(method, result)])
    facts = {
        "map": str(graph_file),
        "start": ", ".join(map(str, graph.cell(problem.start))),
        "goal": ", ".join(map(str, graph.cell(problem.goal))),
        "method": method,
        "outcome": str(result.outcome),
    }
    if result.path.size:
        facts["path"] = f"{result.length} moves, cost {result.cost:.2f}"
    return page_html(f"A search in {graph_file.name}", [scene_html(scene)], facts)
