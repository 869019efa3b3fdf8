"""Forests of equal squares, alone or between walls and around a bug trap."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.problems.generated.bugtraps import draw_bugtrap
from phil.problems.generated.canvas import Box, Canvas
from phil.problems.generated.walls import GAP_HEIGHT, HIGH_GAPS, LOW_GAPS, Gap, draw_wall

SQUARE_SIDE = 0.1

# forest: two bars that never move and clusters of squares. Cluster centres, spread and counts were
# fitted to the squares found in the 600 public train maps; centres outside the clearing are drawn
# again, which thins the clusters near its left and right edges. It passes the top of the map, so
# squares stick out there, as they do in the public maps.
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

# gaps_and_forest: two walls, so that the way leads up, down and up again, and a forest on each
# side of them. Squares may close a gap; those maps have no path and stay as they are.
WALL_WIDTH = 0.15
WALLS = ((0.3, HIGH_GAPS), (0.7, LOW_GAPS))
WALL_FORESTS = (Box(0.0, 0.1, 0.25, 0.9), Box(0.35, 0.1, 0.65, 0.9), Box(0.75, 0.1, 1.0, 0.9))
WALL_FOREST_SQUARES = 3.0


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
    """A Poisson number of points, evenly over the region."""
    return rng.uniform(region[:2], region[2:], size=(rng.poisson(mean_count), 2))


def _clustered(rng: np.random.Generator, count: int) -> NDArray[np.float64]:
    """Points of the clusters, all inside the clearing."""
    points = np.empty((0, 2))
    while len(points) < count:
        drawn = rng.normal(CLUSTERS[rng.integers(len(CLUSTERS), size=count)], CLUSTER_SPREAD)
        inside = (drawn >= CLEARING[:2]) & (drawn <= CLEARING[2:])
        points = np.concatenate([points, drawn[inside.all(axis=1)]])
    return points[:count]
