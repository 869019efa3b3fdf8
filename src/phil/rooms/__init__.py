"""Rooms for drones: MuJoCo scenes as graphs, and flights through them.

It is optional and needs the extra `phil-search[rooms]`. The rest of the library refers to it only
by name, in the registries of graph formats (MJCF files) and problem sets (`rooms/*`). Flights are
in `phil.rooms.flight`.
"""

from phil.rooms.checker import DRONE, CollisionChecker, Drone
from phil.rooms.mjcf import room_from_mjcf
from phil.rooms.plans import PLANS, built_in_room, room_adversarial, room_simple
from phil.rooms.problems import RoomProblem, random_ends, random_flight, room_problem
from phil.rooms.room import Room

__all__ = [
    "DRONE",
    "PLANS",
    "CollisionChecker",
    "Drone",
    "Room",
    "RoomProblem",
    "built_in_room",
    "random_ends",
    "random_flight",
    "room_adversarial",
    "room_from_mjcf",
    "room_problem",
    "room_simple",
]
