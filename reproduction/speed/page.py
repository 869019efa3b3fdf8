"""The page: what was measured, and with what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from phil.evaluation.timing import digits, time_text
from reproduction.speed.summary import Figure

Part = dict[str, Any]

QUICK = "**A quick run on small maps: these figures only show that the parts run.**"
INTRODUCTION = """# Speed

Written by `make bench-speed`; `python -m reproduction speed PART` measures one part again. The
figures are in `reproduction/results/speed.json`. A time is the median of repeats that take turns
with those it is compared with, on one core unless stated otherwise. The machine is shared, so
ratios mean more than times.
"""
PEERS = """## One query, compared with other libraries

The time of a query, and in brackets relative to {reference}; medians over the maps of a kind. The
cost of a path is relative to the cheapest, and checked: only searches that do not look for the
cheapest path may exceed 1. Libraries differ in the moves that they allow, so each rule has its own
table. A dash means that the library cannot do it, or that the map is too large for it.

![Time of a query by library](images/speed_peers.svg)
"""
NETWORK = """## One evaluated node

Searches of up to {expansions:,} expansions, search and network together; the cache fills as nodes
are met. *Needed work* counts the arithmetic that cannot be left out
(`reproduction/speed/work.py`); the core's peak is that of a large float32 matrix product in the
same run, {peak_gflops:.0f} GFLOP/s. torch runs the same search with the same network for {sample}
expansions. `paper` has random weights, `best` is the shipped heuristic of the family. *Fill* is the
time that `precompute=True` takes in advance for a goal.
"""
BREAK_EVEN = """## Break-even

The cost of one `neighbors` call above which PHIL's query is faster, including the calls of its
convolution: 0 where it is faster in memory already, never where it makes no fewer calls. `n` is the
number of neighbours that the network looks at; with n = 0 it looks at none and calls only to
expand. In brackets: the times of both (ours / theirs) when twice that cost, at least 1 µs, is
really spent on every call.
"""
GROWTH = """## Growth

Queries over {distance} cells in the middle of grids with 30 % obstacles, which are the same around
the query at all sizes, with at most {most_expansions:,} expansions: the time per query, and in
brackets per expansion. PHIL's network sees where on the map a cell is, so its searches differ with
the size.

![Time of a query by size](images/speed_growth.svg)
"""
MEMORY = """Bytes per node of a process's first query: requested, and actually provided by the
operating system.
"""
TRAINING = """## Training

The default preset: seconds of a core for each part of one candidate's iteration, and the wall time
of the whole training, in which two candidates train side by side.
"""
START = """## Start

Fresh processes with compiled code in the cache; `import phil` excludes the time of Python itself.
"""


def page(parts: dict[str, Part], figures: Sequence[Figure]) -> str:
    """The parts that were measured, as Markdown."""
    sections = {
        "peers": _peers,
        "network": _network,
        "break_even": _break_even,
        "growth": _growth,
        "training": _training,
        "start": _start,
    }
    lines = [*_text(INTRODUCTION)]
    if any(part["quick"] for part in parts.values()):
        lines += [QUICK, ""]
    lines += table(("figure", "measured"), ((figure.text, str(figure)) for figure in figures))
    for name, section in sections.items():
        if name in parts:
            lines += [*section(parts[name]["results"]), _made_with(parts[name]), ""]
    return "\n".join(lines)


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table, the first column to the left, numbers to the right."""
    return [
        f"| {' | '.join(header)} |",
        "|---" + "|--:" * (len(header) - 1) + "|",
        *(f"| {' | '.join(row)} |" for row in rows),
        "",
    ]


def _text(template: str, results: Part | None = None) -> list[str]:
    """The lines of a text with figures filled in, a paragraph a line."""
    paragraphs = template.strip().format(**(results or {})).split("\n\n")
    return [line for paragraph in paragraphs for line in (paragraph.replace("\n", " "), "")]


def _relative(ratio: float) -> str:
    return f"{digits(ratio)}x"


def _made_with(part: Part) -> str:
    made = part["record"]
    versions = ", ".join(f"{name} {version}" for name, version in made["versions"].items())
    changed = " with changes" if made["changed"] else ""
    return (
        f"*`{part['command']}`, {made['time']}, commit {(made['commit'] or 'unknown')[:10]}"
        f"{changed}; {made['cpu']}, {made['cores']} cores, load {made['load']}; "
        f"Python {made['python']}, {versions}.*"
    )


def _peers(results: Part) -> list[str]:
    libraries = results["libraries"]
    lines = _text(PEERS, results)
    for rule, text in results["rules"].items():
        groups = [group for group in results["kinds"] if group["rule"] == rule]
        if groups:
            lines += [f"### {rule}: {text}", "", *_rule(groups, libraries)]
    versions = {row["package"]: row["version"] for row in libraries.values()}
    named = ", ".join(f"{package} {version}" for package, version in versions.items())
    notes = [f"- {name}: {row['note']}" for name, row in libraries.items() if row["note"]]
    skipped = [f"- {name} was skipped: {why}" for name, why in results["skipped"].items()]
    return [*lines, f"Versions: {named}.", "", *notes, *skipped, ""]


def _rule(groups: Sequence[Part], libraries: Part) -> list[str]:
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
            cost += " **not the least**"
        rows.append((name, library["heuristic"], *query, build, cost))
    return table(("method", "heuristic", *kinds, "build", "cost"), rows)


def _network(results: Part) -> list[str]:
    lines = _text(NETWORK, results)
    columns: dict[str, Callable[[Part], str]] = {
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
    for model, summary in results["models"].items():
        rows = [*summary["families"].items(), ("**median**", summary["median"])]
        lines += table(
            (f"`{model}`", *columns),
            ((name, *(column(row) for column in columns.values())) for name, row in rows),
        )
    return lines


def _break_even(results: Part) -> list[str]:
    lines = _text(BREAK_EVEN)
    families = results["families"]
    first = next(iter(families.values()))["break_even_us"]
    others = list(next(iter(first.values())))
    for name in first:
        lines += table(
            (name, "query", "calls", *(f"against {other}" for other in others)),
            (
                (family, *_cost(row, name), *(_against(row, name, other) for other in others))
                for family, row in families.items()
            ),
        )
    return lines + table(
        ("the others", *(f"{other}: query, calls" for other in others)),
        (
            (family, *(", ".join(_cost(row, other)) for other in others))
            for family, row in families.items()
        ),
    )


def _cost(row: Part, method: str) -> tuple[str, str]:
    cost = row["methods"][method]
    return time_text(cost["query_us"]), f"{cost['calls']:,.0f}"


def _against(row: Part, name: str, other: str) -> str:
    least = row["break_even_us"][name][other]
    if least is None:
        return "never"
    burnt = row["confirmed"][name][other]
    sides = f"{time_text(burnt['ours_us'])} / {time_text(burnt['theirs_us'])}"
    text = "0" if least == 0 else time_text(least)
    return f"{text} ({sides}{'' if burnt['faster'] else ', **not faster**'})"


def _growth(results: Part) -> list[str]:
    return [
        *_text(GROWTH, results),
        *table(
            ("method", *(f"{nodes:,} nodes" for nodes in results["nodes"])),
            (
                (
                    name,
                    *(
                        f"{time_text(row['query_us'])} ({time_text(row['us_per_expansion'])})"
                        for row in rows.values()
                    ),
                )
                for name, rows in results["methods"].items()
            ),
        ),
        *_text(MEMORY),
        *table(
            ("method", *(f"{int(n):,} nodes" for n in next(iter(results["memory"].values())))),
            (
                (name, *(f"{row['allocated']:.0f}, {row['resident']:.1f}" for row in rows.values()))
                for name, rows in results["memory"].items()
            ),
        ),
        *table(
            ("`search_many`", "1 thread", "2 threads", "1 / 2", "cores available to the 2"),
            (
                (
                    name,
                    *(time_text(row["query_us"][threads]) for threads in ("1", "2")),
                    _relative(row["speedup"]),
                    f"{row['cores']:.2f}",
                )
                for name, row in results["threads"].items()
            ),
        ),
    ]


def _training(results: Part) -> list[str]:
    steps = ("roll-out", "learning", "validation", "roll-out and validation")
    return [
        *_text(TRAINING),
        *table(
            ("family", *steps, "iterations", "total"),
            (
                (
                    family,
                    *(f"{seconds:.3f} s" for seconds in row["seconds_per_iteration"].values()),
                    f"{row['share']['rollout'] + row['share']['validation']:.0%}",
                    f"{row['iterations']} of {row['candidates']} candidates",
                    f"{row['total_seconds']:.0f} s",
                )
                for family, row in results["families"].items()
            ),
        ),
    ]


def _start(results: Part) -> list[str]:
    return [
        *_text(START),
        *table(
            ("", "Python", "`import phil`", "`phil solve`"),
            (
                (text, *(f"{results[clock][name]:.2f} s" for name in ("python", "import", "solve")))
                for text, clock in (("wall time", "wall_seconds"), ("CPU time", "cpu_seconds"))
            ),
        ),
    ]
