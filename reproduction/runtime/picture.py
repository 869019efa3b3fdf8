"""The chart of milliseconds per expanded node."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from matplotlib.figure import Figure

from phil.view.svg import svg
from reproduction.legacy.report_files import Picture
from reproduction.runtime.measure import COMPILED, PYTHON

HEADS = {COMPILED: "compiled (BFWS and MHA*: called from Python)", PYTHON: "called from Python"}
WIDTH = 0.8  # of the bars of a family, together


def chart(document: Mapping[str, Any]) -> Picture:
    """A panel an engine, a group of bars a family, a colour a method."""
    families, titles = document["families"], document["titles"]
    figure = Figure(figsize=(11, 7), layout="constrained")
    panels = figure.subplots(len(HEADS), 1, sharex=True, sharey=True)
    for panel, (engine, head) in zip(panels, HEADS.items(), strict=True):
        for place, (name, title) in enumerate(titles.items()):
            methods = [row["methods"][name] for row in families.values()]
            shift = (place - (len(titles) - 1) / 2) * WIDTH / len(titles)
            panel.bar(
                [number + shift for number in range(len(families))],
                [each.get(engine, each[PYTHON])["milliseconds_per_node"] for each in methods],
                WIDTH / len(titles),
                color=f"C{place}",
                label=title,
            )
        panel.set(title=head, yscale="log", ylabel="milliseconds per node")
        panel.set_xticks(range(len(families)), list(families))
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(titles))
    return Picture("Milliseconds per expanded node", "chart.svg", svg(figure, "runtime"))
