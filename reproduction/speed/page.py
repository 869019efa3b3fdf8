"""The page on speed and its plots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from phil.evaluation.timing import digits, time_text
from phil.search.chunks import SECONDS as CHUNK_SECONDS
from phil.workers.pace import SECONDS as GROUP_SECONDS
from reproduction.drawing import svg
from reproduction.markup import Section, whole
from reproduction.page import Picture
from reproduction.sections import CellWriter, cell, table
from reproduction.speed.summary import Headline

TITLE = "Speed"
# The colours of the report's light style.
TEXT, QUIET, LINE, ACCENT = "#1d2129", "#626a78", "#dfe1e5", "#d0105a"
KINDS = (("#b9c3d6", "o"), ("#7f93b8", "s"), ("#46536b", "^"), ("#1d2129", "D"))
OURS = "phil "
Results = Mapping[str, Any]  # of one part


def parts(found: Mapping[str, Results]) -> list[Section | Picture]:
    """The parts that were measured."""
    shown = {
        "peers": _peers,
        "several": _several,
        "network": _network,
        "break_even": _break_even,
        "growth": _growth,
        "mapped": _mapped,
        "workers": _workers,
        "playground": _playground,
        "screen": _screen,
        "training": _training,
        "start": _start,
        "versions": _versions,
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
    def commit(made: Results) -> str:
        return (made["commit"] or "unknown")[:10] + (" with changes" if made["changed"] else "")

    return table(
        "What it was measured with",
        (),
        {
            "part": "part",
            "when": "time",
            "commit": commit,
            "machine": lambda made: f"{made['cpu']}, {made['cores']} cores",
            "load": "load",
            "Python": "python",
            "versions": lambda made: ", ".join(" ".join(one) for one in made["versions"].items()),
        },
        ({"part": name, **results["made"]} for name, results in found.items()),
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


def _several(results: Results) -> Iterable[Section]:
    yield table(
        "MHA* and BFWS",
        "The time of a search divided by its expansions and by its heuristics, medians over "
        f"{results['families']} families of maps: compiled, and with the heuristics called from "
        "Python after every expansion, as those that a user writes are.",
        {
            "method": "method",
            "heuristics": "heuristics",
            "expansions": lambda row: whole(row["expansions"]),
            "compiled": cell("compiled_us", time_text),
            "called from Python": cell("python_us", time_text),
        },
        ({"method": text, **row} for text, row in results["methods"].items()),
    )


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
    columns: dict[str, CellWriter | str] = {
        "family": "family",
        "per evaluated node": cell("us_per_evaluated", time_text),
        "needed work": lambda row: f"{row['kflop_per_evaluated']:.0f} kFLOP",
        "GFLOP/s": lambda row: f"{row['gflops']:.1f}",
        "share of peak": lambda row: f"{row['share_of_peak']:.0%}",
        "torch": cell("torch_us_per_evaluated", time_text),
        "torch / ours": cell("torch_ratio", _relative),
        "precomputed": cell("precomputed_us_per_evaluated", time_text),
        "lazy / precomputed": cell("precomputed_ratio", _relative),
        "fill": lambda row: f"{row['fill_ms']:.0f} ms",
    }
    titles = {
        "paper": "The paper's network, with random weights",
        "best": "The shipped heuristic of each family",
    }
    for model, summary in results["models"].items():
        rows = [*summary["families"].items(), ("median", summary["median"])]
        yield table(titles[model], (), columns, ({"family": name, **row} for name, row in rows))


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
    rows = [{"family": family, **row} for family, row in families.items()]
    for name in first:
        columns: dict[str, CellWriter | str] = {
            "family": "family",
            "query": partial(_query, name),
            "calls": partial(_calls, name),
            **{f"against {other}": partial(_against, name, other) for other in others},
        }
        yield table(f"Break-even with {name}", (), columns, rows)
    costs: dict[str, CellWriter | str] = {
        f"{other}: {what}": partial(cost, other)
        for other in others
        for what, cost in (("query", _query), ("calls", _calls))
    }
    yield table("What the others cost", (), {"family": "family", **costs}, rows)


def _query(method: str, row: Results) -> str:
    return time_text(row["methods"][method]["query_us"])


def _calls(method: str, row: Results) -> str:
    return whole(row["methods"][method]["calls"])


def _against(name: str, other: str, row: Results) -> str:
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


def _mapped(results: Results) -> Iterable[Section]:
    stored = results["stored"]
    yield table(
        "Graphs mapped into memory",
        "A lattice with weights, written by `phil.graphs.formats.write_mapped`, in two processes "
        "at once, with the file in the system's cache. The time of opening is CPU time, and in "
        "brackets relative to reading all bytes of the file once. Own memory is what opening adds "
        "to a process besides the pages of the file, which both processes share. A lattice of "
        f"{stored['entries']:,} stored edges takes {_relative(stored['times'])} as long to read "
        "from an ordinary `.npz` file as from a mapped one.",
        {
            "nodes": lambda row: whole(row["nodes"]),
            "stored edges": lambda row: whole(row["entries"]),
            "file": lambda row: _megabytes(row["file_bytes"]),
            "opening": lambda row: f"{row['open_seconds']:.2f} s ({_relative(row['pass_ratio'])})",
            "own memory": lambda row: _megabytes(row["own_bytes"]),
            "shared memory": lambda row: _megabytes(row["shared_bytes"]),
        },
        [results],
    )


def _playground(results: Results) -> Iterable[Section]:
    shape = " x ".join(map(str, results["shape"]))
    yield table(
        "Playground",
        "Milliseconds from the message that an end of the path was dragged, or a cell drawn, to "
        "the last frame of the search, over the WebSocket of `phil play` on this machine; maps of "
        f"{shape} cells, medians over {results['families']} families. The browser then draws.",
        {
            "method": lambda row: row["method"],
            "expansions": lambda row: whole(row["expansions"]),
            "search itself": lambda row: f"{row['search_ms']:.1f} ms",
            "after dragging": lambda row: f"{row['drag_ms']:.1f} ms",
            "after drawing": lambda row: f"{row['draw_ms']:.1f} ms",
            "bytes per expanded node": lambda row: f"{row['bytes_per_node']:.1f}",
        },
        [{"method": name, **row} for name, row in results["methods"].items()],
    )


def _workers(results: Results) -> Iterable[Section]:
    count = results["workers"]
    yield table(
        "Processes and Ray",
        f"Times faster than one core, with {count} workers on this machine that have started: 400 "
        "maps of forest with seven methods, 15,000 queries on one of them, and a training of four "
        "candidates, 30 iterations each, with tuning. Wall times, medians of ratios within rounds.",
        {
            "work": lambda row: str(row["work"]),
            "one core": lambda row: f"{row['seconds']:.1f} s",
            "processes": lambda row: _relative(row["processes"]),
            "Ray": lambda row: _relative(row["Ray"]),
            "Ray's time over processes'": lambda row: _relative(row["Ray over processes"]),
        },
        [{"work": name, **row} for name, row in results["work"].items()],
    )
    memory = results["memory"]
    yield table(
        "What workers cost",
        f"The time to start {count} workers and end them, that of a task that does nothing, and "
        f"the memory that a worker takes for itself to search a grid of {memory['nodes']:,} nodes "
        f"({_megabytes(memory['graph_bytes'])}), which is in memory once.",
        {
            "workers": lambda row: str(row["kind"]),
            "start": lambda row: f"{row['start']:.1f} s",
            "a task": lambda row: f"{row['task_ms']:.2f} ms",
            "a worker's own memory": lambda row: _megabytes(row["own_bytes"]),
        },
        [
            {
                "kind": kind,
                "start": results["start_seconds"][kind],
                "task_ms": task,
                "own_bytes": memory["own_bytes"][kind],
            }
            for kind, task in results["task_ms"].items()
        ],
    )
    yield table(
        "The driver with many workers",
        "Work that sleeps for 0.2 s, in threads and on a Ray cluster that is told it has so many "
        "cores. The driver's CPU time per item bounds how many workers it can keep busy.",
        {
            "workers": lambda row: f"{row['workers']} ({row['kind']})",
            "items": lambda row: whole(row["items"]),
            "share of the ideal rate": lambda row: f"{row['efficiency']:.0%}",
            "driver, per item": lambda row: f"{row['driver_ms']:.2f} ms",
        },
        results["driver"],
    )
    yield _predicted(results)


def _predicted(results: Results) -> Section:
    """What the constants come to for work that nobody has run."""
    constants = results["constants"]
    query, oracle = constants["query_ms"] / 1e3, constants["oracle_ms"] / 1e3
    driver = max(row["driver_ms"] for row in results["driver"] if row["kind"] == "Ray") / 1e3
    rows = [
        {"what": what, "workers": workers, "work": count * each / workers, "driver": tasks * driver}
        for what, count, each, tasks in (
            ("10⁹ queries", 1e9, query, 1e9 * query / CHUNK_SECONDS),
            ("distances of 10⁵ training graphs", 1e5, oracle, 1e5 * oracle / GROUP_SECONDS),
        )
        for workers in (2, 64, 1024)
    ]
    return table(
        "Predictions",
        "Not measured: what the constants above come to on a Ray cluster of cores like this "
        f"one. A query on a map of forest takes {constants['query_ms']:.2f} ms, the distances of a "
        f"training problem {constants['oracle_ms']:.2f} ms; chunks of queries take "
        f"{CHUNK_SECONDS} s, groups of distances {GROUP_SECONDS} s. The driver works at the same "
        "time as the workers, so the larger time counts. Training problems with their distances "
        f"take {_megabytes(constants['problem_bytes'])} each, 10⁵ of them "
        f"{constants['problem_bytes'] * 1e5 / 1e9:,.0f} GB on each machine that trains a "
        "candidate, which is what bounds a training.",
        {
            "work": lambda row: str(row["what"]),
            "workers": lambda row: whole(row["workers"]),
            "workers busy for": lambda row: _duration(row["work"]),
            "driver busy for": lambda row: _duration(row["driver"]),
        },
        rows,
    )


def _duration(seconds: float) -> str:
    for unit, size in (("days", 86400.0), ("hours", 3600.0), ("minutes", 60.0)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.1f} {unit}"
    return f"{seconds:,.1f} s"


def _screen(results: Results) -> Iterable[Section]:
    side, scrub = results["side"], results["scrub"]
    yield table(
        "Playground in Chromium",
        f"Milliseconds from a move of the mouse that drags the goal of a map of {side} x {side} "
        "cells to the picture of all searches that it asked for, without a graphics card. When a "
        f"search of {scrub['nodes']:,} nodes is scrubbed, {scrub['frames_per_second']:.0f} frames "
        f"are drawn in a second, and one in ten takes {scrub['slow_ms']:.0f} ms or more.",
        {
            "race": lambda row: row["race"],
            "median": lambda row: f"{row['median_ms']:.0f} ms",
            "one in ten takes at least": lambda row: f"{row['slow_ms']:.0f} ms",
        },
        [{"race": name, **row} for name, row in results["drags"].items()],
    )


def _megabytes(count: float) -> str:
    return f"{count / 1e6:,.1f} MB"


def _training(results: Results) -> Iterable[Section]:
    def seconds(part: str) -> CellWriter:
        return lambda row: f"{row['seconds_per_iteration'][part]:.3f} s"

    def searching(row: Results) -> str:
        return f"{row['share']['rollout'] + row['share']['validation']:.0%}"

    yield table(
        "Training",
        "The default preset: seconds of a core for each part of one candidate's iteration, and "
        "the wall time of the whole training, in which two candidates train side by side.",
        {
            "family": "family",
            "roll-out": seconds("rollout"),
            "learning": seconds("learning"),
            "validation": seconds("validation"),
            "roll-out and validation": searching,
            "iterations": lambda row: f"{row['iterations']} of {row['candidates']} candidates",
            "total": lambda row: f"{row['total_seconds']:.0f} s",
        },
        ({"family": family, **row} for family, row in results["families"].items()),
    )


def _start(results: Results) -> Iterable[Section]:
    def seconds(name: str) -> CellWriter:
        return lambda row: f"{row[name]:.2f} s"

    yield table(
        "Start",
        "Fresh processes with compiled code in the cache; `import phil` excludes the time of "
        "Python itself.",
        {
            "clock": "clock",
            "Python": seconds("python"),
            "`import phil`": seconds("import"),
            "`phil solve`": seconds("solve"),
        },
        (
            {"clock": text, **results[clock]}
            for text, clock in (("wall time", "wall_seconds"), ("CPU time", "cpu_seconds"))
        ),
    )


# Figures of the part `versions`: what they are, how they are written, and the project's goal.
VERSIONS = {
    "first_astar": ("first A* of a new installation, CPU time", "{:.1f} s", "4 s"),
    "first_learned": ("first search with a shipped heuristic, CPU time", "{:.1f} s", "15 s"),
    "first_training": ("compiling what training adds, CPU time", "{:.1f} s", "15 s"),
    "import": ("`import phil`, CPU time", "{:.2f} s", "0.25 s"),
    "help": ("`phil --help`, CPU time", "{:.2f} s", "0.4 s"),
    "astar: 10 %": ("A*: time relative to pyastar2d, 10 % obstacles", "{:.2f}x", "1.0x"),
    "astar: 35 %": ("A*: time relative to pyastar2d, 35 % obstacles", "{:.2f}x", "1.0x"),
    "astar: walls": ("A*: time relative to pyastar2d, two walls", "{:.2f}x", "1.0x"),
    "threads: speedup": ("`search_many`, greedy: speed-up by a second thread", "{:.2f}x", "1.8x"),
    "threads: us": ("`search_many`, greedy, one thread: time per query", "{:.0f} µs", ""),
    "several: mha": ("MHA* in turn, per expansion and heuristic", "{:.2f} µs", "1 µs"),
    "several: mha w1 w2": ("MHA* with a bound, per expansion and heuristic", "{:.2f} µs", "1 µs"),
    "several: bfws": ("BFWS, per expansion", "{:.2f} µs", "1 µs"),
    "implicit: zero": ("implicit graph, per expansion, BFS, 8 neighbours", "{:.1f} µs", "4 µs"),
    "implicit: zero 4": ("the same, 4 neighbours", "{:.1f} µs", "4 µs"),
    "implicit: zero 16": ("the same, 16 neighbours", "{:.1f} µs", ""),
    "implicit: zero 24": ("the same, 24 neighbours", "{:.1f} µs", ""),
    "implicit: euclidean": ("implicit graph, 8 neighbours, greedy", "{:.1f} µs", "4 µs"),
    "implicit: costs": ("implicit graph, 8 neighbours with costs, A*", "{:.1f} µs", "4 µs"),
    "implicit: grid": ("implicit grid, 8 neighbours, BFS", "{:.1f} µs", "4 µs"),
    "network: us": ("shipped heuristic, per evaluated node", "{:.2f} µs", ""),
    "network: precomputed": ("shipped heuristic: times faster precomputed", "{:.2f}x", "2.5x"),
    "training: forest": ("training on forest, wall time of two cores", "{:.0f} s", "25 s"),
    "training: multiple_bugtraps": (
        "training on multiple_bugtraps, wall time of two cores",
        "{:.0f} s",
        "25 s",
    ),
}


def _versions(results: Results) -> Iterable[Section]:
    figures = results["figures"]
    yield Section(
        "Compared with the version before",
        [
            "Both versions in turn, in fresh processes (`reproduction/speed/probe.py`). The time "
            "of an implicit graph is what the search adds to the user's own function. The first "
            "search on a new machine waits for the compiler, unless the wheel brings the kernels."
        ],
        ["figure", "before", "now", "goal"],
        [
            [text, form.format(figures[name]["older"]), form.format(figures[name]["this"]), goal]
            for name, (text, form, goal) in VERSIONS.items()
            if name in figures
        ],
    )


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
