"""Free space: which lines and curves the drone can follow without touching anything."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from phil.graphs.rooms import CollisionChecker, Room

Points = NDArray[np.float64]  # (n, 3), in metres
Point = NDArray[np.float64]  # (3,)


class FreeSpace:
    """A room as lines see it: MuJoCo is asked at places along them, the drone's margin included.

    `extra` metres are kept beyond that margin. The places are a quarter of the drone's radius
    apart, so that between them a sphere comes nearer to anything by less than 1 % of its radius.
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
        """Which places are free; a curve is, if it is free every `step`."""
        return np.array([self._checker.is_free_at(point) for point in points], bool)


def _far_apart_first(count: int) -> list[int]:
    """The numbers below `count`, in an order that meets whatever blocks a line early.

    >>> _far_apart_first(9)
    [0, 8, 4, 2, 6, 1, 3, 5, 7]
    """
    order = dict.fromkeys((0, count - 1))
    gap = 1 << (count - 1).bit_length()
    while gap:
        order.update(dict.fromkeys(range(gap, count, gap)))
        gap //= 2
    return list(order)
