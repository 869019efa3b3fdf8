"""Walls from the bottom of the map to its top, each with one gap to pass through."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from phil.problems.generated.canvas import Box, Canvas, around

GAP_HEIGHT = 0.1
# Where the middle of a gap lies: the public maps fill these bands evenly.
LOW_GAPS = (0.1, 0.3)
HIGH_GAPS = (0.7, 0.9)
ALL_GAPS = (0.1, 0.9)
# Measured: 181 of the 600 public alternating_gaps maps have their gap in the high band.
HIGH_GAP_SHARE = 0.3

WALL_X = 0.5
WALL_WIDTH = 0.2
# The public walls differ in the gap's position alone, so 82 (alternating) and 161 (shifting) maps
# exist and they repeat. Moving the wall and its edges a little gives over half a million, around
# the same means.
WALL_X_SPREAD = 0.1
WALL_WIDTH_SPREAD = 0.05
GAP_HEIGHT_SPREAD = 0.02


class Gap(NamedTuple):
    """The edges of the two parts of a wall; the cells strictly between them are free."""

    bottom: float
    top: float

    @classmethod
    def around(cls, y: float, height: float) -> Gap:
        """The gap of that height whose middle is y."""
        return cls(y - height / 2, y + height / 2)


def draw_wall(canvas: Canvas, x: float, width: float, gap: Gap) -> None:
    """Draw a wall whose middle is x, open at the gap alone."""
    left, right = x - width / 2, x + width / 2
    canvas.block(Box(left, 0.0, right, gap.bottom))
    canvas.block(Box(left, gap.top, right, 1.0))


def alternating_gaps(canvas: Canvas, rng: np.random.Generator) -> None:
    """A thick wall across the middle, its gap near the bottom or, less often, near the top."""
    _draw_middle_wall(canvas, rng, HIGH_GAPS if rng.random() < HIGH_GAP_SHARE else LOW_GAPS)


def shifting_gaps(canvas: Canvas, rng: np.random.Generator) -> None:
    """A thick wall across the middle, its gap anywhere between bottom and top."""
    _draw_middle_wall(canvas, rng, ALL_GAPS)


def _draw_middle_wall(canvas: Canvas, rng: np.random.Generator, gaps: tuple[float, float]) -> None:
    gap = Gap.around(rng.uniform(*gaps), around(rng, GAP_HEIGHT, GAP_HEIGHT_SPREAD))
    x = around(rng, WALL_X, WALL_X_SPREAD)
    draw_wall(canvas, x, around(rng, WALL_WIDTH, WALL_WIDTH_SPREAD), gap)
