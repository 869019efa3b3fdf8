"""A figure of an evaluation: the expansions of every method."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.ticker import FuncFormatter

from phil.evaluation import MethodScore
from phil.text import cut, visible
from phil.view.figure import Picture
from phil.view.graph_picture import rgb
from phil.view.picture import GRADIENT, PATH

WIDTH = 7.0  # inches
ROW = 0.45  # inches per method
MARGIN = 1.0
LONGEST = 40  # characters of a method's name


def comparison_figure(scores: Sequence[MethodScore]) -> Picture:
    """Draw a dot per problem and a bar at the mean, a row per method, on a logarithmic axis.

    Parameters
    ----------
    scores
        What `phil.evaluate` returned.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure = Picture(figsize=(WIDTH, MARGIN + ROW * len(scores)), layout="constrained")
    axes = figure.add_subplot()
    rows = np.arange(len(scores))
    spread = np.random.default_rng(0)  # dots beside each other rather than on each other
    for row, score in zip(rows, scores, strict=True):
        found = [run.result.expansions for run in score.solved]
        if found:
            beside = row + spread.uniform(-0.25, 0.25, len(found))
            axes.scatter(found, beside, s=8, color=GRADIENT[2] / 255, alpha=0.4, linewidths=0)
            axes.plot([np.mean(found)] * 2, [row - 0.35, row + 0.35], color=rgb(PATH), linewidth=2)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.xaxis.set_minor_formatter(FuncFormatter(lambda value, _: ""))
    axes.set_yticks(rows, [cut(visible(score.method), LONGEST) for score in scores])
    axes.invert_yaxis()
    axes.set_xlabel("expansions per problem; red: the mean")
    axes.spines[["top", "right"]].set_visible(False)
    return figure
