"""Figures of matplotlib that notebooks show."""

from __future__ import annotations

import io

from matplotlib.figure import Figure

PIXELS = 100  # per inch, in a notebook


class Picture(Figure):
    """A figure that a notebook shows, even where pyplot was never imported."""

    def _repr_png_(self) -> bytes:
        stream = io.BytesIO()
        self.savefig(stream, format="png", dpi=PIXELS)
        return stream.getvalue()
