"""What a film adds to a scene: boxes, balls and lines that nothing can touch."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.flight.free_space import Point, Points
from phil.graphs.rooms.simulator import import_mujoco

UPRIGHT = np.eye(3).ravel()

Rgba = NDArray[np.float32]


def rgba(colour: tuple[int, int, int] | NDArray[np.uint8], alpha: float) -> Rgba:
    """A colour as MuJoCo has it, from one with channels up to 255."""
    return np.array([*(np.asarray(colour) / 255), alpha], np.float32)


class Markers:
    """Adds to an `MjvScene`, which must have room for it."""

    def __init__(self, scene: Any) -> None:
        self._mujoco, self._scene = import_mujoco(), scene

    def box(self, place: Point, half: float, colour: Rgba) -> None:
        """A cube by its middle and half its side."""
        self._add(self._mujoco.mjtGeom.mjGEOM_BOX, place, half, colour)

    def ball(self, place: Point, radius: float, colour: Rgba) -> None:
        """A ball by its middle."""
        self._add(self._mujoco.mjtGeom.mjGEOM_SPHERE, place, radius, colour)

    def line(self, points: Points, radius: float, colour: Rgba) -> None:
        """A line through points, as thick as twice the radius."""
        capsule = self._mujoco.mjtGeom.mjGEOM_CAPSULE
        for start, end in pairwise(points):
            geom = self._add(capsule, start, radius, colour)
            self._mujoco.mjv_connector(geom, capsule, radius, start, end)

    def _add(self, kind: Any, place: Point, size: float, colour: Rgba) -> Any:
        geom = self._scene.geoms[self._scene.ngeom]
        self._scene.ngeom += 1
        self._mujoco.mjv_initGeom(geom, kind, np.full(3, size), place, UPRIGHT, colour)
        return geom
