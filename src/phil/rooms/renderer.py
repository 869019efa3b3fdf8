"""Off-screen rendering of MuJoCo scenes."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from importlib import import_module
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.rooms.checker import DRONE_NAME
from phil.rooms.quadrotor import flight_spec
from phil.rooms.room import Room
from phil.rooms.scene import import_mujoco, mujoco_reads

Image = NDArray[np.uint8]  # (height, width, 3)

REMEDY = (
    "install the Debian packages libegl1 and libgl1, or libosmesa6, or set MUJOCO_GL to a back end "
    "available on this machine (egl, osmesa, glfw)"
)
# Back ends that render without a display, the faster one first.
LIBRARIES = {"mujoco.egl": "libEGL.so.1", "mujoco.osmesa": "libOSMesa.so.8"}
SHADOW = 1024  # pixels along a side of the shadow map


@mujoco_reads()
def lit_model(room: Room, size: tuple[int, int], samples: int) -> Any:
    """Compile a bright room with a drone and a pale sky, for pictures of (width, height) pixels.

    Edges are anti-aliased with `samples` samples per pixel.
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
    visual.quality.numslices, visual.quality.numstacks = 12, 8  # enough for thin lines
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


class Renderer:
    """Draws a model; use it in a `with` statement, or close it."""

    def __init__(self, model: Any, width: int, height: int, max_geoms: int) -> None:
        self._mujoco = mujoco = import_mujoco()
        self._model, self._size = model, (width, height)
        # Back ends raise different errors; they all mean that rendering is not possible.
        try:
            self._opengl = _context_class()(width, height)
            self._opengl.make_current()
            self._context = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_100)
        except Exception as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            raise InputError(f"no off-screen rendering ({reason}); {REMEDY}") from error
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, self._context)
        self._scene = mujoco.MjvScene(model, maxgeom=max_geoms)
        self._option = mujoco.MjvOption()
        self._pert = mujoco.MjvPerturb()

    def draw(
        self,
        data: Any,
        camera: Any,
        decorate: Callable[[Any], None],
        size: tuple[int, int] | None = None,
    ) -> Image:
        """Render the decorated scene as seen by a camera."""
        mujoco, scene = self._mujoco, self._scene
        width, height = size or self._size
        mujoco.mjv_updateScene(
            self._model, data, self._option, self._pert, camera, mujoco.mjtCatBit.mjCAT_ALL, scene
        )
        decorate(scene)
        view = mujoco.MjrRect(0, 0, width, height)
        mujoco.mjr_render(view, scene, self._context)
        pixels = np.empty((height, width, 3), np.uint8)
        mujoco.mjr_readPixels(pixels, None, view, self._context)
        return np.ascontiguousarray(pixels[::-1])

    def close(self) -> None:
        """Free the graphics context."""
        self._context.free()
        self._opengl.free()

    def __enter__(self) -> Renderer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _context_class() -> Any:
    """The OpenGL back end chosen by the user (`MUJOCO_GL`), or one that needs no display.

    Without `MUJOCO_GL`, MuJoCo itself would use a back end that needs a display.
    """
    mujoco = import_mujoco()
    if os.environ.get("MUJOCO_GL") or os.environ.get("DISPLAY") or sys.platform != "linux":
        return mujoco.GLContext
    for module, library in LIBRARIES.items():
        try:
            ctypes.CDLL(library)
        except OSError:
            continue
        return import_module(module).GLContext
    raise InputError("neither EGL nor OSMesa is installed")
