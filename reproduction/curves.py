"""Learning curves of many trainings in one drawing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from matplotlib.figure import Figure

from reproduction.drawing import svg


@dataclass(frozen=True)
class TrainingCurve:
    """The (iteration, value) of a training: mean expansions on validation problems, or a loss."""

    title: str  # trainings of one title have one colour
    points: Sequence[Sequence[Any]]  # a loss that is not finite is None


def curves_svg(
    panels: Mapping[str, Sequence[TrainingCurve]],
    titles: Sequence[str],
    label: str,
    salt: str,
    *,
    best_so_far: bool = True,
    across: str = "",
) -> bytes:
    """What trainings reached while they ran: a panel a family, a line a training.

    The first of a point's numbers is shown as a share of the last one's; if `across` says what it
    is, as it stands.
    """
    columns = min(4, max(1, len(panels)))
    rows = -(-len(panels) // columns)
    figure = Figure(figsize=(3.6 * columns, 2.8 * rows + 0.6), layout="constrained")
    axes = list(figure.subplots(rows, columns, squeeze=False).flat)
    for panel, (name, curves) in zip(axes, panels.items(), strict=False):
        for curve in curves:
            if curve.points:
                last = 1 if across else curve.points[-1][0]
                _line(panel, curve, f"C{titles.index(curve.title)}", best_so_far, last)
        panel.set(title=name, yscale="log")
        if across:
            panel.set(xscale="log", xlabel=across)
        else:
            panel.set(xlabel="share of the training", xlim=(0, 1))
    for panel in axes[len(panels) :]:
        panel.set_visible(False)
    named = {line.get_label(): line for panel in figure.axes for line in panel.get_lines()}
    if named:
        handles = list(named.values())
        figure.legend(handles=handles, loc="outside upper center", ncols=len(handles))
    figure.supylabel(label)
    return svg(figure, salt)


def _line(panel: Any, curve: TrainingCurve, color: str, best_so_far: bool, last: float) -> None:
    points = [(at, value) for at, value in curve.points if value is not None]
    values = [value for _, value in points]
    panel.step(
        [at / last for at, _ in points],
        list(accumulate(values, min)) if best_so_far else values,
        where="post",
        color=color,
        label=curve.title,
        linewidth=1.2,
        alpha=0.8,
    )
