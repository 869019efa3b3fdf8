"""From voxel to voxel, but in straight lines: the corners at which a drone needs to turn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs.grid import Cell
from phil.rooms.checker import CollisionChecker
from phil.rooms.room import Room

Points = NDArray[np.float64]  # (n, 3), in metres
Point = NDArray[np.float64]  # (3,)

TURNING_CLEARANCE = 0.03  # metres that a shortcut keeps beyond the margin, to round its corners


class FreeSpace:
    """Which lines and curves the drone can follow, its margin and `extra` metres included.

    MuJoCo checks places a quarter of the drone's radius apart, so that between them a sphere comes
    nearer to anything by less than 1 % of its radius.
    """

    def __init__(self, room: Room, extra: float = 0.0) -> None:
        drone = replace(room.drone, margin=room.drone.margin + extra)
        self._checker = CollisionChecker(room.spec(), drone, room.centre)
        self.step = drone.radius / 4

    def has_line(self, start: Point, end: Point) -> bool:
        """Whether a straight line is free."""
        count = max(1, math.ceil(float(np.linalg.norm(end - start)) / self.step))
        return all(
            self._checker.is_free_at(start + (end - start) * (number / count))
            for number in _far_apart_first(count + 1)
        )

    def free(self, points: Points) -> NDArray[np.bool_]:
        """Which places are free; a curve is free if it is at every `step` metres."""
        return np.array([self._checker.is_free_at(point) for point in points], bool)


def _far_apart_first(count: int) -> list[int]:
    """The numbers below `count`, ordered so that whatever blocks a line is met early.

    >>> _far_apart_first(9)
    [0, 8, 4, 2, 6, 1, 3, 5, 7]
    """
    order = dict.fromkeys((0, count - 1))
    gap = 1 << (count - 1).bit_length()
    while gap:
        order.update(dict.fromkeys(range(gap, count, gap)))
        gap //= 2
    return list(order)


def straightened(room: Room, cells: Sequence[Cell], space: FreeSpace) -> Points:
    """A path of voxels as a few straight lines in free space.

    From each corner the line goes to the farthest voxel that it reaches with some extra clearance;
    where there is none, to the farthest that it reaches at all.
    """
    centres = [room.centre(cell) for cell in cells]
    for number, (start, end) in enumerate(pairwise(centres)):
        if not space.has_line(start, end):
            raise InputError(
                f"something stands between the voxels {cells[number]} and {cells[number + 1]} of "
                f"the path, thinner than their {room.voxel:g} m; choose smaller voxels"
            )
    wide = FreeSpace(room, TURNING_CLEARANCE)
    corners, last = [0], len(centres) - 1
    while corners[-1] < last:
        here = corners[-1]
        far = _farthest(centres, here, wide)
        corners.append(far if far > here + 1 else _farthest(centres, here, space))
    return np.array([centres[corner] for corner in corners])


def _farthest(centres: Sequence[Point], here: int, space: FreeSpace) -> int:
    """The last voxel that a free line leads to from here, or else the next one."""
    for there in range(len(centres) - 1, here + 1, -1):
        if space.has_line(centres[here], centres[there]):
            return there
    return here + 1
