"""Learning curves of many trainings in one drawing."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib
from matplotlib.figure import Figure


@dataclass(frozen=True)
class TrainingCurve:
    """The (iteration, mean expansions on the validation problems) of a training."""

    title: str  # trainings of one title have one colour
    points: Sequence[Sequence[float]]


def curves_svg(
    panels: Mapping[str, Sequence[TrainingCurve]], titles: Sequence[str], problems: str, salt: str
) -> bytes:
    """The best validation so far while training: a panel a family, a line a training."""
    columns = min(4, max(1, len(panels)))
    rows = -(-len(panels) // columns)
    figure = Figure(figsize=(3.6 * columns, 2.8 * rows + 0.6), layout="constrained")
    axes = list(figure.subplots(rows, columns, squeeze=False).flat)
    for panel, (name, curves) in zip(axes, panels.items(), strict=False):
        for curve in curves:
            if curve.points:
                _line(panel, curve, f"C{titles.index(curve.title)}")
        panel.set(title=name, yscale="log", xlabel="share of the training", xlim=(0, 1))
    for panel in axes[len(panels) :]:
        panel.set_visible(False)
    named = {line.get_label(): line for panel in figure.axes for line in panel.get_lines()}
    if named:
        handles = list(named.values())
        figure.legend(handles=handles, loc="outside upper center", ncols=len(handles))
    figure.supylabel(f"mean expansions on validation {problems}, best so far")
    stream = io.BytesIO()
    # Without a date and with a fixed salt the same figures give the same file.
    with matplotlib.rc_context({"svg.hashsalt": salt}):
        figure.savefig(stream, format="svg", metadata={"Date": None})
    return stream.getvalue()


def _line(panel: Any, curve: TrainingCurve, color: str) -> None:
    last = curve.points[-1][0]
    best = float("inf")
    xs, ys = [], []
    for at, value in curve.points:
        best = min(best, value)
        xs.append(at / last)
        ys.append(best)
    panel.step(xs, ys, where="post", color=color, label=curve.title, linewidth=1.2, alpha=0.8)
