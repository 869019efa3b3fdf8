"""How a scene is divided into voxels, and which of them are free."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.rooms.checker import CollisionChecker, Drone
from phil.rooms.scene import compiled, import_mujoco

DEFAULT_VOXELS = 50  # along the longest side
MAX_VOXELS = 10**7  # each costs a collision check
LARGEST = 1e4  # metres along a side; a flight is simulated in steps of milliseconds


@dataclass(frozen=True)
class Voxels:
    """The place, number and size of the voxels of a room."""

    origin: tuple[float, float, float]
    shape: tuple[int, int, int]
    side: float

    @property
    def count(self) -> int:
        """The number of voxels."""
        return math.prod(self.shape)

    def centre(self, cell: tuple[int, ...]) -> NDArray[np.float64]:
        """The centre of a voxel in metres."""
        return np.array(self.origin) + self.side * (np.array(cell) + 0.5)


def voxels_of(spec: Any, side: float | None, drone: Drone) -> Voxels:
    """Divide the bounding box of everything solid in a scene into voxels.

    Raises
    ------
    InputError
        If nothing is solid, or if the voxels are too small for the drone or too many.
    """
    low, high = _bounds(spec)
    room_for_drone = 2 * drone.clearance
    if side is None:
        side = max(float((high - low).max()) / DEFAULT_VOXELS, room_for_drone)
    if not (math.isfinite(side) and side >= room_for_drone):
        raise InputError(
            f"voxels of {side:g} m are too small: the drone with its margin needs at least "
            f"{room_for_drone:g} m"
        )
    # A side that is a whole number of voxels up to rounding gets no extra voxel.
    x, y, z = (max(1, math.ceil(length / side - 1e-6)) for length in (high - low).tolist())
    if x * y * z > MAX_VOXELS:
        raise InputError(
            f"{x} x {y} x {z} voxels of {side:g} m, but at most {MAX_VOXELS:,} are supported; "
            "choose larger voxels"
        )
    east, north, up = low.tolist()
    return Voxels((east, north, up), (x, y, z), side)


def _bounds(spec: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The lower and upper corner of the bounding box of all solid geoms except planes."""
    mujoco = import_mujoco()
    model = compiled(spec)
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    solid = (model.geom_contype | model.geom_conaffinity) != 0
    solid &= model.geom_type != mujoco.mjtGeom.mjGEOM_PLANE
    if not solid.any():
        raise InputError("no solid geoms other than planes, so the room has no size; add walls")
    turns = data.geom_xmat[solid].reshape(-1, 3, 3)
    centres, halves = model.geom_aabb[solid, :3], model.geom_aabb[solid, 3:]
    middle = data.geom_xpos[solid] + np.einsum("nij,nj->ni", turns, centres)
    reach = np.einsum("nij,nj->ni", np.abs(turns), halves)
    low, high = (middle - reach).min(axis=0), (middle + reach).max(axis=0)
    largest = float(np.abs([low, high]).max())
    if not largest <= LARGEST:  # or not a number
        raise InputError(
            f"a solid geom reaches {largest:g} m from the origin; {LARGEST:g} m are supported: "
            "correct its size and place"
        )
    return low, high


def free_voxels(spec: Any, voxels: Voxels, drone: Drone) -> NDArray[np.bool_]:
    """Which voxels the drone fits into; there is at least one."""
    checker = CollisionChecker(spec, drone, voxels.centre)
    cells = product(*map(range, voxels.shape))
    free = np.fromiter((checker.is_free(cell) for cell in cells), bool, voxels.count)
    if not free.any():
        raise InputError(
            f"the drone fits into none of the {voxels.count} voxels of {voxels.side:g} m; there is "
            "no free space to fly in"
        )
    return free.reshape(voxels.shape)
