"""Rooms for drones: MuJoCo scenes as graphs, and flights through them.

It is optional and needs the extra `phil-search[rooms]`. The rest of the library refers to it only
by name, in the registries of graph formats (MJCF files) and problem sets (`rooms/*`). Flights are
in `phil.rooms.flight`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

# Imported on first use: the process that reads a scene needs little, and starts often.
_HOMES = {
    "checker": ("DRONE", "CollisionChecker", "Drone"),
    "mjcf": ("room_from_mjcf",),
    "plans": ("PLANS", "built_in_room", "room_adversarial", "room_simple"),
    "problems": ("RoomProblem", "random_ends", "random_flight", "room_problem"),
    "room": ("Room",),
}


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"phil.rooms.{module}"), name)
    raise AttributeError(f"module 'phil.rooms' has no attribute '{name}'")
