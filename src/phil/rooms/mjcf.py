"""MJCF files: any MuJoCo scene as a room, and as a graph format."""

from __future__ import annotations

from pathlib import Path

from phil.errors import InputError
from phil.graphs.formats.format import Format, root_element
from phil.graphs.formats.source import errors_name, outside_allowed
from phil.graphs.grid import GridGraph
from phil.rooms.checker import DRONE, Drone
from phil.rooms.room import Room
from phil.rooms.scene import import_mujoco


def room_from_mjcf(
    path: str | Path,
    voxel: float | None = None,
    drone: Drone = DRONE,
    *,
    allow_outside: bool | None = None,
) -> Room:
    """Read a room from an MJCF file: the bounding box of all solid geoms, divided into voxels.

    Movable bodies stay where the file places them.

    Parameters
    ----------
    path : str or Path
        A MuJoCo scene (MJCF), plain or gzipped.
    voxel : float, optional
        The side of a voxel in metres. By default the longest side of the room has 50 voxels, or
        fewer if the drone would not fit into them.
    drone : Drone, optional
        The drone that must fit.
    allow_outside : bool, optional
        Whether the scene may name files outside its own folder, such as meshes. Allow it only for
        files that you trust. By default it may not.

    Returns
    -------
    Room

    Raises
    ------
    InputError
        If MuJoCo is not installed or cannot read the scene within a minute and 2 GiB of memory, if
        the voxels are too small for the drone or too many, or if none of them is free.
    """
    from phil.rooms.child import survey  # slow to import, and reading any graph imports this module
    from phil.rooms.reader import read_scene

    path = Path(path)
    import_mujoco()
    if not path.is_file():
        raise InputError(f"{path}: there is no such file")
    with errors_name(path):
        with outside_allowed(allow_outside):
            files = read_scene(path)
        voxels, free = survey(files, voxel, drone)
    name = Path(path.name.removesuffix(".gz")).stem
    return Room(name, files.spec, voxels.origin, voxels.shape, voxels.side, drone, known=free)


def read_mjcf(path: str | Path) -> GridGraph:
    """Read the room of an MJCF file as a 3D map (see `room_from_mjcf`)."""
    return room_from_mjcf(path).grid()


FORMAT = Format(
    name="MuJoCo scene (MJCF)",
    endings=(".xml",),
    holds="maps",
    read=read_mjcf,
    recognise=lambda head, name: root_element(head) == b"mujoco",
)
