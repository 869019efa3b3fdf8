"""Markers added to a scene for pictures: cubes, balls and lines that show a search."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.rooms.path import Point, Points
from phil.rooms.problems import RoomProblem
from phil.rooms.scene import import_mujoco
from phil.search import Result
from phil.view.picture import PATH, gradient

UPRIGHT = np.eye(3).ravel()
MAX_NODES = 1500  # expanded nodes drawn; an even selection if there are more
NODE = 0.4  # of a voxel's side
PATH_RADIUS, END_RADIUS = 0.009, 0.06  # metres
LINE_OPACITY = 0.99  # only fully opaque geoms cast shadows
START, GOAL = (60, 170, 90), PATH

Rgba = NDArray[np.float32]


def rgba(colour: tuple[int, int, int] | NDArray[np.uint8], alpha: float) -> Rgba:
    """Convert a colour with channels 0..255 to MuJoCo's format."""
    return np.array([*(np.asarray(colour) / 255), alpha], np.float32)


class Markers:
    """Adds purely visual shapes to an `MjvScene` with enough capacity."""

    def __init__(self, scene: Any) -> None:
        self._mujoco, self._scene = import_mujoco(), scene

    def cube(self, place: Point, half: float, colour: Rgba) -> None:
        """A cube, given its centre and half its side."""
        self._add(self._mujoco.mjtGeom.mjGEOM_BOX, place, half, colour)

    def ball(self, place: Point, radius: float, colour: Rgba) -> None:
        """A ball, given its centre."""
        self._add(self._mujoco.mjtGeom.mjGEOM_SPHERE, place, radius, colour)

    def line(self, points: Points, radius: float, colour: Rgba) -> None:
        """A line through points, twice as thick as the radius."""
        capsule = self._mujoco.mjtGeom.mjGEOM_CAPSULE
        for start, end in pairwise(points):
            geom = self._add(capsule, start, radius, colour)
            self._mujoco.mjv_connector(geom, capsule, radius, start, end)

    def _add(self, kind: Any, place: Point, size: float, colour: Rgba) -> Any:
        geom = self._scene.geoms[self._scene.ngeom]
        self._scene.ngeom += 1
        self._mujoco.mjv_initGeom(geom, kind, np.full(3, size), place, UPRIGHT, colour)
        return geom


@dataclass(frozen=True)
class SearchMarks:
    """A search (with its trace) of a problem in a room, drawn as voxels, a path and its ends."""

    task: RoomProblem
    result: Result
    node: float = NODE
    opacity: float = 0.6
    path_radius: float = PATH_RADIUS

    @cached_property
    def path(self) -> Points:
        """The centres of the path's voxels."""
        return self._centres(self.result.path)

    @cached_property
    def nodes(self) -> tuple[Points, NDArray[np.uint8]]:
        """The centres of the expanded voxels, in order, and their colours."""
        trace = self.result.trace
        if trace is None:
            raise InputError(
                "a film needs the order of expansions; search again with search(..., trace=True)"
            )
        shown = np.linspace(0, len(trace) - 1, min(len(trace), MAX_NODES)).round().astype(int)
        return self._centres(trace[shown]), gradient(shown / max(1, len(trace) - 1))

    @property
    def count(self) -> int:
        """An upper bound on the geoms that are added to a scene."""
        return len(self.nodes[0]) + len(self.path) + 2

    def add(self, markers: Markers, unfolded: float = 1.0) -> None:
        """Mark the first fraction of the expanded nodes and, if it is 1, the path."""
        places, colours = self.nodes
        shown = round(unfolded * len(places))
        half = self.node / 2 * self.task.room.voxel
        for place, colour in zip(places[:shown], colours[:shown], strict=True):
            # Balls would take a second to draw.
            markers.cube(place, half, rgba(colour, self.opacity))
        if unfolded == 1:
            markers.line(self.path, self.path_radius, rgba(PATH, LINE_OPACITY))
        markers.ball(self.path[0], END_RADIUS, rgba(START, 0.6))
        markers.ball(self.path[-1], END_RADIUS, rgba(GOAL, 0.6))

    def _centres(self, nodes: NDArray[np.int64]) -> Points:
        grid, room = self.task.problem.graph, self.task.room
        assert grid.is_grid, "rooms are grids"
        return np.array([room.centre(grid.cell(int(node))) for node in nodes]).reshape(-1, 3)
