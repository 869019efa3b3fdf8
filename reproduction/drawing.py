"""Drawings of matplotlib as SVG, learning curves, and pictures side by side on one sheet."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import matplotlib
from matplotlib.figure import Figure
from matplotlib.text import Text
from PIL import Image, ImageDraw, ImageFont

from phil.text import visible_lines

MARGIN, LINE, TEXT = 12, 26, 16  # pixels
_ATTRIBUTE = re.compile(rb'"[^"]*"')
_LONG = re.compile(rb"(\.\d\d)\d+")  # a coordinate with more digits than a screen shows


def svg(figure: Figure, salt: str) -> bytes:
    """A drawing as an SVG file: the same drawing with the same salt gives the same file."""
    for text in figure.findobj(Text):
        assert isinstance(text, Text)
        # Titles and names are no formulas; labels of ticks, which may be, are still empty.
        if text.get_text():
            text.set_text(visible_lines(text.get_text()))
            text.set_parse_math(False)
    stream = io.BytesIO()
    # Letters stay letters, in one named font: outlines and lists of fonts would be most of a file.
    with matplotlib.rc_context(
        {"svg.fonttype": "none", "font.sans-serif": ["DejaVu Sans"], "svg.hashsalt": salt}
    ):
        figure.savefig(stream, format="svg", metadata={"Date": None})
    return _ATTRIBUTE.sub(lambda found: _LONG.sub(rb"\1", found[0]), stream.getvalue())


def sheet(pictures: Sequence[tuple[str, Image.Image]], across: int) -> Image.Image:
    """Titles and pictures in rows of so many; every place is as large as the largest picture.

    >>> square = Image.new("RGB", (100, 100))
    >>> sheet([("one", square), ("two", square), ("three", square)], across=2).size
    (236, 288)
    """
    width = max(picture.width for _, picture in pictures) + MARGIN
    height = max(picture.height for _, picture in pictures) + MARGIN + LINE
    rows = -(-len(pictures) // across)
    columns = min(across, len(pictures))
    found = Image.new("RGB", (columns * width + MARGIN, rows * height + MARGIN), "white")
    draw = ImageDraw.Draw(found)
    font = ImageFont.load_default(TEXT)
    for place, (title, picture) in enumerate(pictures):
        left, top = MARGIN + place % across * width, MARGIN + place // across * height
        draw.text((left, top), title, fill="black", font=font)
        found.paste(picture, (left, top + LINE))
    return found


@dataclass(frozen=True)
class TrainingCurve:
    """The (iteration, mean expansions on the validation problems) of a training."""

    title: str  # trainings of one title have one colour
    points: Sequence[Sequence[Any]]


def curves_svg(
    panels: Mapping[str, Sequence[TrainingCurve]],
    titles: Sequence[str],
    label: str,
    salt: str,
    *,
    across: str = "",
) -> bytes:
    """The best that trainings had reached while they ran: one panel per family.

    The first of a point's numbers is shown as a share of the last one's; if `across` says what it
    is, as it stands.
    """
    columns = min(4, max(1, len(panels)))
    rows = max(1, -(-len(panels) // columns))
    figure = Figure(figsize=(3.6 * columns, 2.8 * rows + 0.6), layout="constrained")
    axes = list(figure.subplots(rows, columns, squeeze=False).flat)
    for panel, (name, curves) in zip(axes, panels.items(), strict=False):
        for curve in curves:
            last = 1 if across or not curve.points else curve.points[-1][0]
            panel.step(
                [at / last for at, _ in curve.points],
                list(accumulate((value for _, value in curve.points), min)),
                where="post",
                color=f"C{titles.index(curve.title)}",
                label=curve.title,
                linewidth=1.2,
                alpha=0.8,
            )
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
