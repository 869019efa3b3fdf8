"""Rooms from MJCF files: anybody's MuJoCo scene as a room."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs.rooms.drone import DRONE, Drone
from phil.graphs.rooms.room import Room
from phil.graphs.rooms.simulator import import_mujoco

LONGEST = 50  # voxels along the longest side, if no size is said
MOST_VOXELS = 10**7  # each is a question to MuJoCo


def room_from_mjcf(path: str | Path, voxel: float | None = None, drone: Drone = DRONE) -> Room:
    """The room of an MJCF file: the box around all that collides in it, cut into voxels.

    `voxel` is the side of one in metres; if it is not said, the longest side of the room is 50 of
    them, or as many as the drone fits into. Bodies that can move stand where the file puts them.
    """
    path = Path(path)
    low, high = _bounds(path)
    room_for_drone = 2 * drone.clearance
    if voxel is None:
        voxel = max(float((high - low).max()) / LONGEST, room_for_drone)
    if not (math.isfinite(voxel) and voxel >= room_for_drone):
        raise InputError(
            f"a voxel of {voxel:g} m: the drone with its margin needs {room_for_drone:g} m or more"
        )
    # A side that is a whole number of voxels, but for rounding, has no more of them.
    shape = tuple(max(1, math.ceil(side / voxel - 1e-6)) for side in high - low)
    if math.prod(shape) > MOST_VOXELS:
        size = " x ".join(map(str, shape))
        raise InputError(
            f"{path}: {size} voxels of {voxel:g} m, and at most {MOST_VOXELS:,} are supported; "
            "choose larger voxels"
        )
    x, y, z = (float(side) for side in low)
    room = Room(path.stem, lambda: _read(path), (x, y, z), (shape[0], shape[1], shape[2]), voxel)
    if not room.free.any():
        raise InputError(
            f"{path}: the drone fits into none of its {math.prod(shape)} voxels of {voxel:g} m; "
            "there is no free space to fly in"
        )
    return room


def _read(path: Path) -> Any:
    """The scene of a file, which MuJoCo has compiled once without complaint."""
    mujoco = import_mujoco()
    if not path.is_file():
        raise InputError(f"{path}: there is no such file")
    try:
        spec = mujoco.MjSpec.from_file(str(path))
        spec.compile()
    except ValueError as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{path} is no scene that MuJoCo can read: {reason}") from error
    return spec


def _bounds(path: Path) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The lowest and the highest corner of the box around everything solid but planes."""
    mujoco = import_mujoco()
    model = _read(path).compile()
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    solid = (model.geom_contype | model.geom_conaffinity) != 0
    solid &= model.geom_type != mujoco.mjtGeom.mjGEOM_PLANE
    if not solid.any():
        raise InputError(
            f"{path} has nothing solid but planes, so that the room has no size; give it walls"
        )
    turns = data.geom_xmat[solid].reshape(-1, 3, 3)
    centres, halves = model.geom_aabb[solid, :3], model.geom_aabb[solid, 3:]
    middle = data.geom_xpos[solid] + np.einsum("nij,nj->ni", turns, centres)
    reach = np.einsum("nij,nj->ni", np.abs(turns), halves)
    return (middle - reach).min(axis=0), (middle + reach).max(axis=0)
