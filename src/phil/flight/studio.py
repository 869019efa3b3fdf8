"""Single pictures of a flight."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from phil.errors import InputError
from phil.flight.camera import chase, overview
from phil.flight.canvas import Canvas
from phil.flight.free_space import Points
from phil.flight.markers import Markers, rgba
from phil.flight.quadrotor import TIMESTEP, flight_spec
from phil.flight.simulation import Flight
from phil.graphs import GridGraph
from phil.graphs.rooms.checker import DRONE_NAME
from phil.graphs.rooms.simulator import import_mujoco
from phil.problems.rooms import RoomProblem
from phil.search import Result
from phil.view.picture import HALO, PATH, gradient

MOST_NODES = 1500  # drawn of those expanded; the others are left out evenly
NODE = 0.4  # of a voxel's side
PATH_RADIUS, TRAIL_RADIUS, END_RADIUS = 0.009, 0.015, 0.06  # metres
THIN = 0.3  # of the trail's radius, seen from behind the drone
LINES = 0.99  # how opaque they are: what is not wholly so throws no shadow
TRAIL_STEP = round(0.04 / TIMESTEP)  # steps of the simulation
CAMERA_STEPS = round(0.4 / TIMESTEP)  # over which the camera behind the drone turns
INSET = 0.3  # of the picture's width
TRAIL, START, GOAL = (255, 200, 40), (60, 170, 90), PATH
INK = (40, 44, 54)
SHADOW = 1024  # pixels along a side of the shadows' map


@dataclass(frozen=True)
class Filmed:
    """What is shown: a problem, the search that solved it (with its trace), and the flight."""

    flight: RoomProblem
    result: Result
    flown: Flight
    title: str

    @cached_property
    def path(self) -> Points:
        """The middles of the path's voxels."""
        return self._middles(self.result.path)

    @cached_property
    def nodes(self) -> tuple[Points, NDArray[np.uint8]]:
        """The middles of voxels expanded, in order, and their colours."""
        trace = self.result.trace
        if trace is None:
            raise InputError(
                "a film needs the order of expansions; search again with search(..., trace=True)"
            )
        shown = np.linspace(0, len(trace) - 1, min(len(trace), MOST_NODES)).round().astype(int)
        return self._middles(trace[shown]), gradient(shown / max(1, len(trace) - 1))

    def _middles(self, nodes: NDArray[np.int64]) -> Points:
        grid, room = self.flight.problem.graph, self.flight.room
        assert isinstance(grid, GridGraph), "rooms are grids"
        return np.array([room.centre(grid.cell(int(node))) for node in nodes]).reshape(-1, 3)


class Studio:
    """Draws one flight at any of its moments; to be closed."""

    def __init__(self, filmed: Filmed, size: tuple[int, int], samples: int = 0) -> None:
        """Pictures are (width, height) large, and so many samples a pixel smooth their edges."""
        mujoco = import_mujoco()
        self._mujoco, self._filmed, self._size = mujoco, filmed, size
        spec = flight_spec(filmed.flight.room)
        spec.visual.global_.offwidth, spec.visual.global_.offheight = size
        spec.visual.quality.offsamples = samples
        _light(spec)
        self._model = model = spec.compile()
        self._data = mujoco.MjData(model)
        self._joint = slice(*(model.joint(DRONE_NAME).qposadr[0] + np.array([0, 7])))
        self._trail = filmed.flown.flown[::TRAIL_STEP]
        room = filmed.flight.room
        self._camera = overview(room, model, self._data, self._trail, size[0] / size[1])
        self._headings = _headings(filmed.flown.flown)
        markers = len(filmed.nodes[0]) + len(filmed.path) + len(self._trail) + 2
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
            self._mark_search(Markers(scene), unfolded)

        picture = Image.fromarray(self._canvas.draw(self._data, self._camera, mark_all))
        behind = chase(flown.flown[step], float(self._headings[step]))
        near = self._canvas.draw(self._data, behind, mark_near, self._inset_size)
        self._add_inset(picture, Image.fromarray(near))
        self._add_title(picture, f"{self._filmed.title}\n{seconds:.1f} s")
        return picture

    def _mark_search(self, markers: Markers, unfolded: float) -> None:
        filmed = self._filmed
        places, colours = filmed.nodes
        shown = round(unfolded * len(places))
        half = NODE / 2 * filmed.flight.room.voxel
        for place, colour in zip(places[:shown], colours[:shown], strict=True):
            markers.box(place, half, rgba(colour, 0.6))  # as balls they would take a second to draw
        if unfolded == 1:
            markers.line(filmed.path, PATH_RADIUS, rgba(PATH, LINES))
        markers.ball(filmed.path[0], END_RADIUS, rgba(START, 0.6))
        markers.ball(filmed.path[-1], END_RADIUS, rgba(GOAL, 0.6))

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


def _light(spec: Any) -> None:
    """A bright room before a pale sky."""
    mujoco = import_mujoco()
    visual = spec.visual
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


def _headings(places: Points) -> NDArray[np.float64]:
    """Which way the drone flies at every step, in degrees, without sudden turns."""
    ways = np.gradient(places[:, :2], axis=0)
    window = np.ones(2 * CAMERA_STEPS + 1)
    along, across = (np.convolve(way, window)[CAMERA_STEPS:-CAMERA_STEPS] for way in ways.T)
    return np.degrees(np.arctan2(across, along))
