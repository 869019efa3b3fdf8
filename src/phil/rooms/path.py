"""Straightening a path of voxels: the corners at which a drone needs to turn."""

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

TURNING_CLEARANCE = 0.03  # metres beyond the margin that shortcuts keep, to round their corners


class FreeSpace:
    """Checks whether the drone, with its margin plus `extra` metres, can follow lines and curves.

    Checks are a quarter of the drone's radius apart; between them, a sphere comes closer to
    obstacles by less than 1 % of its radius.
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
        """Which points are free; a curve is free if its points every `step` metres are."""
        return np.array([self._checker.is_free_at(point) for point in points], bool)


def _far_apart_first(count: int) -> list[int]:
    """The numbers below `count`, ordered so that obstacles on a line are found early.

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

    From each corner, the line goes to the farthest voxel that it reaches with extra clearance or,
    failing that, to the farthest that it reaches at all.
    """
    centres = [room.centre(cell) for cell in cells]
    for number, (start, end) in enumerate(pairwise(centres)):
        if not space.has_line(start, end):
            raise InputError(
                f"an obstacle thinner than a voxel ({room.voxel:g} m) blocks the path between the "
                f"voxels {cells[number]} and {cells[number + 1]}; choose smaller voxels"
            )
    wide = FreeSpace(room, TURNING_CLEARANCE)
    corners, last = [0], len(centres) - 1
    while corners[-1] < last:
        here = corners[-1]
        far = _farthest(centres, here, wide)
        corners.append(far if far > here + 1 else _farthest(centres, here, space))
    return np.array([centres[corner] for corner in corners])


def _farthest(centres: Sequence[Point], here: int, space: FreeSpace) -> int:
    """The last voxel reached by a free line from here, or else the next one."""
    for there in range(len(centres) - 1, here + 1, -1):
        if space.has_line(centres[here], centres[there]):
            return there
    return here + 1
