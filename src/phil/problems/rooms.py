"""`rooms/<name>`: drones in furnished rooms with random obstacles (section 5.3 of the paper).

Every problem has the room of that name with five obstacles of 5 x 5 x 5 voxels wherever they fall,
and a start and a goal at random among the free voxels that a path joins; all that depends on the
seed, the split and the number alone. The rooms are MuJoCo scenes (`phil.graphs.rooms`).
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from scipy.ndimage import label

from phil.graphs.rooms.plans import PLANS, SHAPE, built_in_room
from phil.graphs.rooms.room import Room
from phil.problems.info import SetInfo
from phil.problems.problem import Problem, ProblemSet
from phil.problems.seeded import seeded
from phil.problems.single_graph import PairDraw
from phil.problems.splits import split_counts

SOURCE = "rooms"
NAMES = tuple(PLANS)
COUNTS = {"train": 2000, "validation": 100, "test": 100}


@dataclass(frozen=True)
class RoomProblem:
    """A problem, and the room whose voxels it is on."""

    room: Room
    problem: Problem


def room_problem(name: str, split: str, number: int, seed: int = 0) -> RoomProblem:
    """One problem of a set, with its room."""
    return random_flight(built_in_room(name), f"{SOURCE}/{name}/{split}/{number}", seed)


def random_flight(room: Room, name: str, seed: int) -> RoomProblem:
    """A room with random obstacles, start and goal, which depend on name and seed alone."""
    random = seeded(seed, name)
    blocked = room.with_random_blocks(random)
    grid = blocked.grid()
    # By far the fastest way; without cut corners, moves over several sides join nothing else.
    parts = label(blocked.free)[0].ravel() - 1
    return RoomProblem(blocked, Problem(grid, *PairDraw(grid, name, parts).pair(random), name))


def open_rooms(
    name: str, *, data: Path | None = None, seed: int = 0, count: int | None = None
) -> ProblemSet:
    """The problems of a room; `data` is of no use here, since rooms are made when opened."""
    return ProblemSet(
        f"{SOURCE}/{name}",
        **{
            split: tuple(room_problem(name, split, k, seed).problem for k in range(problems))
            for split, problems in split_counts(COUNTS, count).items()
        },
    )


def rooms_info(name: str, data: Path | None) -> SetInfo:
    """What `phil problems` tells about a set of rooms."""
    if find_spec("mujoco") is None:
        return SetInfo(f"{SOURCE}/{name}", False, "needs phil-search[rooms]")
    return SetInfo(f"{SOURCE}/{name}", True, "made when opened", COUNTS, SHAPE)
