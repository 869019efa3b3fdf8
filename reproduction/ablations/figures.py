"""A drawing of each study: a panel a family, deviations between trainings as error bars."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from phil.view.svg import svg
from reproduction.ablations.studies import Study
from reproduction.ablations.table import Families, summary_of

LABELS = {
    "ratio_to_astar": "Expansions over those of A*",
    "ratio_to_shortest": "Expansions over the shortest path's",
}


def study_svg(study: Study, families: Families) -> bytes:
    """The study's figures by family; the same figures give the same file."""
    figure = Figure(figsize=(3.8 * len(families), 3.3), layout="constrained")
    panels = figure.subplots(1, len(families), squeeze=False)[0]
    for panel, family in zip(panels, families, strict=True):
        _draw(panel, study, families, family)
    figure.supxlabel(study.axis, fontsize="medium")
    panels[0].set_ylabel(LABELS[study.unit])
    if len(_lines(study)) > 1:
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=len(labels))
    return svg(figure, "ablations")


def _lines(study: Study) -> list[str]:
    return list(dict.fromkeys(point.line for point in study.points))


def _draw(panel: Any, study: Study, families: Families, family: str) -> None:
    labels = list(dict.fromkeys(point.label for point in study.points))
    lines = _lines(study)
    for number, line in enumerate(lines):
        found = [
            (labels.index(point.label), summary[study.unit])
            for point in study.points
            if point.line == line
            and (summary := summary_of(families, family, point.variant)) is not None
        ]
        panel.errorbar(
            # Side by side, so that no error bar hides another.
            [at + 0.08 * (number - (len(lines) - 1) / 2) for at, _ in found],
            [ratio["mean"] for _, ratio in found],
            yerr=[ratio["deviation"] or 0.0 for _, ratio in found],
            label=line,
            marker="o",
            markersize=4,
            capsize=3,
            linewidth=1.3,
        )
    turned = max(map(len, labels)) > 5
    panel.set_xticks(range(len(labels)), labels, rotation=20 if turned else 0)
    if turned:
        panel.tick_params(axis="x", labelsize="small")
    panel.set(title=family)
    panel.grid(axis="y", alpha=0.3)
