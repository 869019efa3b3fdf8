"""The sections and views of the page on Table 3."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from phil.evaluation import parse_method
from phil.problems.problem import Problem
from phil.view.report import Shot
from phil.view.scene import Scene, scene_html
from reproduction.experiment import Document, Request
from reproduction.grid import Grid, Trial
from reproduction.markup import (
    NOTHING,
    Section,
    count,
    percent,
    short,
    table_markdown,
    whole,
    with_spread,
)
from reproduction.methods import COUNTED
from reproduction.sections import (
    CALLS,
    MethodTable,
    Summary,
    by_seed,
    calls_cell,
    cell,
    ratio_and_printed,
    table,
)
from reproduction.table3.methods import LIMIT, METHODS, OF_PHIL, PHIL, REFERENCE

TITLE = "Table 3: drones in rooms"
IN_VIEWS = (PHIL, REFERENCE, "astar")
HEADING = (
    "<h2>What each method expanded</h2>\n<p>In each room, the validation problem where the "
    "straight line misleads most; PHIL as in training 0.</p>"
)


def sections(document: Document) -> list[Section]:
    """All of the page but its pictures."""
    return [
        ratios(document),
        _all_methods(document),
        _over_shortest(document),
        _checks(document),
        _flights(document),
        _methods(document).trainings(),
        _problems(document),
    ]


def ratios(document: Document) -> Section:
    """The table as the paper has it."""
    return _methods(document).section(
        "Ratio to greedy Euclidean",
        f"Made by `{document['command']}`; all numbers and test problems are in its file of "
        "results. Ratio of mean expansions to those of greedy search by the Euclidean distance, on "
        "the same test problems; for learned methods, the mean over trainings ± their standard "
        "deviation. In brackets what the paper prints, for its own rooms. Expansions are |CLOSE|, "
        f"start and goal included. {COUNTED}",
        ratio_and_printed,
    )


def readme_table(document: Document) -> str:
    """The ratios in few columns."""
    titles = {name: title for name, title in document["titles"].items() if name != REFERENCE}
    methods = _methods({**document, "titles": titles})
    return table_markdown(methods.section("", "", ratio_and_printed))


def _methods(document: Document) -> MethodTable:
    rows = [([room], row["methods"]) for room, row in document["rooms"].items()]
    return MethodTable(["room"], document["titles"], rows)


def _all_methods(document: Document) -> Section:
    return table(
        "All methods",
        f"The voxelised rooms. {CALLS} `solved` has one count per training. The interval (95 %) of "
        "the ratio is by resampling trainings and test problems. Costs are relative to the least "
        "cost, mean over the solved problems. Milliseconds per search: mean over at most 20 test "
        "problems, training 0, one search after the other on an otherwise idle machine; BFWS is "
        "called from Python once per expansion. BFWS takes novel voxels first, and a coordinate is "
        "often new among voxels of about the same distance, more so in 3D than on maps; the paper "
        "does not say how it defines novelty in rooms.",
        {
            "room": "room",
            "method": "title",
            "ratio": lambda row: with_spread(row["ratio"], row["ratio_deviation"]),
            "interval": lambda row: " to ".join(map(short, row["ratio_interval"])),
            "paper": cell("printed", short),
            "expansions": lambda row: with_spread(row["expansions"], row["deviation"], count),
            "calls": calls_cell(count),
            "solved": cell("solved", by_seed(str)),
            "cost": cell("cost_ratio", lambda ratio: f"{ratio:.3f}"),
            "milliseconds": cell("milliseconds", short),
        },
        _named(document, lambda row: row["methods"]),
    )


def _over_shortest(document: Document) -> Section:
    def found() -> Iterator[Summary]:
        for one in _named(document, lambda row: row["methods"]):
            if one["name"] in (*OF_PHIL, REFERENCE):
                printed, shortest = one["printed"], document["rooms"][one["room"]]["printed"][LIMIT]
                ratio = None if printed is None else printed / shortest
                yield {**one, **one["over_shortest"], "paper": ratio}

    def more(ratio: float | None) -> str:
        return NOTHING if ratio is None else percent(ratio - 1)

    return table(
        "Over the shortest path",
        "Expansions beyond the nodes of a shortest path, which every search from the start must "
        "expand: mean over trainings, interval (95 %) by resampling trainings and test "
        "problems, by training; then the same from the ratios that the paper prints (its text says "
        "0.3 % and 4.9 % for PHIL, 27.8 % and 17.2 % for greedy Euclidean).",
        {
            "room": "room",
            "method": "title",
            "more": cell("ratio", more),
            "interval": lambda row: " to ".join(map(more, row["ratio_interval"])),
            "by training": cell("ratio_by_run", by_seed(more)),
            "paper": cell("paper", more),
        },
        found(),
    )


def _checks(document: Document) -> Section:
    return table(
        "Collision checks",
        "The same test problems on the implicit graph: a voxel is checked for collision in MuJoCo "
        "when a search first meets it, and every search begins knowing nothing. Means over "
        "problems and trainings. `own` are checks of voxels that only the heuristic looked at, for "
        "its convolution and its wall features; with n = 0 there are none. Ratios are to A* in the "
        "same run, where methods took turns problem by problem; building the scene is not counted. "
        "Expansions equal those on the explicit graph, problem by problem.",
        {
            "room": "room",
            "method": "title",
            "expansions": cell("expansions", count),
            "calls": cell("calls", whole),
            "checks": cell("checks", count),
            "own": cell("own_checks", count),
            "checks / A*": cell("checks_ratio", short),
            "ms in checks": cell("check_milliseconds", short),
            "ms": cell("milliseconds", short),
            "ms / A*": cell("milliseconds_ratio", short),
        },
        _named(document, lambda row: row["checks"]["methods"] if row["checks"] else {}),
    )


def _flights(document: Document) -> Section:
    def centimetres(metres: float) -> str:
        return f"{100 * metres:.1f} cm"

    return table(
        "Flights",
        "A simulated quadrotor follows PHIL's smoothed paths (training 0) on the first test "
        "problems. The tracking error is the distance between the drone and where it should be; "
        "the worst mean is the largest of any one flight.",
        {
            "room": "room",
            "flights": "flights",
            "with contact": "touched",
            "mean error": cell("mean_error", centimetres),
            "worst mean": cell("worst_mean_error", centimetres),
            "largest error": cell("largest_error", centimetres),
            "seconds": cell("seconds", lambda seconds: f"{seconds:.1f}"),
            "metres": cell("length", lambda metres: f"{metres:.1f}"),
        },
        (
            {"room": room, **row["flights"]}
            for room, row in document["rooms"].items()
            if row["flights"]
        ),
    )


def _problems(document: Document) -> Section:
    def share(part: float) -> str:
        return f"{part:.1%}"

    return table(
        "Rooms and problems",
        "Every problem has five randomly placed blocks of 5 x 5 x 5 voxels, and a start and a "
        "goal among the free voxels that a path joins; the file of results has them. A voxel is "
        "free if the drone with its safety margin fits at its centre, by MuJoCo's collision "
        "check. Moves are between voxels that share a side, so no corner is cut.",
        {
            "room": "room",
            "voxels": cell("shape", lambda shape: " x ".join(map(str, shape))),
            "side": cell("voxel", lambda metres: f"{100 * metres:.0f} cm"),
            "neighbours": "connectivity",
            "free without blocks": cell("furnished_free", share),
            "free": cell("free", share),
            "train": cell("train", whole),
            "validation": cell("validation", whole),
            "test": lambda row: whole(len(row["test"])),
        },
        ({"room": room, **row["problems"]} for room, row in document["rooms"].items()),
    )


def _named(document: Document, methods: Callable[[Summary], Summary]) -> Iterator[dict[str, Any]]:
    """What was found of each method in each room, beside their names."""
    for room, row in document["rooms"].items():
        for name, summary in methods(row).items():
            yield {"room": room, "name": name, "title": document["titles"][name], **summary}


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
        for name in IN_VIEWS
        for solver in [table.solver(request, Trial(room, name))]
    ]
    scene = Scene(problem.name, problem.graph, problem.goal, shots)
    return scene_html(scene, METHODS[PHIL].title)
