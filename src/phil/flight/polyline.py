"""From voxel to voxel, but straight on: the corners of a path that a drone needs to turn at."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from phil.errors import InputError
from phil.flight.free_space import FreeSpace, Point, Points
from phil.graphs.grid import Cell
from phil.graphs.rooms import Room

ROOM_TO_TURN = 0.03  # metres that a shortcut keeps beyond the margin, for its corners to be rounded


def straightened(room: Room, cells: Sequence[Cell], space: FreeSpace) -> Points:
    """A path of voxels as few straight lines in free space, from its first to its last.

    From every corner the farthest voxel is taken that a line with some room around it leads to;
    where there is no such voxel, the farthest that a free line leads to.
    """
    middles = [room.centre(cell) for cell in cells]
    for number, (start, end) in enumerate(pairwise(middles)):
        if not space.has_line(start, end):
            raise InputError(
                f"something stands between the voxels {cells[number]} and {cells[number + 1]} of "
                f"the path, thinner than their {room.voxel:g} m; choose smaller voxels"
            )
    roomy = FreeSpace(room, ROOM_TO_TURN)
    corners, last = [0], len(middles) - 1
    while corners[-1] < last:
        here = corners[-1]
        far = _farthest(middles, here, roomy)
        corners.append(far if far > here + 1 else _farthest(middles, here, space))
    return np.array([middles[corner] for corner in corners])


def _farthest(middles: Sequence[Point], here: int, space: FreeSpace) -> int:
    """The last voxel that a free line leads to from here; the next one, if there is no other."""
    for there in range(len(middles) - 1, here + 1, -1):
        if space.has_line(middles[here], middles[there]):
            return there
    return here + 1
