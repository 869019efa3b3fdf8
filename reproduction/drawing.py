"""Drawings of matplotlib as SVG, and pictures side by side on one sheet."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence

import matplotlib
from matplotlib.figure import Figure
from PIL import Image, ImageDraw, ImageFont

MARGIN, LINE, TEXT = 12, 26, 16  # pixels
_ATTRIBUTE = re.compile(rb'"[^"]*"')
_LONG = re.compile(rb"(\.\d\d)\d+")  # a coordinate with more digits than a screen shows


def svg(figure: Figure, salt: str) -> bytes:
    """A drawing as an SVG file: the same drawing with the same salt gives the same file."""
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
