"""A small room to fly in: 2 x 2 x 1 metres, a wall with a gap above it, a pillar, loose things."""

from __future__ import annotations

from pathlib import Path

from phil.evaluation.methods import parse_method
from phil.problems.problem import Problem
from phil.rooms import CollisionChecker, Drone, Room
from phil.rooms.path import Points
from phil.rooms.problems import RoomProblem
from phil.search import Result

ACROSS = (2, 2, 2), (17, 2, 2)  # voxels on both sides of the wall

WALLS = """
    <geom name="floor" type="plane" size="2 2 .1" pos="1 1 0"/>
    <geom name="west" type="box" size=".05 1 .5" pos="-.05 1 .5"/>
    <geom name="east" type="box" size=".05 1 .5" pos="2.05 1 .5"/>
    <geom name="south" type="box" size="1 .05 .5" pos="1 -.05 .5"/>
    <geom name="north" type="box" size="1 .05 .5" pos="1 2.05 .5"/>
    <geom name="roof" type="box" size="1 1 .05" pos="1 1 1.05"/>
"""
THINGS = """
    <geom name="wall" type="box" size=".05 .8 .35" pos="1.05 .8 .35"/>
    <geom name="pillar" type="cylinder" size=".12 .5" pos="1.5 1.4 .5"/>
"""
# Whatever a file may choose for itself must not change how the drone flies.
ODD = """
  <compiler inertiafromgeom="true" boundmass="0.5" boundinertia="0.01"/>
  <option timestep="0.01" gravity="0 0 -1" integrator="RK4" density="1000">
    <flag gravity="disable"/>
  </option>
  <default>
    <geom contype="2" conaffinity="2" margin="0.02"/>
    <general gainprm="3" biastype="affine" biasprm="1 0 0"/>
  </default>
"""
LOOSE = """
    <body name="ball" pos=".3 1.7 .6"><freejoint/><geom type="sphere" size=".1"/></body>
    <body pos="1.7 .2 .5"><joint name="hinge"/><geom type="box" size=".02 .1 .2"/></body>
"""
ENDING = """
  <actuator><motor joint="hinge"/></actuator>
  <keyframe><key qpos=".3 1.7 .6 1 0 0 0 0" ctrl="0.2"/></keyframe>
"""


def mjcf(inside: str = THINGS, before: str = "", after: str = "") -> str:
    """A walled room as the text of an MJCF file."""
    return f"<mujoco>{before}<worldbody>{WALLS}{inside}</worldbody>{after}</mujoco>"


def odd_mjcf() -> str:
    """The same room in a file that sets all it can, with loose things."""
    return mjcf(THINGS + LOOSE, ODD, ENDING)


def write_mjcf(folder: Path, text: str, name: str = "room.xml") -> Path:
    """Write a scene."""
    path = folder / name
    path.write_text(text)
    return path


def clear_of_all(room: Room, places: Points, part: float = 0.95) -> bool:
    """Whether the drone keeps this part of its margin at places, asked apart from `FreeSpace`."""
    drone = Drone(room.drone.radius, part * room.drone.margin, room.drone.mass)
    checker = CollisionChecker(room.spec(), drone, room.centre)
    return all(checker.is_free_at(place) for place in places)


def searched(
    room: Room, start: tuple[int, int, int], goal: tuple[int, int, int]
) -> tuple[RoomProblem, Result]:
    """A problem between two voxels, and a cheapest path."""
    grid = room.grid()
    problem = Problem(grid, grid.node(*start), grid.node(*goal), "test")
    return RoomProblem(room, problem), parse_method("astar").search(problem, trace=True)
