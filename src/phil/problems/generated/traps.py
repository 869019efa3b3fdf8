"""Bug traps and forests.

A bug trap is three bars, open to one side, that trap a search heading straight for the goal; a
forest is a set of equal squares, alone, between walls or around a bug trap.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from phil.problems.generated.canvas import Box, Canvas, around
from phil.problems.generated.walls import GAP_HEIGHT, HIGH_GAPS, LOW_GAPS, Gap, draw_wall

Opening = Literal["left", "down"]

# A single trap stands in a frame whose bottom-left corner is near a point of a square lattice.
FRAME_WIDTH = 0.375
FRAME_HEIGHT = 0.425
FRAME_WALL = 0.05
LATTICE_SPACING = 0.2
LATTICE_POINTS = 4
LATTICE_OFFSETS = (-0.0375, 0.0125)
# The public traps all have one size, so only about 1,700 maps exist and they repeat; varying the
# frame and its wall slightly gives over a million, with the same means.
FRAME_SPREAD = 0.02
FRAME_WALL_SPREAD = 0.01

# Three thin traps: a tall one in the middle that opens to the left, between two that open down.
THIN_WALL = 0.025
TALL_WIDTH, TALL_HEIGHT = 0.25, 0.55
TALL_X, TALL_Y = 0.5, (0.2, 0.8)
CAP_WIDTH, CAP_HEIGHT = 0.35, 0.375
CAP_XS = ((0.0, 0.25), (0.75, 1.0))
CAP_TOP = (0.55, 0.9)

SQUARE_SIDE = 0.1

# forest: two bars that never move and clusters of squares. Cluster centres, spread and counts were
# fitted to the squares in the 600 public training maps; centres outside the clearing are redrawn,
# which thins the clusters near its left and right edges. The clearing extends beyond the top of the
# map, so squares are cut off there, as in the public maps.
FIXED_BARS = (Box(0.0, 0.75, 0.35, 0.8), Box(0.65, 0.25, 1.0, 0.3))
CLEARING = Box(0.075, 0.075, 0.925, 1.075)
CLUSTERS = np.array([(0.3, 0.3), (0.1, 0.5), (0.7, 0.7), (0.9, 0.5)])
CLUSTER_SPREAD = 0.004**0.5
CLUSTERED_SQUARES = 15
STRAY_SQUARES = 1.0

# bugtrap_forest: one tall trap that opens to the left, at any height, in an even forest.
TRAP_WIDTH, TRAP_HEIGHT = 0.35, 0.6
TRAP_WALL = 0.05
TRAP_X, TRAP_Y = 0.5, (0.2, 0.8)
TRAP_FOREST = Box(0.1, 0.1, 0.9, 0.9)
TRAP_FOREST_SQUARES = 10.0

# gaps_and_forest: two walls, so that the path leads up, down and up again, with forests on both
# sides. Squares may close a gap; such maps have no path and are kept.
WALL_WIDTH = 0.15
WALLS = ((0.3, HIGH_GAPS), (0.7, LOW_GAPS))
WALL_FORESTS = (Box(0.0, 0.1, 0.25, 0.9), Box(0.35, 0.1, 0.65, 0.9), Box(0.75, 0.1, 1.0, 0.9))
WALL_FOREST_SQUARES = 3.0


def draw_bugtrap(canvas: Canvas, box: Box, wall: float, opening: Opening) -> None:
    """Draw a trap that fills the box, with bars of thickness `wall` except at the opening."""
    if opening == "down":  # the mirror image of one that opens to the left
        canvas, box = canvas.transposed, Box(box.bottom, box.left, box.top, box.right)
    width, height = canvas.visible(wall)
    canvas.block(box._replace(left=box.right - width))
    canvas.block(box._replace(top=box.bottom + height))
    canvas.block(box._replace(bottom=box.top - height))


def single_bugtrap(canvas: Canvas, rng: np.random.Generator) -> None:
    """One trap, entirely on the map, that opens to the left or down."""
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
    """Three traps side by side, which may overlap and extend beyond the map."""
    tall = Box.around(TALL_X, rng.uniform(*TALL_Y), TALL_WIDTH, TALL_HEIGHT)
    draw_bugtrap(canvas, tall, THIN_WALL, "left")
    for xs in CAP_XS:
        x, top = rng.uniform(*xs), rng.uniform(*CAP_TOP)
        cap = Box(x - CAP_WIDTH / 2, top - CAP_HEIGHT, x + CAP_WIDTH / 2, top)
        draw_bugtrap(canvas, cap, THIN_WALL, "down")


def forest(canvas: Canvas, rng: np.random.Generator) -> None:
    """Two fixed bars, squares in four clusters along the diagonal's sides, and a few strays."""
    for bar in FIXED_BARS:
        canvas.block(bar)
    _draw_squares(canvas, _clustered(rng, CLUSTERED_SQUARES))
    _draw_squares(canvas, _scattered(rng, CLEARING, STRAY_SQUARES))


def bugtrap_forest(canvas: Canvas, rng: np.random.Generator) -> None:
    """A tall bug trap in the middle and squares anywhere around and inside it."""
    trap = Box.around(TRAP_X, rng.uniform(*TRAP_Y), TRAP_WIDTH, TRAP_HEIGHT)
    draw_bugtrap(canvas, trap, TRAP_WALL, "left")
    _draw_squares(canvas, _scattered(rng, TRAP_FOREST, TRAP_FOREST_SQUARES))


def gaps_and_forest(canvas: Canvas, rng: np.random.Generator) -> None:
    """Two walls, the first with a high gap, the second with a low one, and squares around them."""
    for x, gaps in WALLS:
        draw_wall(canvas, x, WALL_WIDTH, Gap.around(rng.uniform(*gaps), GAP_HEIGHT))
    for region in WALL_FORESTS:
        _draw_squares(canvas, _scattered(rng, region, WALL_FOREST_SQUARES))


def _draw_squares(canvas: Canvas, centres: NDArray[np.float64]) -> None:
    for x, y in centres:
        canvas.block(Box.around(x, y, SQUARE_SIDE, SQUARE_SIDE))


def _scattered(rng: np.random.Generator, region: Box, mean_count: float) -> NDArray[np.float64]:
    """A Poisson-distributed number of points, uniform over the region."""
    return rng.uniform(region[:2], region[2:], size=(rng.poisson(mean_count), 2))


def _clustered(rng: np.random.Generator, count: int) -> NDArray[np.float64]:
    """Points of the clusters, all inside the clearing."""
    points = np.empty((0, 2))
    while len(points) < count:
        drawn = rng.normal(CLUSTERS[rng.integers(len(CLUSTERS), size=count)], CLUSTER_SPREAD)
        inside = (drawn >= CLEARING[:2]) & (drawn <= CLEARING[2:])
        points = np.concatenate([points, drawn[inside.all(axis=1)]])
    return points[:count]


def _near_lattice(rng: np.random.Generator, length: float) -> float:
    """The start of an interval of that length: near a lattice point and entirely on the map."""
    while True:
        start = LATTICE_SPACING * rng.integers(LATTICE_POINTS) + rng.uniform(*LATTICE_OFFSETS)
        if 0.0 <= start <= 1.0 - length:
            return float(start)
