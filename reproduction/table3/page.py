"""The sections of the page on Table 3."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from reproduction.experiment import Document
from reproduction.markup import Section, table_markdown
from reproduction.numbers import NOTHING, count, short, with_spread
from reproduction.sections import Row, Summary, by_method, by_seed, cell, table
from reproduction.table3.methods import LIMIT, OF_PHIL, REFERENCE

TITLE = "Table 3: drones in rooms"


def sections(document: Document) -> list[Section]:
    """All of the page but its pictures."""
    return [
        ratios(document),
        *(_room(document, room) for room in document["rooms"]),
        _over_shortest(document),
        _checks(document),
        _flights(document),
        _trainings(document),
        _problems(document),
    ]


def ratios(document: Document) -> Section:
    """The table as the paper has it."""
    return by_method(
        "Ratio to greedy Euclidean",
        [
            f"Made by `{document['command']}`; all numbers and test problems are in its file of "
            "results. Ratio of mean expansions to those of greedy search by the Euclidean "
            "distance, on the same test problems; learned methods: mean over trainings ± standard "
            "deviation between them. In brackets what the paper prints, for its own rooms. "
            "Expansions are |CLOSE|, start and goal included.",
        ],
        ["room"],
        document["titles"],
        _rows(document),
        _ratio_and_printed,
    )


def readme_table(document: Document) -> str:
    """The ratios in few columns."""
    titles = {name: title for name, title in document["titles"].items() if name != REFERENCE}
    shown = by_method("", (), ["room"], titles, _rows(document), _ratio_and_printed)
    return table_markdown(shown)


def _rows(document: Document) -> list[Row]:
    return [([room], row["methods"]) for room, row in document["rooms"].items()]


def _ratio(summary: Summary) -> str:
    return with_spread(summary["ratio"], summary["ratio_deviation"])


def _ratio_and_printed(summary: Summary) -> str:
    printed = summary["printed"]
    return _ratio(summary) + (f" ({printed:.3f})" if printed is not None else "")


def _room(document: Document, room: str) -> Section:
    """Every method in a room."""
    row = document["rooms"][room]
    return table(
        f"Room {room}",
        f"The voxelised room, {len(row['problems']['test'])} test problems; `solved` has one count "
        "per training. The interval (95 %) of the ratio is by resampling test problems. Costs are "
        "relative to the least cost, mean over the solved problems. Milliseconds per search: mean "
        "over at most 20 test problems, training 0, one search after the other on an otherwise "
        "idle machine; BFWS is called from Python once per expansion. It takes novel voxels first, "
        "and a coordinate is often new among voxels of about the same distance, more so in 3D than "
        "on maps; the paper does not say how it defines novelty in rooms.",
        {
            "method": cell("title"),
            "ratio": _ratio,
            "interval": cell("ratio_interval", lambda ends: _interval(map(short, ends))),
            "paper": cell("printed", short),
            "expansions": lambda row: with_spread(row["expansions"], row["deviation"], count),
            "solved": cell("solved", by_seed(str)),
            "cost": cell("cost_ratio", lambda ratio: f"{ratio:.3f}"),
            "milliseconds": cell("milliseconds", short),
        },
        _named(document, room, row["methods"]),
    )


def _over_shortest(document: Document) -> Section:
    def found() -> Iterator[Summary]:
        for room, row in document["rooms"].items():
            methods = {
                name: row["methods"][name]
                for name in (*OF_PHIL, REFERENCE)
                if name in row["methods"]
            }
            for one in _named(document, room, methods):
                printed, shortest = one["printed"], row["printed"][LIMIT]
                ratio = None if printed is None else printed / shortest
                yield {"room": room, "title": one["title"], **one["over_shortest"], "paper": ratio}

    return table(
        "Over the shortest path",
        "Expansions beyond the nodes of a shortest path, which every search must expand: mean over "
        "trainings, interval (95 %) by resampling test problems, by training; then the same from "
        "the ratios that the paper prints (its text says 0.3 % and 4.9 % for PHIL, 27.8 % and "
        "17.2 % for greedy Euclidean).",
        {
            "room": cell("room"),
            "method": cell("title"),
            "more": cell("ratio", _percent),
            "interval": cell("ratio_interval", lambda ends: _interval(map(_percent, ends))),
            "by training": cell("ratio_by_run", by_seed(_percent)),
            "paper": cell("paper", _percent),
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
        "Expansions are those on the explicit graph, problem by problem.",
        {
            "room": cell("room"),
            "method": cell("title"),
            "expansions": cell("expansions", count),
            "checks": cell("checks", count),
            "own": cell("own_checks", count),
            "checks / A*": cell("checks_ratio", short),
            "ms in checks": cell("check_milliseconds", short),
            "ms": cell("milliseconds", short),
            "ms / A*": cell("milliseconds_ratio", short),
        },
        (
            one
            for room, row in document["rooms"].items()
            if row["checks"]
            for one in _named(document, room, row["checks"]["methods"])
        ),
    )


def _flights(document: Document) -> Section:
    def centimetres(metres: float) -> str:
        return f"{100 * metres:.1f} cm"

    return table(
        "Flights",
        "A quadrotor in the simulation along PHIL's paths (training 0) on the first test problems, "
        "smoothed. The tracking error is how far the drone is from where it should be; the worst "
        "mean is that of a whole flight.",
        {
            "room": cell("room"),
            "flights": cell("flights"),
            "with contact": cell("touched"),
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


def _trainings(document: Document) -> Section:
    return table(
        "Trainings",
        "By seed: seconds on one core; mean expansions of the heuristic that was kept on the "
        "validation problems, and their number; mean expansions on the test problems.",
        {
            "room": cell("room"),
            "method": cell("title"),
            "seconds": cell("trainings", by_seed(lambda run: short(run["seconds"]))),
            "validation": cell("trainings", by_seed(lambda run: count(run["validation"]))),
            "problems": cell("validated"),
            "test": cell("by_run", by_seed(count)),
        },
        (
            one
            for room, row in document["rooms"].items()
            for one in _named(document, room, row["methods"])
            if "trainings" in one
        ),
    )


def _problems(document: Document) -> Section:
    def share(part: float) -> str:
        return f"{part:.1%}"

    def number(found: int) -> str:
        return f"{found:,}"

    return table(
        "Rooms and problems",
        "Every problem has five blocks of 5 x 5 x 5 voxels wherever they fall, and a start and a "
        "goal among the free voxels that a path joins; the file of results has them. A voxel is "
        "free if the drone fits into its middle, with its safety margin, by MuJoCo's collision "
        "check. Moves are between voxels that share a side, so no corner is cut.",
        {
            "room": cell("room"),
            "voxels": cell("shape", lambda shape: " x ".join(map(str, shape))),
            "side": cell("voxel", lambda metres: f"{100 * metres:.0f} cm"),
            "neighbours": cell("connectivity"),
            "free without blocks": cell("furnished_free", share),
            "free": cell("free", share),
            "train": cell("train", number),
            "validation": cell("validation", number),
            "test": cell("test", lambda problems: number(len(problems))),
        },
        ({"room": room, **row["problems"]} for room, row in document["rooms"].items()),
    )


def _named(document: Document, room: str, methods: Summary) -> Iterator[dict[str, Any]]:
    """What was found of each method, beside its name."""
    for name, summary in methods.items():
        yield {"room": room, "title": document["titles"][name], **summary}


def _interval(ends: Iterable[str]) -> str:
    return " to ".join(ends)


def _percent(ratio: float | None) -> str:
    return NOTHING if ratio is None else f"{100 * (ratio - 1):.1f} %"
