"""Single pictures of a flight."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from phil.flight.camera import chase, overview
from phil.flight.canvas import Canvas
from phil.flight.free_space import Points
from phil.flight.light import lit_model
from phil.flight.markers import Markers, rgba
from phil.flight.quadrotor import TIMESTEP
from phil.flight.search_marks import LINES, SearchMarks
from phil.flight.simulation import Flight
from phil.graphs.rooms.checker import DRONE_NAME
from phil.graphs.rooms.simulator import import_mujoco
from phil.problems.rooms import RoomProblem
from phil.search import Result
from phil.view.picture import HALO

TRAIL_RADIUS = 0.015  # metres
THIN = 0.3  # of the trail's radius, seen from behind the drone
TRAIL_STEP = round(0.04 / TIMESTEP)  # steps of the simulation
CAMERA_STEPS = round(0.4 / TIMESTEP)  # over which the camera behind the drone turns
INSET = 0.3  # of the picture's width
TRAIL = (255, 200, 40)
INK = (40, 44, 54)


@dataclass(frozen=True)
class Filmed:
    """What is shown: a problem, the search that solved it (with its trace), and the flight."""

    flight: RoomProblem
    result: Result
    flown: Flight
    title: str

    @cached_property
    def marks(self) -> SearchMarks:
        """Of the search."""
        return SearchMarks(self.flight, self.result)


class Studio:
    """Draws one flight at any of its moments; to be closed."""

    def __init__(self, filmed: Filmed, size: tuple[int, int], samples: int = 0) -> None:
        """Pictures are (width, height) large, and so many samples a pixel smooth their edges."""
        mujoco = import_mujoco()
        self._mujoco, self._filmed, self._size = mujoco, filmed, size
        self._model = model = lit_model(filmed.flight.room, size, samples)
        self._data = mujoco.MjData(model)
        self._joint = slice(*(model.joint(DRONE_NAME).qposadr[0] + np.array([0, 7])))
        self._trail = filmed.flown.flown[::TRAIL_STEP]
        room = filmed.flight.room
        self._camera = overview(room, model, self._data, self._trail, size[0] / size[1])
        self._headings = _headings(filmed.flown.flown)
        markers = filmed.marks.count + len(self._trail)
        self._canvas = Canvas(model, *size, most_geoms=2 * model.ngeom + markers)
        self._font = ImageFont.load_default(size=size[1] / 32)

    def close(self) -> None:
        """Give back what the graphics need."""
        self._canvas.close()

    def picture(self, seconds: float, unfolded: float = 1.0) -> Image.Image:
        """The flight after so many seconds, with the first part of the expanded nodes."""
        flown = self._filmed.flown
        step = min(int(np.searchsorted(flown.times, seconds)), len(flown.times) - 1)
        self._data.qpos[self._joint] = [*flown.flown[step], *flown.attitudes[step]]
        self._mujoco.mj_forward(self._model, self._data)
        trail = self._trail[: step // TRAIL_STEP + 1]

        def mark_near(scene: Any) -> None:
            Markers(scene).line(trail, THIN * TRAIL_RADIUS, rgba(TRAIL, LINES))

        def mark_all(scene: Any) -> None:
            Markers(scene).line(trail, TRAIL_RADIUS, rgba(TRAIL, LINES))
            self._filmed.marks.add(Markers(scene), unfolded)

        picture = Image.fromarray(self._canvas.draw(self._data, self._camera, mark_all))
        behind = chase(flown.flown[step], float(self._headings[step]))
        near = self._canvas.draw(self._data, behind, mark_near, self._inset_size)
        self._add_inset(picture, Image.fromarray(near))
        self._add_title(picture, f"{self._filmed.title}\n{seconds:.1f} s")
        return picture

    @property
    def _inset_size(self) -> tuple[int, int]:
        width = round(INSET * self._size[0])
        return width, width * 3 // 4

    @property
    def _edge(self) -> int:
        return self._size[0] // 40

    def _add_inset(self, picture: Image.Image, inset: Image.Image) -> None:
        left, top = self._size[0] - inset.width - self._edge, self._edge
        frame = Image.new("RGB", (inset.width + 4, inset.height + 4), HALO)
        frame.paste(inset, (2, 2))
        picture.paste(frame, (left - 2, top - 2))

    def _add_title(self, picture: Image.Image, text: str) -> None:
        ImageDraw.Draw(picture).text(
            (self._edge, self._edge), text, HALO, self._font, stroke_width=2, stroke_fill=INK
        )


def _headings(places: Points) -> NDArray[np.float64]:
    """Which way the drone flies at every step, in degrees, without sudden turns."""
    ways = np.gradient(places[:, :2], axis=0)
    window = np.ones(2 * CAMERA_STEPS + 1)
    along, across = (np.convolve(way, window)[CAMERA_STEPS:-CAMERA_STEPS] for way in ways.T)
    return np.degrees(np.arctan2(across, along))
