"""The sections of the page on Table 3."""

from __future__ import annotations

from collections.abc import Mapping

from phil.view.sections import Section, table_markdown
from reproduction.experiment import Document
from reproduction.numbers import NOTHING, count, short, with_spread
from reproduction.sections import Summary
from reproduction.table3.methods import LIMIT, OF_PHIL, REFERENCE

TITLE = "Table 3: drones in rooms"


def sections(document: Document) -> list[Section]:
    """All of the page but its pictures."""
    return [
        ratios(document),
        *(_room(name, row, document["titles"]) for name, row in document["rooms"].items()),
        _over_shortest(document),
        _checks(document),
        _flights(document),
        _trainings(document),
        _problems(document),
    ]


def ratios(document: Document) -> Section:
    """The table as the paper has it."""
    shown = [
        name
        for name in document["titles"]
        if any(name in row["methods"] for row in document["rooms"].values())
    ]
    return Section(
        "Ratio to greedy Euclidean",
        [
            f"Made by `{document['command']}`; all numbers and test problems are in its file of "
            "results. Ratio of mean expansions to those of greedy search by the Euclidean "
            "distance, on the same test problems; learned methods: mean over trainings ± standard "
            "deviation between them. In brackets what the paper prints, for its own rooms. "
            "Expansions are |CLOSE|, start and goal included.",
        ],
        ["room", *(document["titles"][name] for name in shown)],
        [
            [room, *(_ratio_and_printed(row, name) for name in shown)]
            for room, row in document["rooms"].items()
        ],
    )


def readme_table(document: Document) -> str:
    """The ratios in few columns."""
    shown = [name for name in document["titles"] if name != REFERENCE]
    return table_markdown(
        Section(
            "",
            (),
            ["room", *(document["titles"][name] for name in shown)],
            [
                [room, *(_ratio_and_printed(row, name) for name in shown)]
                for room, row in document["rooms"].items()
            ],
        )
    )


def _ratio_and_printed(row: Summary, name: str) -> str:
    summary = row["methods"].get(name)
    if summary is None:
        return NOTHING
    printed = row["printed"].get(name)
    return _ratio(summary) + (f" ({printed:.3f})" if printed is not None else "")


def _ratio(summary: Summary) -> str:
    return with_spread(summary["ratio"], summary["ratio_deviation"])


def _interval(summary: Summary) -> str:
    return " to ".join(short(end) for end in summary["ratio_interval"])


def _room(room: str, row: Summary, titles: Mapping[str, str]) -> Section:
    """Every method in a room."""
    tests = len(row["problems"]["test"])
    return Section(
        f"Room {room}",
        [
            f"The voxelised room, {tests} test problems; `solved` has one count per training. The "
            "interval (95 %) of the ratio is by resampling test problems. Costs are relative to "
            "the least cost, mean over the solved problems. Milliseconds per search: mean over at "
            "most 20 test problems, training 0, one search after the other on an otherwise idle "
            "machine; BFWS is called from Python once per expansion. It takes novel voxels first, "
            "and a coordinate is often new among voxels of about the same distance, more so in 3D "
            "than on maps; the paper does not say how it defines novelty in rooms.",
        ],
        ["method", "ratio", "interval", "paper", "expansions", "solved", "cost", "milliseconds"],
        [
            [
                titles[name],
                _ratio(summary),
                _interval(summary),
                short(row["printed"].get(name)),
                with_spread(summary["expansions"], summary["deviation"], count),
                ", ".join(map(str, summary["solved"])),
                f"{summary['cost_ratio']:.3f}",
                short(summary["milliseconds"]),
            ]
            for name, summary in row["methods"].items()
        ],
    )


def _over_shortest(document: Document) -> Section:
    rows = []
    for room, row in document["rooms"].items():
        shortest = row["printed"][LIMIT]
        for name in (*OF_PHIL, REFERENCE):
            if name in row["methods"]:
                over = row["methods"][name]["over_shortest"]
                printed = row["printed"].get(name)
                rows.append(
                    [
                        room,
                        document["titles"][name],
                        _percent(over["ratio"]),
                        " to ".join(_percent(end) for end in over["ratio_interval"]),
                        ", ".join(_percent(ratio) for ratio in over["ratio_by_run"]),
                        NOTHING if printed is None else _percent(printed / shortest),
                    ]
                )
    return Section(
        "Over the shortest path",
        [
            "Expansions beyond the nodes of a shortest path, which every search must expand: mean "
            "over trainings, interval (95 %) by resampling test problems, by training; then the "
            "same from the ratios that the paper prints (its text says 0.3 % and 4.9 % for PHIL, "
            "27.8 % and 17.2 % for greedy Euclidean).",
        ],
        ["room", "method", "more", "interval", "by training", "paper"],
        rows,
    )


def _percent(ratio: float) -> str:
    return f"{100 * (ratio - 1):.1f} %"


def _checks(document: Document) -> Section:
    rows = []
    for room, row in document["rooms"].items():
        for name, found in (row["checks"] or {"methods": {}})["methods"].items():
            rows.append(
                [
                    room,
                    document["titles"][name],
                    count(found["expansions"]),
                    count(found["checks"]),
                    count(found["own_checks"]),
                    short(found["checks_ratio"]),
                    short(found["check_milliseconds"]),
                    short(found["milliseconds"]),
                    short(found["milliseconds_ratio"]),
                ]
            )
    return Section(
        "Collision checks",
        [
            "The same test problems on the implicit graph: a voxel is checked for collision in "
            "MuJoCo when a search first meets it, and every search begins knowing nothing. Means "
            "over problems and trainings. `own` are checks of voxels that only the heuristic "
            "looked at, for its convolution and its wall features; with n = 0 there are none. "
            "Ratios are to A* in the same run, where methods took turns problem by problem; "
            "building the scene is not counted. Expansions are those on the explicit graph, "
            "problem by problem.",
        ],
        [
            "room",
            "method",
            "expansions",
            "checks",
            "own",
            "checks / A*",
            "ms in checks",
            "ms",
            "ms / A*",
        ],
        rows,
    )


def _flights(document: Document) -> Section:
    found = {room: row["flights"] for room, row in document["rooms"].items() if row["flights"]}
    return Section(
        "Flights",
        [
            "A quadrotor in the simulation along PHIL's paths (training 0) on the first test "
            "problems, smoothed. The tracking error is how far the drone is from where it should "
            "be; the worst mean is that of a whole flight.",
        ],
        [
            "room",
            "flights",
            "with contact",
            "mean error",
            "worst mean",
            "largest error",
            "seconds",
            "metres",
        ],
        [
            [
                room,
                str(flown["flights"]),
                str(flown["touched"]),
                *(
                    f"{100 * flown[name]:.1f} cm"
                    for name in ("mean_error", "worst_mean_error", "largest_error")
                ),
                f"{flown['seconds']:.1f}",
                f"{flown['length']:.1f}",
            ]
            for room, flown in found.items()
        ],
    )


def _trainings(document: Document) -> Section:
    rows = [
        [
            room,
            document["titles"][name],
            ", ".join(short(run["seconds"]) for run in summary["trainings"]),
            ", ".join(count(run["validation"]) for run in summary["trainings"]),
            str(summary["validated"]),
            ", ".join(count(value) for value in summary["by_run"]),
        ]
        for room, row in document["rooms"].items()
        for name, summary in row["methods"].items()
        if "trainings" in summary
    ]
    return Section(
        "Trainings",
        [
            "By seed: seconds on one core; mean expansions of the heuristic that was kept on the "
            "validation problems, and their number; mean expansions on the test problems."
        ],
        ["room", "method", "seconds", "validation", "problems", "test"],
        rows,
    )


def _problems(document: Document) -> Section:
    rows = []
    for room, row in document["rooms"].items():
        found = row["problems"]
        rows.append(
            [
                room,
                " x ".join(map(str, found["shape"])),
                f"{100 * found['voxel']:.0f} cm",
                str(found["connectivity"]),
                f"{found['furnished_free']:.1%}",
                f"{found['free']:.1%}",
                f"{found['train']:,}",
                f"{found['validation']:,}",
                f"{len(found['test']):,}",
            ]
        )
    return Section(
        "Rooms and problems",
        [
            "Every problem has five blocks of 5 x 5 x 5 voxels wherever they fall, and a start and "
            "a goal among the free voxels that a path joins; the file of results has them. A voxel "
            "is free if the drone fits into its middle, with its safety margin, by MuJoCo's "
            "collision check. Moves are between voxels that share a side, so no corner is cut.",
        ],
        [
            "room",
            "voxels",
            "side",
            "neighbours",
            "free without blocks",
            "free",
            "train",
            "validation",
            "test",
        ],
        rows,
    )
