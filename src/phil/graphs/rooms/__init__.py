"""Rooms for drones: MuJoCo scenes as graphs (needs the extra `phil-search[rooms]`)."""

from phil.graphs.rooms.checker import CollisionChecker
from phil.graphs.rooms.drone import DRONE, Drone
from phil.graphs.rooms.mjcf import room_from_mjcf
from phil.graphs.rooms.plans import PLANS, built_in_room, room_adversarial, room_simple
from phil.graphs.rooms.room import Room

__all__ = [
    "DRONE",
    "PLANS",
    "CollisionChecker",
    "Drone",
    "Room",
    "built_in_room",
    "room_adversarial",
    "room_from_mjcf",
    "room_simple",
]
