"""MuJoCo scenes made of cuboids: a floor, walls, a ceiling and furniture."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from phil.errors import InputError, one_line

Span = tuple[float, float]
Colour = tuple[float, float, float]

RED = (0.78, 0.25, 0.22)
WALL = 0.1  # thickness of the walls, which are outside the room, in metres
HIDDEN_GROUP = 4  # the group of geoms that are not rendered
STORED = re.compile(r"[0-9a-f]{64}/")  # the folders of assets in memory, which no user knows


def import_mujoco() -> Any:
    """Return the module `mujoco`, or raise an error that says what to install.

    MuJoCo's warnings are logged (`phil.rooms`, level INFO) unless the program handles them itself:
    MuJoCo would print them and write a file into the current folder.
    """
    try:
        import mujoco
    except ImportError as error:
        raise InputError(
            "rooms need MuJoCo, which is not installed: pip install 'phil-search[rooms]'"
        ) from error
    if mujoco.get_mju_user_warning() is None:
        mujoco.set_mju_user_warning(logging.getLogger("phil.rooms").info)
    return mujoco


@contextmanager
def mujoco_reads() -> Iterator[None]:
    """Turn what MuJoCo raises about a scene into `InputError`, and ignore what it warns of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            yield
        except InputError:
            raise
        except (ValueError, import_mujoco().FatalError) as error:
            reason = one_line(STORED.sub("", str(error)))
            raise InputError(f"not a scene that MuJoCo can read: {reason}") from error


def compiled(spec: Any) -> Any:
    """Compile a scene."""
    with mujoco_reads():
        return spec.compile()


@dataclass(frozen=True)
class Cuboid:
    """An axis-aligned cuboid given by its extents in metres; invisible without a colour."""

    x: Span
    y: Span
    z: Span
    colour: Colour | None = None


def build_scene(name: str, cuboids: Iterable[Cuboid], size: tuple[float, ...]) -> Any:
    """A room of this size with a floor, walls, a ceiling and these cuboids: a `mujoco.MjSpec`."""
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
    for cuboid in (*_shell(size), *cuboids):
        add_cuboid(spec, cuboid)
    return spec


def add_cuboid(spec: Any, cuboid: Cuboid) -> None:
    """Add a cuboid that a drone can hit."""
    mujoco = import_mujoco()
    spans = (cuboid.x, cuboid.y, cuboid.z)
    spec.worldbody.add_geom(
        type=mujoco.mjtGeom.mjGEOM_BOX,
        pos=[(low + high) / 2 for low, high in spans],
        size=[(high - low) / 2 for low, high in spans],
        rgba=[*(cuboid.colour or RED), 1.0 if cuboid.colour else 0.0],
        group=0 if cuboid.colour else HIDDEN_GROUP,
    )


def _shell(size: tuple[float, ...]) -> list[Cuboid]:
    """Walls and a ceiling, invisible so that cameras can see inside."""
    width, depth, height = size
    x, y, z = (0.0, width), (0.0, depth), (0.0, height)
    return [
        Cuboid((-WALL, 0.0), y, z),
        Cuboid((width, width + WALL), y, z),
        Cuboid(x, (-WALL, 0.0), z),
        Cuboid(x, (depth, depth + WALL), z),
        Cuboid(x, y, (height, height + WALL)),
    ]
