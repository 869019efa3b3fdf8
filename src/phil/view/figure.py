"""Figures of matplotlib that notebooks show."""

from __future__ import annotations

import io

from matplotlib.figure import Figure
from PIL import Image

from phil.view.picture import small_png

PIXELS = 80  # per inch, in a notebook, whose file holds the picture


class Picture(Figure):
    """A figure that a notebook shows, even where pyplot was never imported."""

    def _repr_png_(self) -> bytes:
        stream = io.BytesIO()
        self.savefig(stream, format="png", dpi=PIXELS)
        return small_png(Image.open(stream))
