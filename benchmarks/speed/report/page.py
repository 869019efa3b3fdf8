"""The page: what was measured, with what, beside what it must reach."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.speed.report.table import table, times_text
from benchmarks.speed.report.targets import Check
from phil.evaluation.timing import time_text

Part = dict[str, Any]


def page(parts: dict[str, Part], checks: Sequence[Check]) -> str:
    """The parts that were measured, as Markdown."""
    sections = {
        "peers": _peers,
        "network": _network,
        "break_even": _break_even,
        "growth": _growth,
        "training": _training,
        "start": _start,
    }
    lines = [
        "# Speed",
        "",
        "Written by `make bench-speed` (one part alone: `python -m benchmarks.speed PART`); the "
        "figures behind it are in `benchmarks/results/speed.json`. Every time is a median of "
        "repeats that took turns with those it is compared with, and is the time of one core "
        "unless it says otherwise. The machine is shared, so ratios say more than times.",
        "",
        *(_QUICK if any(part["quick"] for part in parts.values()) else []),
        *_targets(checks),
    ]
    for name, section in sections.items():
        if name in parts:
            lines += [*section(parts[name]["results"]), _made_with(parts[name]), ""]
    return "\n".join(lines)


_QUICK = ["**A quick run on small maps: these figures only show that the parts run.**", ""]


def _targets(checks: Sequence[Check]) -> list[str]:
    return table(
        ("figure", "measured", "target", "verdict"),
        (
            (
                check.text,
                "-" if check.figure is None else check.form.format(check.figure),
                check.target,
                check.verdict if check.verdict.startswith("met") else f"**{check.verdict}**",
            )
            for check in checks
        ),
    )


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
    lines = [
        "## One query, beside other libraries",
        "",
        f"Time of a query, and how many times that of {results['reference']}; medians over the "
        "maps of a kind. All paths are checked to cost the same, but those of searches that do "
        "not look for the least cost. Libraries differ in the moves they know, so there is a table "
        "for each rule. A dash: the library cannot do it, or the map is too large for it.",
        "",
        "![Time of a query by library](images/speed_peers.svg)",
        "",
    ]
    for rule, text in results["rules"].items():
        groups = [group for group in results["kinds"] if group["rule"] == rule]
        if groups:
            lines += [f"### {rule}: {text}", "", *_rule(groups, libraries)]
    lines += ["Versions: " + _versions(libraries) + ".", ""]
    notes = [f"- {name}: {row['note']}" for name, row in libraries.items() if row["note"]]
    skipped = [f"- {name} was skipped: {why}" for name, why in results["skipped"].items()]
    return [*lines, *notes, *skipped, ""]


def _rule(groups: Sequence[Part], libraries: Part) -> list[str]:
    names = [name for name in libraries if any(name in group["methods"] for group in groups)]
    kinds = [f"{group['kind']} ({group['maps']} maps)" for group in groups]
    rows = []
    for name in names:
        found = [group["methods"].get(name) for group in groups]
        query = [
            "-"
            if row is None
            else f"{time_text(row['query_us'])} ({times_text(row['times_reference'])})"
            for row in found
        ]
        build = " / ".join("-" if row is None else time_text(row["build_us"]) for row in found)
        there = [row for row in found if row is not None]
        cost = " / ".join(f"{row['cost_ratio']:.3f}" for row in there)
        if not all(row["agrees"] for row in there):
            cost += " **not the least**"
        rows.append((name, libraries[name]["heuristic"], *query, build, cost))
    return table(("method", "heuristic", *kinds, "build", "cost"), rows)


def _versions(libraries: Part) -> str:
    versions = {row["package"]: row["version"] for row in libraries.values()}
    return ", ".join(f"{package} {version}" for package, version in versions.items())


def _network(results: Part) -> list[str]:
    lines = [
        "## One evaluated node",
        "",
        f"Searches of up to {results['expansions']:,} expansions, search and network together, "
        "the cache filled as nodes are met. Counted as work is what cannot be left out (see "
        "`benchmarks/speed/network/work.py`); the core's peak is that of a large float32 matrix "
        f"product in the same run, {results['peak_gflops']:.0f} GFLOP/s. torch runs the same "
        f"search with the same network for {results['sample']} expansions. `paper` has random "
        "weights, `best` is the shipped heuristic of the family. `fill` is what `precompute=True` "
        "takes ahead for a goal.",
        "",
    ]
    for model, summary in results["models"].items():
        rows = [*summary["families"].items(), ("**median**", summary["median"])]
        lines += table(
            (
                f"`{model}`",
                "per evaluated node",
                "needed work",
                "GFLOP/s",
                "share of peak",
                "torch",
                "torch / ours",
                "precomputed",
                "lazy / precomputed",
                "fill",
            ),
            ((family, *_network_row(row)) for family, row in rows),
        )
    return lines


def _network_row(row: Part) -> tuple[str, ...]:
    return (
        time_text(row["us_per_evaluated"]),
        f"{row['kflop_per_evaluated']:.0f} kFLOP",
        f"{row['gflops']:.1f}",
        f"{row['share_of_peak']:.0%}",
        time_text(row["torch_us_per_evaluated"]),
        times_text(row["torch_ratio"]),
        time_text(row["precomputed_us_per_evaluated"]),
        times_text(row["precomputed_ratio"]),
        f"{row['fill_ms']:.0f} ms",
    )


def _break_even(results: Part) -> list[str]:
    lines = [
        "## Break-even",
        "",
        "The cost of one `neighbors` call above which PHIL's query is faster, the calls of its "
        "convolution included: 0 where it is faster in memory already, never where it makes no "
        "fewer calls. `n` is the number of neighbours that the network looks at; with n = 0 it "
        "looks at none and calls only to expand. In brackets: both with twice that cost, at least "
        "1 µs, really burnt per call, ours / theirs.",
        "",
    ]
    families = results["families"]
    ours = list(next(iter(families.values()))["break_even_us"])
    others = list(next(iter(families.values()))["break_even_us"][ours[0]])
    for name in ours:
        lines += table(
            (f"{name}", "query", "calls", *(f"against {other}" for other in others)),
            (
                (
                    family,
                    time_text(row["methods"][name]["query_us"]),
                    f"{row['methods'][name]['calls']:,.0f}",
                    *(_against(row, name, other) for other in others),
                )
                for family, row in families.items()
            ),
        )
    lines += table(
        ("the others", *(f"{other}: query, calls" for other in others)),
        (
            (
                family,
                *(
                    f"{time_text(row['methods'][other]['query_us'])}, "
                    f"{row['methods'][other]['calls']:,.0f}"
                    for other in others
                ),
            )
            for family, row in families.items()
        ),
    )
    return lines


def _against(row: Part, name: str, other: str) -> str:
    least = row["break_even_us"][name][other]
    if least is None:
        return "never"
    text = "0" if least == 0 else time_text(least)
    burnt = row["confirmed"][name][other]
    if burnt is None:
        return text
    sides = f"{time_text(burnt['ours_us'])} / {time_text(burnt['theirs_us'])}"
    return f"{text} ({sides}{'' if burnt['faster'] else ', **not faster**'})"


def _growth(results: Part) -> list[str]:
    sizes = [f"{nodes:,} nodes" for nodes in results["nodes"]]
    lines = [
        "## Growth",
        "",
        f"Queries over {results['distance']} cells in the middle of grids with 30 % obstacles, the "
        f"same around the query at all sizes, {results['most_expansions']:,} expansions at most: "
        "time per query, and per expansion. PHIL's network sees where on the map a cell is, so its "
        "searches differ with the size.",
        "",
        "![Time of a query by size](images/speed_growth.svg)",
        "",
        *table(
            ("method", *sizes),
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
        "Bytes per node of a process's first query: asked for, and really given by the system.",
        "",
        *table(
            ("method", *(f"{int(n):,} nodes" for n in next(iter(results["memory"].values())))),
            (
                (name, *(f"{row['allocated']:.0f}, {row['resident']:.1f}" for row in rows.values()))
                for name, rows in results["memory"].items()
            ),
        ),
    ]
    if results["threads"]:
        lines += table(
            ("`search_many`", "1 thread", "2 threads", "1 / 2", "cores that the 2 were given"),
            (
                (
                    name,
                    *(time_text(row["query_us"][threads]) for threads in ("1", "2")),
                    times_text(row["speedup"]),
                    f"{row['cores']:.2f}",
                )
                for name, row in results["threads"].items()
            ),
        )
    return lines


def _training(results: Part) -> list[str]:
    return [
        "## Training",
        "",
        "The default preset: seconds of a core by part of one candidate's iteration, and wall time "
        "of the whole, in which two candidates train side by side.",
        "",
        *table(
            (
                "family",
                "roll-out",
                "learning",
                "validation",
                "roll-out and validation",
                "iterations",
                "in all",
            ),
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
        "## Start",
        "",
        "Fresh processes, compiled code in the cache; `import phil` without the time of Python "
        "itself.",
        "",
        *table(
            ("", "Python", "`import phil`", "`phil solve`"),
            (
                (text, *(f"{results[clock][name]:.2f} s" for name in ("python", "import", "solve")))
                for text, clock in (("wall time", "wall_seconds"), ("CPU time", "cpu_seconds"))
            ),
        ),
    ]
