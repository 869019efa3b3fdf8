"""What a search did in a room, as marks: voxels expanded, the path, and its ends."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.flight.free_space import Points
from phil.flight.markers import Markers, rgba
from phil.problems.rooms import RoomProblem
from phil.search import Result
from phil.view.picture import PATH, gradient

MOST_NODES = 1500  # drawn of those expanded; the others are left out evenly
NODE = 0.4  # of a voxel's side
PATH_RADIUS, END_RADIUS = 0.009, 0.06  # metres
LINES = 0.99  # how opaque they are: what is not wholly so throws no shadow
START, GOAL = (60, 170, 90), PATH


@dataclass(frozen=True)
class SearchMarks:
    """A search (with its trace) of a problem in a room; how large and opaque voxels are drawn."""

    flight: RoomProblem
    result: Result
    node: float = NODE
    opacity: float = 0.6
    path_radius: float = PATH_RADIUS

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

    @property
    def count(self) -> int:
        """No more geoms than that are added to a scene."""
        return len(self.nodes[0]) + len(self.path) + 2

    def add(self, markers: Markers, unfolded: float = 1.0) -> None:
        """Mark the first part of the expanded nodes; the path when all of them are there."""
        places, colours = self.nodes
        shown = round(unfolded * len(places))
        half = self.node / 2 * self.flight.room.voxel
        for place, colour in zip(places[:shown], colours[:shown], strict=True):
            # As balls they would take a second to draw.
            markers.box(place, half, rgba(colour, self.opacity))
        if unfolded == 1:
            markers.line(self.path, self.path_radius, rgba(PATH, LINES))
        markers.ball(self.path[0], END_RADIUS, rgba(START, 0.6))
        markers.ball(self.path[-1], END_RADIUS, rgba(GOAL, 0.6))

    def _middles(self, nodes: NDArray[np.int64]) -> Points:
        grid, room = self.flight.problem.graph, self.flight.room
        assert grid.is_grid, "rooms are grids"
        return np.array([room.centre(grid.cell(int(node))) for node in nodes]).reshape(-1, 3)
