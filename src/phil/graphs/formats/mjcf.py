"""MuJoCo scenes (MJCF): the voxels that a drone can fly through."""

from __future__ import annotations

from pathlib import Path

from phil.graphs.grid import GridGraph
from phil.graphs.rooms.mjcf import room_from_mjcf


def read_mjcf(path: str | Path) -> GridGraph:
    """The room of an MJCF file as a 3D map (see `room_from_mjcf`)."""
    return room_from_mjcf(path).grid()
