"""Bug traps: three bars open to one side, which hold a search that heads straight for the goal."""

from __future__ import annotations

from typing import Literal

import numpy as np

from phil.problems.generated.canvas import Box, Canvas, around

Opening = Literal["left", "down"]

# A single trap stands in a frame whose bottom-left corner is near a point of a square lattice.
FRAME_WIDTH = 0.375
FRAME_HEIGHT = 0.425
FRAME_WALL = 0.05
LATTICE_SPACING = 0.2
LATTICE_POINTS = 4
LATTICE_OFFSETS = (-0.0375, 0.0125)
# The public traps are all of one size, so about 1,700 maps exist and they repeat; varying the
# frame and its wall a little gives over a million, around the same means.
FRAME_SPREAD = 0.02
FRAME_WALL_SPREAD = 0.01

# Three thin traps: a tall one in the middle that opens to the left, between two that open down.
THIN_WALL = 0.025
TALL_WIDTH, TALL_HEIGHT = 0.25, 0.55
TALL_X, TALL_Y = 0.5, (0.2, 0.8)
CAP_WIDTH, CAP_HEIGHT = 0.35, 0.375
CAP_XS = ((0.0, 0.25), (0.75, 1.0))
CAP_TOP = (0.55, 0.9)


def draw_bugtrap(canvas: Canvas, box: Box, wall: float, opening: Opening) -> None:
    """Draw a trap that fills the box, its bars as thick as `wall`, without a bar at the opening."""
    if opening == "down":  # the mirror image of one that opens to the left
        canvas, box = canvas.transposed, Box(box.bottom, box.left, box.top, box.right)
    width, height = canvas.visible(wall)
    canvas.block(box._replace(left=box.right - width))
    canvas.block(box._replace(top=box.bottom + height))
    canvas.block(box._replace(bottom=box.top - height))


def single_bugtrap(canvas: Canvas, rng: np.random.Generator) -> None:
    """One trap, wholly on the map, that opens to the left or down."""
    width = around(rng, FRAME_WIDTH, FRAME_SPREAD)
    height = around(rng, FRAME_HEIGHT, FRAME_SPREAD)
    wall = around(rng, FRAME_WALL, FRAME_WALL_SPREAD)
    left, bottom = _near_lattice(rng, width), _near_lattice(rng, height)
    frame = Box(left, bottom, left + width, bottom + height)
    if rng.random() < 0.5:
        draw_bugtrap(canvas, frame, wall, "left")
    else:  # measured: the legs of these end one wall above the floor of the frame
        draw_bugtrap(canvas, frame._replace(bottom=bottom + wall), wall, "down")


def multiple_bugtraps(canvas: Canvas, rng: np.random.Generator) -> None:
    """Three traps side by side, which may overlap and reach over the border of the map."""
    tall = Box.around(TALL_X, rng.uniform(*TALL_Y), TALL_WIDTH, TALL_HEIGHT)
    draw_bugtrap(canvas, tall, THIN_WALL, "left")
    for xs in CAP_XS:
        x, top = rng.uniform(*xs), rng.uniform(*CAP_TOP)
        cap = Box(x - CAP_WIDTH / 2, top - CAP_HEIGHT, x + CAP_WIDTH / 2, top)
        draw_bugtrap(canvas, cap, THIN_WALL, "down")


def _near_lattice(rng: np.random.Generator, length: float) -> float:
    """Where a stretch of that length begins: near a lattice point and wholly on the map."""
    while True:
        start = LATTICE_SPACING * rng.integers(LATTICE_POINTS) + rng.uniform(*LATTICE_OFFSETS)
        if 0.0 <= start <= 1.0 - length:
            return float(start)
