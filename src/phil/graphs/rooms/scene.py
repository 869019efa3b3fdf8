"""Writing a furnished room as a MuJoCo scene."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from phil.graphs.rooms.furniture import RED, Box
from phil.graphs.rooms.simulator import import_mujoco

WALL = 0.1  # thickness, outside the room
UNSEEN = 4  # the group of geoms that no camera shows


def build_scene(name: str, boxes: Iterable[Box], size: tuple[float, ...]) -> Any:
    """A room of this size with these boxes, a floor, walls and a ceiling: a `mujoco.MjSpec`."""
    mujoco = import_mujoco()
    spec = mujoco.MjSpec()
    spec.modelname = f"room_{name}"
    spec.stat.center = [side / 2 for side in size]
    spec.stat.extent = max(size)
    width, depth, height = size
    spec.add_texture(
        name="floor",
        type=mujoco.mjtTexture.mjTEXTURE_2D,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_CHECKER,
        rgb1=[0.82, 0.8, 0.77],
        rgb2=[0.76, 0.74, 0.71],
        width=256,
        height=256,
    )
    floor = spec.add_material(name="floor", texrepeat=[width, depth])
    floor.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = "floor"
    spec.worldbody.add_light(
        pos=[width / 2, depth / 2, 2 * height], dir=[0.1, 0.15, -1], diffuse=[0.6, 0.6, 0.6]
    )
    spec.worldbody.add_geom(
        type=mujoco.mjtGeom.mjGEOM_PLANE,
        pos=[width / 2, depth / 2, 0],
        size=[width / 2, depth / 2, 0.1],
        material="floor",
    )
    for box in (*_shell(size), *boxes):
        add_box(spec, box)
    return spec


def add_box(spec: Any, box: Box) -> None:
    """Add a box that a drone can hit."""
    mujoco = import_mujoco()
    spans = (box.x, box.y, box.z)
    spec.worldbody.add_geom(
        type=mujoco.mjtGeom.mjGEOM_BOX,
        pos=[(low + high) / 2 for low, high in spans],
        size=[(high - low) / 2 for low, high in spans],
        rgba=[*(box.colour or RED), 1.0 if box.colour else 0.0],
        group=0 if box.colour else UNSEEN,
    )


def _shell(size: tuple[float, ...]) -> list[Box]:
    """Walls and a ceiling, unseen so that cameras look in."""
    width, depth, height = size
    x, y, z = (0.0, width), (0.0, depth), (0.0, height)
    return [
        Box((-WALL, 0.0), y, z),
        Box((width, width + WALL), y, z),
        Box(x, (-WALL, 0.0), z),
        Box(x, (depth, depth + WALL), z),
        Box(x, y, (height, height + WALL)),
    ]
