"""MJCF files: any MuJoCo scene as a room, and as a graph format."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs.formats.format import Format, matches
from phil.graphs.grid import GridGraph
from phil.rooms.checker import DRONE, Drone
from phil.rooms.room import Room
from phil.rooms.scene import import_mujoco

DEFAULT_VOXELS = 50  # along the longest side
MAX_VOXELS = 10**7  # each costs a collision check


def room_from_mjcf(path: str | Path, voxel: float | None = None, drone: Drone = DRONE) -> Room:
    """Read a room from an MJCF file: the bounding box of all solid geoms, divided into voxels.

    Movable bodies stay where the file places them.

    Parameters
    ----------
    path : str or Path
        A MuJoCo scene (MJCF).
    voxel : float, optional
        The side of a voxel in metres. By default the longest side of the room has 50 voxels, or
        fewer if the drone would not fit into them.
    drone : Drone, optional
        The drone that must fit.

    Returns
    -------
    Room

    Raises
    ------
    InputError
        If MuJoCo is not installed or cannot read the file, if the voxels are too small for the
        drone or too many, or if none of them is free.
    """
    path = Path(path)
    low, high = _bounds(path)
    room_for_drone = 2 * drone.clearance
    if voxel is None:
        voxel = max(float((high - low).max()) / DEFAULT_VOXELS, room_for_drone)
    if not (math.isfinite(voxel) and voxel >= room_for_drone):
        raise InputError(
            f"voxels of {voxel:g} m are too small: the drone with its margin needs at least "
            f"{room_for_drone:g} m"
        )
    # A side that is a whole number of voxels up to rounding gets no extra voxel.
    shape = tuple(max(1, math.ceil(side / voxel - 1e-6)) for side in high - low)
    if math.prod(shape) > MAX_VOXELS:
        size = " x ".join(map(str, shape))
        raise InputError(
            f"{path}: {size} voxels of {voxel:g} m, but at most {MAX_VOXELS:,} are supported; "
            "choose larger voxels"
        )
    x, y, z = (float(side) for side in low)
    room = Room(path.stem, lambda: _read(path), (x, y, z), (shape[0], shape[1], shape[2]), voxel)
    if not room.free.any():
        raise InputError(
            f"{path}: the drone fits into none of the {math.prod(shape)} voxels of {voxel:g} m; "
            "there is no free space to fly in"
        )
    return room


def read_mjcf(path: str | Path) -> GridGraph:
    """Read the room of an MJCF file as a 3D map (see `room_from_mjcf`)."""
    return room_from_mjcf(path).grid()


def _read(path: Path) -> Any:
    """The scene in a file, validated by compiling it once."""
    mujoco = import_mujoco()
    if not path.is_file():
        raise InputError(f"{path}: there is no such file")
    try:
        spec = mujoco.MjSpec.from_file(str(path))
        spec.compile()
    except ValueError as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{path} is not a scene that MuJoCo can read: {reason}") from error
    return spec


def _bounds(path: Path) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The lower and upper corner of the bounding box of all solid geoms except planes."""
    mujoco = import_mujoco()
    model = _read(path).compile()
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    solid = (model.geom_contype | model.geom_conaffinity) != 0
    solid &= model.geom_type != mujoco.mjtGeom.mjGEOM_PLANE
    if not solid.any():
        raise InputError(
            f"{path} has no solid geoms other than planes, so the room has no size; add walls"
        )
    turns = data.geom_xmat[solid].reshape(-1, 3, 3)
    centres, halves = model.geom_aabb[solid, :3], model.geom_aabb[solid, 3:]
    middle = data.geom_xpos[solid] + np.einsum("nij,nj->ni", turns, centres)
    reach = np.einsum("nij,nj->ni", np.abs(turns), halves)
    return (middle - reach).min(axis=0), (middle + reach).max(axis=0)


FORMAT = Format(
    name="MuJoCo scene (MJCF)",
    endings=(".xml",),
    holds="maps",
    read=read_mjcf,
    recognise=matches(rb"<mujoco[\s>/]"),
)
