"""What the engine must reach, and whether it does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarks.speed.peers.ours import ASTAR, GREEDY

Results = dict[str, Any]  # of each part that was measured

FAST = 0.5  # microseconds: a break-even that most families must stay below
FASTER = 0.2  # and one that all should


@dataclass(frozen=True)
class Check:
    """One figure beside its target; a figure of None was not measured."""

    part: str
    text: str
    figure: float | None
    must: float | None
    goal: float | None = None
    at_most: bool = False
    form: str = "{:.2f}"

    @property
    def verdict(self) -> str:
        """Whether the figure reaches its target."""
        if self.figure is None:
            return "not measured"
        if self.goal is not None and self._reaches(self.goal):
            return "met, and the goal"
        if self.must is None:
            return "goal missed"
        return "met" if self._reaches(self.must) else "missed"

    def _reaches(self, target: float) -> bool:
        assert self.figure is not None
        return self.figure <= target if self.at_most else self.figure >= target

    @property
    def target(self) -> str:
        """The target in words."""
        bound = "at most" if self.at_most else "at least"
        must = f"{bound} {self.form.format(self.must)}" if self.must is not None else ""
        goal = f"goal {self.form.format(self.goal)}" if self.goal is not None else ""
        return ", ".join(text for text in (must, goal) if text)

    def as_json(self) -> dict[str, Any]:
        """As it is written down."""
        return {
            "part": self.part,
            "text": self.text,
            "figure": self.figure,
            "target": self.target,
            "verdict": self.verdict,
        }


def checks(results: Results) -> list[Check]:
    """All targets of the engine."""
    return [
        *_network(results.get("network")),
        *_peers(results.get("peers")),
        *_growth(results.get("growth")),
        *_break_even(results.get("break_even")),
        *_training(results.get("training")),
        *_start(results.get("start")),
    ]


def _network(results: Results | None) -> Iterable[Check]:
    families = results["models"]["paper"]["families"].values() if results else []
    ratios = [row["torch_ratio"] for row in families]
    filled = [row["precomputed_ratio"] for row in families]
    share = _median([row["share_of_peak"] for row in families])
    paper = "PHIL search of the `paper` network"
    times = "{:.1f}x"
    yield Check(
        "network", f"{paper}, share of the core's sgemm peak", share, 0.25, 0.40, form="{:.0%}"
    )
    yield Check(
        "network",
        f"{paper}, times faster than torch per evaluated node: slowest family",
        min(ratios, default=None),
        20,
        form=times,
    )
    yield Check("network", f"{paper}, the same: median family", _median(ratios), 40, form=times)
    yield Check(
        "network", f"{paper}, precomputed: times faster again", _median(filled), 2.5, form=times
    )


def _peers(results: Results | None) -> Iterable[Check]:
    kinds = [group["methods"] for group in results["kinds"]] if results else []
    for ours in (ASTAR, GREEDY):
        for peer in ("pyastar2d", "tcod Pathfinder"):
            worst = max((_times(kind, ours, peer) for kind in kinds if peer in kind), default=None)
            text = f"{ours}, times the time of {peer}: worst kind of maps"
            yield Check("peers", text, worst, 1.5, 1.0, at_most=True, form="{:.2f}x")
    for peer, must in (("networkx A*", 20), ("rustworkx A*", 5)):
        least = min((_times(kind, peer, ASTAR) for kind in kinds if peer in kind), default=None)
        text = f"{ASTAR}, times faster than {peer}: worst kind of maps"
        yield Check("peers", text, least, must, form="{:.1f}x")


def _times(kind: dict[str, Any], one: str, other: str) -> float:
    """How many times longer one method takes than another."""
    ratio: float = kind[one]["times_reference"] / kind[other]["times_reference"]
    return ratio


def _growth(results: Results | None) -> Iterable[Check]:
    # PHIL's network sees where a cell is on the map, so on a larger one it searches otherwise.
    for name, figure in (
        ("A*", "query_us"),
        ("greedy", "query_us"),
        ("PHIL", "us_per_expansion"),
    ):
        rows = list(results["methods"][name].values()) if results else []
        slowest = max(row[figure] for row in rows) / rows[0][figure] if rows else None
        what = "query" if figure == "query_us" else "expansion"
        text = f"{name}, time per {what} on the slowest of all sizes over that on the smallest"
        yield Check("growth", text, slowest, 1.5, at_most=True, form="{:.2f}x")
    threads = results["threads"] if results else None
    speedup = min(row["speedup"] for row in threads.values()) if threads else None
    yield Check("growth", "`search_many`, two threads over one", speedup, 1.7, form="{:.2f}x")


def _break_even(results: Results | None) -> Iterable[Check]:
    costs = None
    if results:
        costs = [row["break_even_us"]["n = 8"]["A*"] for row in results["families"].values()]
    text = "families whose break-even against A* is at most {} microseconds"
    for limit, must, goal in ((FAST, 6, None), (FASTER, None, 8)):
        count = None
        if costs is not None:
            count = sum(cost is not None and cost <= limit for cost in costs)
        yield Check("break_even", text.format(limit), count, must, goal, form="{:.0f}")


def _training(results: Results | None) -> Iterable[Check]:
    rows = list(results["families"].values()) if results else []
    total = max((row["total_seconds"] for row in rows), default=None)
    search = max(
        (row["share"]["rollout"] + row["share"]["validation"] for row in rows), default=None
    )
    yield Check(
        "training", "seconds of a training, slower family", total, 60, 20, True, form="{:.0f} s"
    )
    text = "share of roll-outs and validation in a training"
    yield Check("training", text, search, 0.5, at_most=True, form="{:.0%}")


def _start(results: Results | None) -> Iterable[Check]:
    for text, name, must in (
        ("`import phil`", "import", 0.5),
        ("`phil solve` with a shipped heuristic", "solve", 1.5),
    ):
        seconds = results["wall_seconds"][name] if results else None
        yield Check("start", text, seconds, must, at_most=True, form="{:.2f} s")


def _median(values: list[float]) -> float | None:
    return median(values) if values else None
