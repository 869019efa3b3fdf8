"""Walls with gaps, and mazes: walls from bottom to top, each with one gap."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from phil.problems.generated.canvas import Box, Canvas, around

GAP_HEIGHT = 0.1
# The centre of a gap: uniform over these bands in the public maps.
LOW_GAPS = (0.1, 0.3)
HIGH_GAPS = (0.7, 0.9)
ALL_GAPS = (0.1, 0.9)
# Measured: 181 of the 600 public alternating_gaps maps have their gap in the high band.
HIGH_GAP_SHARE = 0.3

WALL_X = 0.5
WALL_WIDTH = 0.2
# The public walls differ in the gap's position alone, so 82 (alternating) and 161 (shifting) maps
# exist and they repeat. Shifting the wall and its edges slightly gives over half a million, with
# the same means.
WALL_X_SPREAD = 0.1
WALL_WIDTH_SPREAD = 0.05
GAP_HEIGHT_SPREAD = 0.02

# mazes: one winding tunnel from the bottom-left to the top-right corner.
MAZE_WALL = 0.02
MAZE_XS = (1 / 3, 2 / 3)
# Each gap keeps this distance from the bottom and the top, and the path rises (or falls) at most
# this far between the corners and the gaps. The last two rises are never nearly level.
GAP_MARGIN = 0.051
LONGEST_CLIMB = 0.8
SHORTEST_CLIMB = 0.1
# Measured: the path rises between the gaps in 357 of the 600 public mazes.
RISING_SHARE = 0.6
# The public mazes differ in the heights of their gaps alone (590 different maps of 600); moving the
# walls and the gaps' edges slightly gives millions, with the same means.
MAZE_X_SPREAD = 0.02
MAZE_GAP_SPREAD = 0.01


class Gap(NamedTuple):
    """The edges of the two parts of a wall; the cells strictly between them are free."""

    bottom: float
    top: float

    @classmethod
    def around(cls, y: float, height: float) -> Gap:
        """The gap of that height centred at y."""
        return cls(y - height / 2, y + height / 2)


def draw_wall(canvas: Canvas, x: float, width: float, gap: Gap) -> None:
    """Draw a wall centred at x, with one gap."""
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


def mazes(canvas: Canvas, rng: np.random.Generator) -> None:
    """Three adjacent shafts, closed so that there is no way around the tunnel.

    The tunnel rises in the left shaft to a gap, rises or falls in the middle shaft to the next gap,
    and rises in the right shaft to the goal. A ceiling or floor at each gap cuts the rest off.
    """
    clearance = around(rng, GAP_HEIGHT, MAZE_GAP_SPREAD)
    first, second = (Gap.around(y, clearance) for y in _gap_heights(rng))
    left, right = (around(rng, x, MAZE_X_SPREAD) for x in MAZE_XS)
    width, height = canvas.visible(MAZE_WALL)
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
    """The centres of both gaps, uniform over the allowed pairs that rise (or fall)."""
    rises = rng.random() < RISING_SHARE
    while True:
        first, second = rng.uniform(GAP_MARGIN, 1 - GAP_MARGIN, size=2)
        climbs = np.abs(np.diff([0.0, first, second, 1.0]))
        allowed = climbs.max() <= LONGEST_CLIMB and climbs[1:].min() > SHORTEST_CLIMB
        if allowed and (second > first) == rises:
            return float(first), float(second)
