"""Searches of one problem in a room, each in a picture from the same corner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from PIL import Image

from phil.flight.camera import overview
from phil.flight.canvas import Canvas
from phil.flight.light import lit_model
from phil.flight.markers import Markers
from phil.flight.search_marks import SearchMarks
from phil.graphs.rooms.checker import DRONE_NAME
from phil.graphs.rooms.simulator import import_mujoco

SIZE = (600, 540)
SAMPLES = 4
WORLD = 0  # the body of all that stays where it is
GLASS = 0.5  # how opaque furniture is, which would hide most of a search behind it


def room_pictures(
    searches: Sequence[SearchMarks], size: tuple[int, int] = SIZE
) -> list[Image.Image]:
    """Pictures of solved searches, the drone at the start; `InputError` if nothing can be drawn."""
    mujoco = import_mujoco()
    room = searches[0].flight.room
    model = lit_model(room, size, SAMPLES)
    data = mujoco.MjData(model)
    joint = model.joint(DRONE_NAME).qposadr[0]
    data.qpos[joint : joint + 3] = searches[0].path[0]
    places = np.concatenate([search.nodes[0] for search in searches])
    camera = overview(room, model, data, places, size[0] / size[1])
    inside = (model.geom_type != mujoco.mjtGeom.mjGEOM_PLANE) & (model.geom_bodyid == WORLD)
    model.geom_rgba[inside, 3] = GLASS
    most = 2 * model.ngeom + max(search.count for search in searches)

    def drawn(canvas: Canvas, search: SearchMarks) -> Image.Image:
        def mark(scene: Any) -> None:
            search.add(Markers(scene))

        return Image.fromarray(canvas.draw(data, camera, mark))

    with Canvas(model, *size, most_geoms=most) as canvas:
        return [drawn(canvas, search) for search in searches]
