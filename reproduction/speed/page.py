"""The page on speed and its plots."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from phil.evaluation.timing import digits, time_text
from reproduction.drawing import svg
from reproduction.markup import Section
from reproduction.page import Picture
from reproduction.speed.summary import Headline

TITLE = "Speed"
Results = Mapping[str, Any]  # of one part


def parts(found: Mapping[str, Results]) -> list[Section | Picture]:
    """The parts that were measured."""
    shown = {
        "peers": _peers,
        "network": _network,
        "break_even": _break_even,
        "growth": _growth,
        "training": _training,
        "start": _start,
    }
    sections = [each for name, show in shown.items() if name in found for each in show(found[name])]
    return [*sections, _made_with(found)]


def in_short(figures: Iterable[Headline], *, quick: bool) -> Section:
    """One line for each figure that sums a part up."""
    warning = "A quick run on small maps: these figures only show that the parts run. "
    return Section(
        "In short",
        [
            f"{warning if quick else ''}Measured by `make bench-speed`; `python -m reproduction "
            "speed PART` measures one part again. A time is the median of repeats that take turns "
            "with those it is compared with, on one core unless stated otherwise. The machine is "
            "shared, so ratios mean more than times."
        ],
        ["figure", "measured"],
        [[figure.text, str(figure)] for figure in figures],
    )


def _made_with(found: Mapping[str, Results]) -> Section:
    made = {name: results["made"] for name, results in found.items()}
    return Section(
        "What it was measured with",
        [],
        ["part", "when", "commit", "machine", "load", "Python", "versions"],
        [
            [
                name,
                each["time"],
                (each["commit"] or "unknown")[:10] + (" with changes" if each["changed"] else ""),
                f"{each['cpu']}, {each['cores']} cores",
                str(each["load"]),
                each["python"],
                ", ".join(" ".join(one) for one in each["versions"].items()),
            ]
            for name, each in made.items()
        ],
    )


def _relative(ratio: float) -> str:
    return f"{digits(ratio)}x"


def _peers(results: Results) -> Iterable[Section | Picture]:
    yield Section(
        "One query, compared with other libraries",
        [
            "The time of a query, and in brackets relative to "
            f"{results['reference']}; medians over the maps of a kind. The cost of a path is "
            "relative to the cheapest, and checked: only searches that do not look for the "
            "cheapest path may exceed 1. Libraries differ in the moves that they allow, so each "
            "rule has its own table. A dash means that the library cannot do it, or that the map "
            "is too large for it.",
        ],
    )
    title = "Time of a query by library"
    yield Picture(title, "peers.svg", peers_svg(results))
    for rule, text in results["rules"].items():
        groups = [group for group in results["kinds"] if group["rule"] == rule]
        if groups:
            yield _rule(f"The rule {rule}: {text}", groups, results["libraries"])
    libraries = results["libraries"]
    notes = [f"{name}: {row['note']}" for name, row in libraries.items() if row["note"]]
    notes += [f"{name} was skipped: {why}" for name, why in results["skipped"].items()]
    versions = {row["package"]: row["version"] for row in libraries.values()}
    named = ", ".join(f"{package} {version}" for package, version in versions.items())
    yield Section("About the libraries", [f"{note[0].upper()}{note[1:]}." for note in notes])
    yield Section("Versions of the libraries", [f"{named}."])


def _rule(title: str, groups: Sequence[Results], libraries: Results) -> Section:
    kinds = [
        f"{group['kind']} ({group['maps']} map{'s' if group['maps'] > 1 else ''})"
        for group in groups
    ]
    rows = []
    for name, library in libraries.items():
        found = [group["methods"].get(name) for group in groups]
        there = [row for row in found if row is not None]
        if not there:
            continue
        query = [
            "-"
            if row is None
            else f"{time_text(row['query_us'])} ({_relative(row['times_reference'])})"
            for row in found
        ]
        build = " / ".join("-" if row is None else time_text(row["build_us"]) for row in found)
        cost = " / ".join(f"{row['cost_ratio']:.3f}" for row in there)
        if not all(row["agrees"] for row in there):
            cost += " (not the least)"
        rows.append([name, library["heuristic"], *query, build, cost])
    return Section(title, [], ["method", "heuristic", *kinds, "build", "cost"], rows)


def _network(results: Results) -> Iterable[Section]:
    yield Section(
        "One evaluated node",
        [
            f"Searches of up to {results['expansions']:,} expansions, search and network together; "
            "the cache fills as nodes are met. *Needed work* counts the arithmetic that cannot be "
            "left out (`reproduction/speed/network.py`); the core's peak is that of a large "
            f"float32 matrix product in the same run, {results['peak_gflops']:.0f} GFLOP/s. torch "
            f"runs the same search with the same network for {results['sample']} expansions. "
            "*Fill* is the time that `precompute=True` takes in advance for a goal.",
        ],
    )
    columns: dict[str, Callable[[Results], str]] = {
        "per evaluated node": lambda row: time_text(row["us_per_evaluated"]),
        "needed work": lambda row: f"{row['kflop_per_evaluated']:.0f} kFLOP",
        "GFLOP/s": lambda row: f"{row['gflops']:.1f}",
        "share of peak": lambda row: f"{row['share_of_peak']:.0%}",
        "torch": lambda row: time_text(row["torch_us_per_evaluated"]),
        "torch / ours": lambda row: _relative(row["torch_ratio"]),
        "precomputed": lambda row: time_text(row["precomputed_us_per_evaluated"]),
        "lazy / precomputed": lambda row: _relative(row["precomputed_ratio"]),
        "fill": lambda row: f"{row['fill_ms']:.0f} ms",
    }
    titles = {
        "paper": "The paper's network, with random weights",
        "best": "The shipped heuristic of each family",
    }
    for model, summary in results["models"].items():
        rows = [*summary["families"].items(), ("median", summary["median"])]
        yield Section(
            titles[model],
            [],
            ["family", *columns],
            [[name, *(column(row) for column in columns.values())] for name, row in rows],
        )


def _break_even(results: Results) -> Iterable[Section]:
    families = results["families"]
    first = next(iter(families.values()))["break_even_us"]
    others = list(next(iter(first.values())))
    yield Section(
        "Break-even",
        [
            "The cost of one `neighbors` call above which PHIL's query is faster, including the "
            "calls of its convolution: 0 where it is faster in memory already, never where it "
            "makes no fewer calls. `n` is the number of neighbours that the network looks at; with "
            "n = 0 it looks at none and calls only to expand. In brackets: the times of both (ours "
            "/ theirs) when twice that cost, at least 1 µs, is really spent on every call.",
        ],
    )
    for name in first:
        yield Section(
            f"Break-even with {name}",
            [],
            ["family", "query", "calls", *(f"against {other}" for other in others)],
            [
                [family, *_cost(row, name), *(_against(row, name, other) for other in others)]
                for family, row in families.items()
            ],
        )
    yield Section(
        "What the others cost",
        [],
        ["family", *(f"{other}: query, calls" for other in others)],
        [
            [family, *(", ".join(_cost(row, other)) for other in others)]
            for family, row in families.items()
        ],
    )


def _cost(row: Results, method: str) -> tuple[str, str]:
    cost = row["methods"][method]
    return time_text(cost["query_us"]), f"{cost['calls']:,.0f}"


def _against(row: Results, name: str, other: str) -> str:
    least = row["break_even_us"][name][other]
    if least is None:
        return "never"
    burnt = row["confirmed"][name][other]
    sides = f"{time_text(burnt['ours_us'])} / {time_text(burnt['theirs_us'])}"
    text = "0" if least == 0 else time_text(least)
    return f"{text} ({sides}{'' if burnt['faster'] else ', not faster'})"


def _growth(results: Results) -> Iterable[Section | Picture]:
    yield Section(
        "Growth",
        [
            f"Queries over {results['distance']} cells in the middle of grids with 30 % obstacles, "
            "which are the same around the query at all sizes, with at most "
            f"{results['most_expansions']:,} expansions: the time per query, and in brackets per "
            "expansion. PHIL's network sees where on the map a cell is, so its searches differ "
            "with the size.",
        ],
        ["method", *(f"{nodes:,} nodes" for nodes in results["nodes"])],
        [
            [
                name,
                *(
                    f"{time_text(row['query_us'])} ({time_text(row['us_per_expansion'])})"
                    for row in rows.values()
                ),
            ]
            for name, rows in results["methods"].items()
        ],
    )
    yield Picture("Time of a query by size", "growth.svg", growth_svg(results))
    yield Section(
        "Memory",
        [
            "Bytes per node of a process's first query: requested, and actually provided by the "
            "operating system."
        ],
        ["method", *(f"{int(n):,} nodes" for n in next(iter(results["memory"].values())))],
        [
            [name, *(f"{row['allocated']:.0f}, {row['resident']:.1f}" for row in rows.values())]
            for name, rows in results["memory"].items()
        ],
    )
    yield Section(
        "Threads",
        ["Wall time per query of `search_many`."],
        ["method", "1 thread", "2 threads", "1 / 2", "cores available to the 2"],
        [
            [
                name,
                *(time_text(row["query_us"][threads]) for threads in ("1", "2")),
                _relative(row["speedup"]),
                f"{row['cores']:.2f}",
            ]
            for name, row in results["threads"].items()
        ],
    )


def _training(results: Results) -> Iterable[Section]:
    steps = ("roll-out", "learning", "validation", "roll-out and validation")
    yield Section(
        "Training",
        [
            "The default preset: seconds of a core for each part of one candidate's iteration, and "
            "the wall time of the whole training, in which two candidates train side by side."
        ],
        ["family", *steps, "iterations", "total"],
        [
            [
                family,
                *(f"{seconds:.3f} s" for seconds in row["seconds_per_iteration"].values()),
                f"{row['share']['rollout'] + row['share']['validation']:.0%}",
                f"{row['iterations']} of {row['candidates']} candidates",
                f"{row['total_seconds']:.0f} s",
            ]
            for family, row in results["families"].items()
        ],
    )


def _start(results: Results) -> Iterable[Section]:
    clocks = {"wall time": "wall_seconds", "CPU time": "cpu_seconds"}
    yield Section(
        "Start",
        [
            "Fresh processes with compiled code in the cache; `import phil` excludes the time of "
            "Python itself."
        ],
        ["clock", "Python", "`import phil`", "`phil solve`"],
        [
            [text, *(f"{results[clock][name]:.2f} s" for name in ("python", "import", "solve"))]
            for text, clock in clocks.items()
        ],
    )


# The colours of the report's light style.
TEXT, QUIET, LINE, ACCENT = "#1d2129", "#626a78", "#dfe1e5", "#d0105a"
KINDS = (("#b9c3d6", "o"), ("#7f93b8", "s"), ("#46536b", "^"), ("#1d2129", "D"))
OURS = "phil "


def peers_svg(results: Mapping[str, Any]) -> bytes:
    """A panel for each rule of moves: methods from fast to slow, a mark for each kind of maps."""
    rules = list(dict.fromkeys(group["rule"] for group in results["kinds"]))
    kinds = list(dict.fromkeys(group["kind"] for group in results["kinds"]))
    marks = dict(zip(kinds, KINDS, strict=False))
    figure = Figure(figsize=(8, 3.6 * len(rules)), layout="constrained")
    panels = figure.subplots(len(rules), 1, squeeze=False, sharex=True)[:, 0]
    for panel, rule in zip(panels, rules, strict=True):
        groups = [group for group in results["kinds"] if group["rule"] == rule]
        first = groups[0]["methods"]
        names = sorted(first, key=lambda name: -first[name]["query_us"])
        for group in groups:
            colour, mark = marks[group["kind"]]
            there = [name for name in names if name in group["methods"]]
            panel.scatter(
                [group["methods"][name]["query_us"] / 1e3 for name in there],
                [names.index(name) for name in there],
                c=[ACCENT if name.startswith(OURS) else colour for name in there],
                marker=mark,
                zorder=3,
            )
        panel.set_yticks(range(len(names)), names)
        for label in panel.get_yticklabels():
            label.set_color(ACCENT if label.get_text().startswith(OURS) else TEXT)
        panel.set_title(f"{rule}: {results['rules'][rule]}", loc="left", fontsize=9, color=QUIET)
        panel.set_xscale("log")
        _plain(panel)
    panels[-1].set_xlabel("milliseconds per query")
    for kind, (colour, mark) in marks.items():
        panels[-1].scatter([], [], c=colour, marker=mark, label=kind)
    figure.legend(loc="outside upper right", ncols=len(kinds), frameon=False, labelcolor=QUIET)
    return svg(figure, "speed")


def growth_svg(results: Mapping[str, Any]) -> bytes:
    """Time of a query by the size of the grid."""
    figure = Figure(figsize=(6.5, 3.6), layout="constrained")
    panel = figure.subplots()
    for (name, rows), (colour, mark) in zip(results["methods"].items(), KINDS[1:], strict=False):
        times = [row["query_us"] for row in rows.values()]
        colour = ACCENT if name == "PHIL" else colour
        panel.plot(results["nodes"], times, color=colour, marker=mark, label=name)
    panel.set_xscale("log")
    panel.set_yscale("log")
    panel.set_xlabel("nodes of the grid")
    panel.set_ylabel("microseconds per query")
    panel.legend(frameon=False, labelcolor=QUIET)
    _plain(panel)
    return svg(figure, "speed")


def _plain(panel: Axes) -> None:
    panel.xaxis.set_minor_formatter(NullFormatter())
    panel.grid(color=LINE, linewidth=0.8, zorder=0)
    panel.tick_params(color=LINE)
    for side in ("top", "right"):
        panel.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        panel.spines[side].set_color(LINE)
