"""Rooms as pictures show them."""

from __future__ import annotations

from typing import Any

from phil.flight.quadrotor import flight_spec
from phil.graphs.rooms import Room
from phil.graphs.rooms.checker import DRONE_NAME
from phil.graphs.rooms.simulator import import_mujoco

SHADOW = 1024  # pixels along a side of the shadows' map


def lit_model(room: Room, size: tuple[int, int], samples: int) -> Any:
    """A bright room with a drone before a pale sky, for pictures (width, height) large.

    So many samples a pixel smooth their edges.
    """
    mujoco = import_mujoco()
    spec = flight_spec(room)
    visual = spec.visual
    visual.global_.offwidth, visual.global_.offheight = size
    visual.quality.offsamples = samples
    visual.headlight.active = 1
    visual.headlight.ambient = [0.5] * 3
    visual.headlight.diffuse = [0.25 if spec.lights else 0.5] * 3
    visual.headlight.specular = [0] * 3
    visual.quality.shadowsize = SHADOW
    visual.quality.numslices, visual.quality.numstacks = 12, 8  # thin lines need no more
    sky = mujoco.mjtTexture.mjTEXTURE_SKYBOX
    if not any(texture.type == sky for texture in spec.textures):
        spec.add_texture(
            name=f"{DRONE_NAME}_sky",
            type=sky,
            builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
            rgb1=[0.93, 0.95, 0.97],
            rgb2=[0.7, 0.76, 0.82],
            width=64,
            height=64,
        )
    return spec.compile()
