"""Straight lines between the centres of cells of a grid, compiled.

A line passes from cell to cell. Where it crosses a border, it goes on in the next cell, which must
be free. Where it meets a corner exactly, it crosses several borders at once, as a diagonal move
does, and the grid's rule for corners decides about the cells beside it. If the grid has no such
move, all of them must be free. Everything is computed in integers, so a line is never clear or
blocked by rounding.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import Array1, Struct, kernel, primitive
from phil.graphs.grid import GridGraph

SPACE = 3  # axes of a point; on a 2D grid, the first is 0

# Two sums of the same lengths differ by rounding.
SHORTER, AS_LONG = 1.0 - 1e-12, 1.0 + 1e-12


class Sight(Struct):
    """A grid as lines see it."""

    cells: Array1[np.uint8]  # 1 where free; flat, with a border of one cell
    strides: Array1[np.int64]  # by axis: the distance of neighbours in `cells`
    origin: int  # where the cell (0, 0, 0) is
    spare: Array1[np.int64]  # by borders crossed at once: how many cells beside may be blocked


def sight_of(grid: GridGraph) -> Sight:
    """The grid as lines see it."""
    stencil = grid.arrays.stencil
    line = grid.shape[-1] + 2
    layer = line * (grid.shape[-2] + 2)
    over = set(np.count_nonzero(grid.arrays.moves, axis=1).tolist())
    spare = [0] * (SPACE + 1)
    for borders in {2, 3} & over:
        beside = 2**borders - 2
        spare[borders] = {"allow": beside, "one_free": beside - 1, "both_free": 0}[grid.corners]
    return Sight(
        cells=stencil.cells,
        strides=np.array([layer if grid.axes == SPACE else 0, line, 1]),
        origin=stencil.origin,
        spare=np.array(spare),
    )


def points_of(grid: GridGraph, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The cells of nodes, one row each, with three axes."""
    points = np.zeros((nodes.size, SPACE), np.int64)
    points[:, SPACE - grid.axes :] = np.transpose(np.unravel_index(nodes, grid.shape))
    return points


@primitive
def _crossed(done: tuple[int, int, int], gaps: tuple[int, int, int]) -> tuple[int, int, int]:
    """By axis, 1 if the next border that a line crosses is one across this axis.

    A line over a gap of d cells crosses its border k, from 0, at (2 k + 1) / 2 d of its length.
    """
    top, bottom = 0, 0
    for axis in range(SPACE):
        if done[axis] < gaps[axis]:
            next_top = 2 * done[axis] + 1
            if bottom == 0 or next_top * bottom < top * gaps[axis]:
                top, bottom = next_top, gaps[axis]
    x = int(done[0] < gaps[0] and (2 * done[0] + 1) * bottom == top * gaps[0])
    y = int(done[1] < gaps[1] and (2 * done[1] + 1) * bottom == top * gaps[1])
    z = int(done[2] < gaps[2] and (2 * done[2] + 1) * bottom == top * gaps[2])
    return x, y, z


@primitive
def _gaps(here: NDArray[np.int64], there: NDArray[np.int64]) -> tuple[int, int, int]:
    return abs(there[0] - here[0]), abs(there[1] - here[1]), abs(there[2] - here[2])


@primitive
def _steps(here: NDArray[np.int64], there: NDArray[np.int64]) -> tuple[int, int, int]:
    x = 1 if there[0] > here[0] else -1
    y = 1 if there[1] > here[1] else -1
    z = 1 if there[2] > here[2] else -1
    return x, y, z


@primitive
def is_clear(sight: Sight, here: NDArray[np.int64], there: NDArray[np.int64]) -> bool:
    """Whether the line between the centres of two free cells is clear."""
    gaps, steps = _gaps(here, there), _steps(here, there)
    done = (0, 0, 0)
    place = sight.origin
    for axis in range(SPACE):
        place += here[axis] * sight.strides[axis]
    while done != gaps:
        over = _crossed(done, gaps)
        a = over[0] * steps[0] * sight.strides[0]
        b = over[1] * steps[1] * sight.strides[1]
        c = over[2] * steps[2] * sight.strides[2]
        borders = over[0] + over[1] + over[2]
        if borders > 1:
            blocked = 0
            for part in range(1, 7):
                x, y, z = part >> 2 & 1, part >> 1 & 1, part & 1
                if x <= over[0] and y <= over[1] and z <= over[2] and x + y + z < borders:
                    blocked += 1 - sight.cells[place + x * a + y * b + z * c]
            if blocked > sight.spare[borders]:
                return False
        place += a + b + c
        if sight.cells[place] == 0:
            return False
        done = (done[0] + over[0], done[1] + over[1], done[2] + over[2])
    return True


@kernel
def first_blocked(sight: Sight, points: NDArray[np.int64]) -> int:
    """The first point that cannot be seen from the one before it; 0 if there is none."""
    for k in range(1, points.shape[0]):
        if not is_clear(sight, points[k - 1], points[k]):
            return k
    return 0


@kernel
def cells_between(
    here: NDArray[np.int64], there: NDArray[np.int64], cells: NDArray[np.int64]
) -> int:
    """Write the cells that a line passes after the first one; return their number."""
    gaps, steps = _gaps(here, there), _steps(here, there)
    done, count = (0, 0, 0), 0
    while done != gaps:
        over = _crossed(done, gaps)
        done = (done[0] + over[0], done[1] + over[1], done[2] + over[2])
        for axis in range(SPACE):
            cells[count, axis] = here[axis] + done[axis] * steps[axis]
        count += 1
    return count


@kernel
def pull(
    sight: Sight,
    points: NDArray[np.int64],
    reach: int,
    lengths: NDArray[np.float64],
    before: NDArray[np.int64],
) -> None:
    """Find the shortest way along clear lines from the first point to each of the others.

    A line joins points that are at most `reach` apart on the list; each sees the one before it.
    Writes the lengths of the ways, and the point before the last one of each.
    """
    lengths[0] = 0.0
    before[0] = 0
    for k in range(1, points.shape[0]):
        # What leads to the point before is likely to be the best here, too, and rules out others.
        before[k] = k - 1
        lengths[k] = lengths[k - 1] + _distance(points[k - 1], points[k])
        first = max(0, k - reach)
        _offer(sight, points, max(first, before[k - 1]), k, lengths, before)
        for other in range(first, k - 1):
            _offer(sight, points, other, k, lengths, before)


@primitive
def _offer(
    sight: Sight,
    points: NDArray[np.int64],
    other: int,
    k: int,
    lengths: NDArray[np.float64],
    before: NDArray[np.int64],
) -> None:
    length = lengths[other] + _distance(points[other], points[k])
    # Of ways of equal length, that with the longest last line: points on a line are left out.
    better = length < SHORTER * lengths[k] or (other < before[k] and length < AS_LONG * lengths[k])
    if better and is_clear(sight, points[other], points[k]):
        lengths[k] = min(length, lengths[k])
        before[k] = other


@primitive
def _distance(here: NDArray[np.int64], there: NDArray[np.int64]) -> float:
    total = 0.0
    for axis in range(SPACE):
        gap = np.float64(there[axis] - here[axis])
        total += gap * gap
    return float(np.sqrt(total))
