"""Drawings of matplotlib as SVG."""

from __future__ import annotations

import io

import matplotlib
from matplotlib.figure import Figure


def svg(figure: Figure, salt: str) -> bytes:
    """A drawing as an SVG file: the same drawing with the same salt gives the same file."""
    stream = io.BytesIO()
    # Letters stay letters: their outlines would be most of the file.
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": salt}):
        figure.savefig(stream, format="svg", metadata={"Date": None})
    return stream.getvalue()
