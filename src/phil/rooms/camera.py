"""Cameras: an overview from above a corner, and one behind the drone."""

from __future__ import annotations

from typing import Any

import numpy as np

from phil.rooms.checker import DRONE_NAME
from phil.rooms.path import Point, Points
from phil.rooms.room import Room
from phil.rooms.scene import HIDDEN_GROUP, import_mujoco

AZIMUTHS, ELEVATION = (125.0, 215.0, 305.0, 35.0), -50.0  # degrees, one azimuth per corner
CHASE_DISTANCE, CHASE_ELEVATION = 0.5, -25.0
SHOWN_GROUPS = 3  # geoms of the groups 0, 1 and 2 are drawn
HIDING = 0.15  # a geom that hides more of the room than this is not drawn
SAMPLED = 400  # voxels


def overview(room: Room, model: Any, data: Any, way: Points, aspect: float) -> Any:
    """A camera that sees the whole room from above the corner with the best view of the path.

    Walls or roofs in front of it, which a room from a file may have, are hidden in the model.
    """
    mujoco = import_mujoco()
    steep = np.tan(np.radians(model.vis.global_.fovy) / 2)
    mujoco.mj_forward(model, data)
    groups = shown = model.geom_group.copy()
    best, least = None, len(way) + 1
    for azimuth in AZIMUTHS:
        middle, distance = _framed(room, azimuth, steep, aspect)
        eye = middle - distance * _axes(azimuth)[2]
        model.geom_group[:] = groups
        _hide_obstructions(room, model, data, eye)
        hidden = sum(geom >= 0 for geom in _first_hits(model, data, eye, way))
        if hidden < least:
            best, least = (middle, distance, azimuth), hidden
            shown = model.geom_group.copy()
    assert best is not None
    model.geom_group[:] = shown
    return _camera(*best, ELEVATION)


def chase(place: Point, heading: float) -> Any:
    """A camera behind and above the drone; the heading is in degrees."""
    return _camera(place, CHASE_DISTANCE, heading, CHASE_ELEVATION)


def _camera(target: Point, distance: float, azimuth: float, elevation: float) -> Any:
    camera = import_mujoco().MjvCamera()
    camera.lookat[:] = target
    camera.distance, camera.azimuth, camera.elevation = distance, azimuth, elevation
    return camera


def _framed(room: Room, azimuth: float, steep: float, aspect: float) -> tuple[Point, float]:
    """The target and distance at which the room fills the picture."""
    size = room.voxel * np.array(room.shape)
    middle = np.array(room.origin) + size / 2
    corners = np.indices((2, 2, 2)).reshape(3, -1).T * size + np.array(room.origin)
    right_way, up_way, ahead_way = _axes(azimuth)
    distance = 0.0
    for _ in range(10):  # perspective: the centre of the picture is not that of the room
        right, up, ahead = ((corners - middle) @ way for way in (right_way, up_way, ahead_way))
        distance = float((np.maximum(np.abs(up), np.abs(right) / aspect) / steep - ahead).max())
        heights = up / (distance + ahead)
        middle = middle + up_way * distance * (heights.max() + heights.min()) / 2
    return middle, distance


def _hide_obstructions(room: Room, model: Any, data: Any, eye: Point) -> None:
    """Hide geoms that occlude many of the voxels sampled across the room."""
    free = np.argwhere(room.free)
    sampled = free[:: max(1, len(free) // SAMPLED)]
    targets = np.array([room.centre(tuple(cell)) for cell in sampled])
    while True:
        hits = [geom for geom in _first_hits(model, data, eye, targets) if geom >= 0]
        geoms, counts = np.unique(np.array(hits, np.int64), return_counts=True)
        hiding = geoms[counts > HIDING * len(targets)]
        if not len(hiding):
            return
        model.geom_group[hiding] = HIDDEN_GROUP


def _first_hits(model: Any, data: Any, eye: Point, targets: Points) -> list[int]:
    """For each target, the geom in front of it, or -1."""
    mujoco = import_mujoco()
    groups = np.array([1] * SHOWN_GROUPS + [0] * (6 - SHOWN_GROUPS), np.uint8)
    drone = model.body(DRONE_NAME).id
    geom = np.zeros(1, np.int32)
    hits = []
    for target in targets:
        # The distance is in lengths of the direction vector: the target is at 1.
        part = mujoco.mj_ray(model, data, eye, target - eye, groups, 1, drone, geom)
        hits.append(int(geom[0]) if 0 <= part < 1 else -1)
    return hits


def _axes(azimuth: float) -> tuple[Point, Point, Point]:
    """The right, up and forward directions of a camera above a corner."""
    turn, tilt = np.radians([azimuth, ELEVATION])
    ahead = np.array([np.cos(tilt) * np.cos(turn), np.cos(tilt) * np.sin(turn), np.sin(tilt)])
    right = np.array([np.sin(turn), -np.cos(turn), 0.0])
    return right, np.cross(right, ahead), ahead
