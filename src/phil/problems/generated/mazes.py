"""Mazes: one winding tunnel from the bottom-left to the top-right corner."""

from __future__ import annotations

import numpy as np

from phil.problems.generated.canvas import Box, Canvas, around
from phil.problems.generated.walls import GAP_HEIGHT, Gap, draw_wall

WALL = 0.02
WALL_XS = (1 / 3, 2 / 3)
# Each gap keeps this distance to the bottom and the top, and the way climbs (or falls) at most so
# far between the corners and the gaps. The last two climbs are never nearly level.
GAP_MARGIN = 0.051
LONGEST_CLIMB = 0.8
SHORTEST_CLIMB = 0.1
# Measured: the way rises between the gaps in 357 of the 600 public mazes.
RISING_SHARE = 0.6
# The public mazes differ in the heights of their gaps alone (590 different maps of 600); moving the
# walls and the gaps' edges a little gives millions, around the same means.
WALL_X_SPREAD = 0.02
GAP_HEIGHT_SPREAD = 0.01


def mazes(canvas: Canvas, rng: np.random.Generator) -> None:
    """Three shafts behind one another, closed so that no detour beside the tunnel exists.

    The tunnel rises in the left shaft to a gap, rises or falls in the middle shaft to the next gap,
    and rises in the right shaft to the goal. A ceiling or floor at each gap cuts the rest off.
    """
    clearance = around(rng, GAP_HEIGHT, GAP_HEIGHT_SPREAD)
    first, second = (Gap.around(y, clearance) for y in _gap_heights(rng))
    left, right = (around(rng, x, WALL_X_SPREAD) for x in WALL_XS)
    width, height = canvas.visible(WALL)
    draw_wall(canvas, left, width, first)
    draw_wall(canvas, right, width, second)

    def ceiling(start: float, end: float, y: float) -> None:
        canvas.block(Box(start, y, end, y + height))

    def floor(start: float, end: float, y: float) -> None:
        canvas.block(Box(start, y - height, end, y))

    ceiling(0.0, left, first.top)
    ceiling(left, right, max(first.top, second.top))
    floor(left, right, min(first.bottom, second.bottom))
    floor(right, 1.0, second.bottom)


def _gap_heights(rng: np.random.Generator) -> tuple[float, float]:
    """The middles of both gaps: every allowed pair that rises (or falls) is equally likely."""
    rises = rng.random() < RISING_SHARE
    while True:
        first, second = rng.uniform(GAP_MARGIN, 1 - GAP_MARGIN, size=2)
        climbs = np.abs(np.diff([0.0, first, second, 1.0]))
        allowed = climbs.max() <= LONGEST_CLIMB and climbs[1:].min() > SHORTEST_CLIMB
        if allowed and (second > first) == rises:
            return float(first), float(second)
