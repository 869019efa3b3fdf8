"""The plots of the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from reproduction.drawing import svg

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
