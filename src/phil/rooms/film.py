"""Videos of flights, and pictures of searches in a room.

A video first shows the search; then the drone flies in real time.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from phil.errors import InputError
from phil.files import write_together
from phil.rooms.camera import chase, overview
from phil.rooms.checker import DRONE_NAME
from phil.rooms.flight import Flight
from phil.rooms.markers import LINE_OPACITY, Markers, SearchMarks, rgba
from phil.rooms.path import Points
from phil.rooms.problems import RoomProblem
from phil.rooms.quadrotor import TIMESTEP
from phil.rooms.renderer import Renderer, lit_model
from phil.rooms.scene import import_mujoco
from phil.search import Result
from phil.view.picture import HALO, png

FRAME_RATE = 25  # frames per second
UNFOLDING = 2.0  # seconds in which the expanded nodes appear
VIDEO_SIZE, STILL_SIZE, PICTURE_SIZE = (640, 480), (1280, 960), (600, 540)
SAMPLES = 4  # per pixel of stills and pictures
STILL_MOMENT = 0.6  # of the flight

TRAIL_RADIUS = 0.015  # metres
THIN = 0.3  # of the trail's radius, in the view from behind the drone
TRAIL_STEP = round(0.04 / TIMESTEP)  # simulation steps
CAMERA_STEPS = round(0.4 / TIMESTEP)  # over which the heading of the chase camera is averaged
INSET = 0.3  # of the picture's width
TRAIL = (255, 200, 40)
INK = (40, 44, 54)

WORLD = 0  # the body of everything fixed
GLASS = 0.5  # the opacity of furniture, which would otherwise hide much of the search


def still_beside(video: Path) -> Path:
    """The path of the still that belongs to a video."""
    return video.with_suffix(".png")


def save_film(
    video: Path,
    filmed: Filmed,
    size: tuple[int, int] = VIDEO_SIZE,
    still_size: tuple[int, int] = STILL_SIZE,
) -> None:
    """Write a video (MP4) of a flight and a still (PNG) next to it: both or neither."""
    with closing(Studio(filmed, still_size, SAMPLES)) as studio:
        still = png(studio.picture(STILL_MOMENT * filmed.flight.seconds))
    with closing(Studio(filmed, size)) as studio:
        film = mp4(_frames(studio, filmed.flight.seconds), size, FRAME_RATE)
    write_together({video: film, still_beside(video): still})


def room_pictures(
    searches: Sequence[SearchMarks], size: tuple[int, int] = PICTURE_SIZE
) -> list[Image.Image]:
    """Draw solved searches of one problem from the same corner, with the drone at the start."""
    mujoco = import_mujoco()
    room = searches[0].task.room
    model = lit_model(room, size, SAMPLES)
    data = mujoco.MjData(model)
    joint = model.joint(DRONE_NAME).qposadr[0]
    data.qpos[joint : joint + 3] = searches[0].path[0]
    places = np.concatenate([search.nodes[0] for search in searches])
    camera = overview(room, model, data, places, size[0] / size[1])
    inside = (model.geom_type != mujoco.mjtGeom.mjGEOM_PLANE) & (model.geom_bodyid == WORLD)
    model.geom_rgba[inside, 3] = GLASS
    most = 2 * model.ngeom + max(search.count for search in searches)

    def drawn(renderer: Renderer, search: SearchMarks) -> Image.Image:
        def mark(scene: Any) -> None:
            search.add(Markers(scene))

        return Image.fromarray(renderer.draw(data, camera, mark))

    with Renderer(model, *size, max_geoms=most) as renderer:
        return [drawn(renderer, search) for search in searches]


@dataclass(frozen=True)
class Filmed:
    """What is shown: a problem, the search that solved it (with its trace), and the flight."""

    task: RoomProblem
    result: Result
    flight: Flight
    title: str

    @cached_property
    def marks(self) -> SearchMarks:
        """The marks of the search."""
        return SearchMarks(self.task, self.result)


class Studio:
    """Draws one flight at any moment; close it after use."""

    def __init__(self, filmed: Filmed, size: tuple[int, int], samples: int = 0) -> None:
        """Prepare pictures of (width, height) pixels, with `samples` samples per pixel."""
        mujoco = import_mujoco()
        self._mujoco, self._filmed, self._size = mujoco, filmed, size
        self._model = model = lit_model(filmed.task.room, size, samples)
        self._data = mujoco.MjData(model)
        self._joint = slice(*(model.joint(DRONE_NAME).qposadr[0] + np.array([0, 7])))
        self._trail = filmed.flight.flown[::TRAIL_STEP]
        room = filmed.task.room
        self._camera = overview(room, model, self._data, self._trail, size[0] / size[1])
        self._headings = _headings(filmed.flight.flown)
        markers = filmed.marks.count + len(self._trail)
        self._renderer = Renderer(model, *size, max_geoms=2 * model.ngeom + markers)
        self._font = ImageFont.load_default(size=size[1] / 32)

    def close(self) -> None:
        """Free the graphics context."""
        self._renderer.close()

    def picture(self, seconds: float, unfolded: float = 1.0) -> Image.Image:
        """The flight after `seconds`, with the fraction `unfolded` of the expanded nodes."""
        flight = self._filmed.flight
        step = min(int(np.searchsorted(flight.times, seconds)), len(flight.times) - 1)
        self._data.qpos[self._joint] = [*flight.flown[step], *flight.attitudes[step]]
        self._mujoco.mj_forward(self._model, self._data)
        trail = self._trail[: step // TRAIL_STEP + 1]

        def mark_near(scene: Any) -> None:
            Markers(scene).line(trail, THIN * TRAIL_RADIUS, rgba(TRAIL, LINE_OPACITY))

        def mark_all(scene: Any) -> None:
            Markers(scene).line(trail, TRAIL_RADIUS, rgba(TRAIL, LINE_OPACITY))
            self._filmed.marks.add(Markers(scene), unfolded)

        picture = Image.fromarray(self._renderer.draw(self._data, self._camera, mark_all))
        behind = chase(flight.flown[step], float(self._headings[step]))
        near = self._renderer.draw(self._data, behind, mark_near, self._inset_size)
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


def import_ffmpeg() -> Any:
    """Return the module `imageio_ffmpeg`, or raise an error that says what to install."""
    try:
        import imageio_ffmpeg
    except ImportError as error:
        raise InputError(
            "a video needs imageio-ffmpeg, which is not installed: pip install 'phil-search[rooms]'"
        ) from error
    return imageio_ffmpeg


def mp4(frames: Iterable[NDArray[np.uint8]], size: tuple[int, int], rate: int) -> bytes:
    """Encode frames as the content of an MP4 file (H.264); `rate` is in frames per second."""
    ffmpeg = import_ffmpeg()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "video.mp4"
        try:
            writer = ffmpeg.write_frames(str(path), size, fps=rate, quality=7)
            writer.send(None)
            for frame in frames:
                writer.send(np.ascontiguousarray(frame))
            writer.close()
        except (OSError, RuntimeError) as error:
            reason = " ".join(str(error).split())
            raise InputError(f"the video could not be encoded: {reason}") from error
        return path.read_bytes()


def _frames(studio: Studio, seconds: float) -> Iterator[NDArray[np.uint8]]:
    opening = round(UNFOLDING * FRAME_RATE)
    for number in range(opening):
        yield np.asarray(studio.picture(0.0, (number + 1) / opening))
    for number in range(round(seconds * FRAME_RATE) + 1):
        yield np.asarray(studio.picture(number / FRAME_RATE))


def _headings(places: Points) -> NDArray[np.float64]:
    """The smoothed direction of flight at each step, in degrees."""
    ways = np.gradient(places[:, :2], axis=0)
    window = np.ones(2 * CAMERA_STEPS + 1)
    along, across = (np.convolve(way, window)[CAMERA_STEPS:-CAMERA_STEPS] for way in ways.T)
    return np.degrees(np.arctan2(across, along))
