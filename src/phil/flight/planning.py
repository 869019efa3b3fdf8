"""From a search's path to a flight."""

from __future__ import annotations

from phil.errors import InputError
from phil.flight.curve import rounded
from phil.flight.free_space import FreeSpace
from phil.flight.polyline import straightened
from phil.flight.simulation import Flight, fly
from phil.flight.trajectory import Trajectory, timed
from phil.problems.rooms import RoomProblem
from phil.search import Result


def plan(flight: RoomProblem, result: Result) -> Trajectory:
    """The trajectory along a path that a search found, smooth and in free space."""
    if not result.solved:
        raise InputError(f"no path to fly: the search ended as '{result.outcome}'")
    grid = flight.problem.graph
    assert grid.is_grid, "rooms are grids"
    cells = [grid.cell(int(node)) for node in result.path]
    space = FreeSpace(flight.room)
    corners = straightened(flight.room, cells, space)
    return timed(rounded(corners, space), corners[0])


def fly_problem(flight: RoomProblem, result: Result) -> Flight:
    """Fly the path that a search found."""
    return fly(flight.room, plan(flight, result))
