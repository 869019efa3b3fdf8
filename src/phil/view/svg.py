"""Drawings of matplotlib as SVG."""

from __future__ import annotations

import io
import re

import matplotlib
from matplotlib.figure import Figure

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
