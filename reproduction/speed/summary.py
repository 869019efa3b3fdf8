"""The figures that sum the parts up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from reproduction.speed.libraries import ASTAR, GREEDY

Results = Mapping[str, Any]  # of one part

TIMES = "{:.2f}x"


@dataclass(frozen=True)
class Headline:
    """One figure, and how it is written."""

    text: str
    value: float
    form: str

    def __str__(self) -> str:
        return self.form.format(self.value)


def summary(results: Mapping[str, Results]) -> list[Headline]:
    """The figures of the parts that were measured."""
    return [
        figure
        for part, figures in (
            ("network", _network),
            ("peers", _peers),
            ("several", _several),
            ("growth", _growth),
            ("mapped", _mapped),
            ("playground", _playground),
            ("screen", _screen),
            ("workers", _workers),
            ("break_even", _break_even),
            ("training", _training),
            ("start", _start),
        )
        if part in results
        for figure in figures(results[part])
    ]


def _network(results: Results) -> Iterable[Headline]:
    families = list(results["models"]["paper"]["families"].values())
    ratios = [row["torch_ratio"] for row in families]
    share = median(row["share_of_peak"] for row in families)
    filled = median(row["precomputed_ratio"] for row in families)
    paper, times = "Search with the paper's network", "{:.1f}x"
    yield Headline(f"{paper}: share of the core's float32 peak", share, "{:.0%}")
    torch = f"{paper}: times faster than torch per evaluated node"
    yield Headline(f"{torch}, slowest family", min(ratios), times)
    yield Headline(f"{torch}, median family", median(ratios), times)
    yield Headline(f"{paper}: times faster again when precomputed", filled, times)


def _peers(results: Results) -> Iterable[Headline]:
    kinds = [group["methods"] for group in results["kinds"]]
    for ours in (ASTAR, GREEDY):
        for peer in ("pyastar2d", "tcod Pathfinder"):
            times = [_times(kind, ours, peer) for kind in kinds if peer in kind]
            if times:
                text = f"{ours}: time relative to {peer}, slowest kind of maps"
                yield Headline(text, max(times), TIMES)
    for peer in ("networkx A*", "rustworkx A*"):
        times = [_times(kind, peer, ASTAR) for kind in kinds if peer in kind]
        if times:
            text = f"{ASTAR}: times faster than {peer}, slowest kind of maps"
            yield Headline(text, min(times), "{:.1f}x")


def _times(kind: Results, one: str, other: str) -> float:
    """How many times longer one method takes than another."""
    ratio: float = kind[one]["times_reference"] / kind[other]["times_reference"]
    return ratio


def _several(results: Results) -> Iterable[Headline]:
    slowest = max(row["compiled_us"] for row in results["methods"].values())
    text = "MHA* and BFWS: time per expansion and heuristic, slowest method"
    yield Headline(text, slowest, "{:.2f} µs")


def _growth(results: Results) -> Iterable[Headline]:
    # PHIL's network sees where a cell is on the map, so that it searches larger maps differently.
    for name, figure, what in (
        ("A*", "query_us", "query"),
        ("greedy", "query_us", "query"),
        ("PHIL", "us_per_expansion", "expansion"),
    ):
        times = [row[figure] for row in results["methods"][name].values()]
        text = f"{name}: time per {what} on the slowest size of map relative to the smallest"
        yield Headline(text, max(times) / times[0], TIMES)
    speedup = min(row["speedup"] for row in results["threads"].values())
    yield Headline("`search_many`: speed-up by a second thread", speedup, TIMES)


def _mapped(results: Results) -> Iterable[Headline]:
    entries = f"{results['entries']:,} stored edges"
    seconds, own = results["open_seconds"], results["own_bytes"]
    yield Headline(f"Opening a mapped graph of {entries}", seconds, "{:.2f} s")
    yield Headline("Its own memory in a process, besides the file", own / 1e6, "{:.1f} MB")


def _playground(results: Results) -> Iterable[Headline]:
    slowest = max(row["drag_ms"] for row in results["methods"].values())
    yield Headline(
        "Playground: from dragging to the last frame, slowest method", slowest, "{:.1f} ms"
    )


def _workers(results: Results) -> Iterable[Headline]:
    for work, row in results["work"].items():
        yield Headline(f"Speed-up by {results['workers']} Ray workers: {work}", row["Ray"], TIMES)
    slowest = max(row["Ray over processes"] for row in results["work"].values())
    yield Headline("Ray's time relative to plain processes, slowest work", slowest, TIMES)


def _screen(results: Results) -> Iterable[Headline]:
    for name, row in results["drags"].items():
        text = f"Playground: from a move of the mouse to its picture, {name}"
        yield Headline(text, row["median_ms"], "{:.0f} ms")
    scrub = results["scrub"]
    text = f"Playground: frames per second when scrubbing {scrub['nodes']:,} nodes"
    yield Headline(text, scrub["frames_per_second"], "{:.0f}")


def _break_even(results: Results) -> Iterable[Headline]:
    costs = [row["break_even_us"]["n = 8"]["A*"] for row in results["families"].values()]
    for limit in (0.5, 0.2):
        count = sum(cost is not None and cost <= limit for cost in costs)
        text = f"Families whose break-even against A* is at most {limit} µs, of {len(costs)}"
        yield Headline(text, count, "{:.0f}")


def _training(results: Results) -> Iterable[Headline]:
    rows = list(results["families"].values())
    total = max(row["total_seconds"] for row in rows)
    search = max(row["share"]["rollout"] + row["share"]["validation"] for row in rows)
    yield Headline("Training: wall time, slower family", total, "{:.0f} s")
    yield Headline("Training: largest share of roll-outs and validation", search, "{:.0%}")


def _start(results: Results) -> Iterable[Headline]:
    wall = results["wall_seconds"]
    yield Headline("`import phil`", wall["import"], "{:.2f} s")
    yield Headline("`phil solve` with a shipped heuristic", wall["solve"], "{:.2f} s")
