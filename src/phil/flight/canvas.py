"""Pictures of a MuJoCo scene without a screen."""

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
from phil.graphs.rooms.simulator import import_mujoco

Image = NDArray[np.uint8]  # (height, width, 3)

WHAT_IS_MISSING = (
    "install the Debian packages libegl1 and libgl1, or libosmesa6, or set MUJOCO_GL to what this "
    "machine has (egl, osmesa, glfw)"
)
# What can draw without a screen, the faster first.
LIBRARIES = {"mujoco.egl": "libEGL.so.1", "mujoco.osmesa": "libOSMesa.so.8"}


class Canvas:
    """Draws a model; to be closed, or used by `with`."""

    def __init__(self, model: Any, width: int, height: int, most_geoms: int) -> None:
        self._mujoco = mujoco = import_mujoco()
        self._model, self._size = model, (width, height)
        # The errors differ from backend to backend; they all mean that nothing can be drawn here.
        try:
            self._opengl = _context_class()(width, height)
            self._opengl.make_current()
            self._context = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_100)
        except Exception as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            raise InputError(f"no off-screen rendering ({reason}); {WHAT_IS_MISSING}") from error
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, self._context)
        self._scene = mujoco.MjvScene(model, maxgeom=most_geoms)
        self._option = mujoco.MjvOption()
        self._pert = mujoco.MjvPerturb()

    def draw(
        self,
        data: Any,
        camera: Any,
        decorate: Callable[[Any], None],
        size: tuple[int, int] | None = None,
    ) -> Image:
        """What a camera sees of the scene, decorated, from its lower left corner on."""
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
        """Give back what the graphics need."""
        self._context.free()
        self._opengl.free()

    def __enter__(self) -> Canvas:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _context_class() -> Any:
    """OpenGL as the user wants it (`MUJOCO_GL`), else what works without a screen.

    MuJoCo itself would choose when it is first imported, and without `MUJOCO_GL` take a backend
    that needs a screen.
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
    raise InputError("neither EGL nor OSMesa is there")
