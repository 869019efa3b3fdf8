"""`rooms/<name>`: drones in furnished rooms with random obstacles (section 5.3 of the paper).

Each problem has the room of that name with five randomly placed obstacles of 5 x 5 x 5 voxels, and
a random start and goal connected by a path; all of this depends only on the seed, the split and the
number. In training, four problems share the obstacles and the goal, since one table of exact
distances serves them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from phil.problems.pairs import PairDraw, seeded
from phil.problems.problem import Problem, ProblemSet, split_counts
from phil.problems.source import ProblemSource, SetInfo, SetOptions
from phil.rooms.plans import PLANS, SHAPE, built_in_room
from phil.rooms.room import Room

NAMES = tuple(PLANS)
COUNTS = {"train": 8000, "validation": 300, "test": 100}
STARTS = {"train": 4, "validation": 1, "test": 1}  # per room with a goal


@dataclass(frozen=True)
class RoomProblem:
    """A problem and its room.

    Parameters
    ----------
    room : Room
        The room.
    problem : Problem
        A problem on the room's voxels.
    """

    room: Room
    problem: Problem


def room_problem(name: str, split: str, number: int, seed: int = 0) -> RoomProblem:
    """Return one problem of a set `rooms/<name>`, with its room.

    Parameters
    ----------
    name : str
        `simple` or `adversarial`.
    split : {"train", "validation", "test"}
        The split.
    number : int
        The number of the problem in the split.
    seed : int, optional
        The seed of the set.

    Returns
    -------
    RoomProblem
    """
    starts = STARTS[split]
    return _room_problems(name, split, number // starts, seed)[number % starts]


def random_flight(room: Room, name: str, seed: int) -> RoomProblem:
    """Draw a start, a goal and five obstacles in a room; they depend only on name and seed.

    Parameters
    ----------
    room : Room
        The room.
    name : str
        The name of the problem.
    seed : int
        The seed.

    Returns
    -------
    RoomProblem
    """
    random = seeded(seed, name)
    return _with_ends(room.with_random_blocks(random), [name], random)[0]


def random_ends(room: Room, name: str, seed: int) -> RoomProblem:
    """Draw a start and a goal in a room without adding obstacles (see `random_flight`)."""
    return _with_ends(room, [name], seeded(seed, name))[0]


def _room_problems(name: str, split: str, number: int, seed: int) -> list[RoomProblem]:
    """The problems of a set that have the same obstacles and goal."""
    folder, starts = f"rooms/{name}/{split}", STARTS[split]
    random = seeded(seed, f"{folder}/{number}")
    names = [f"{folder}/{number * starts + k}" for k in range(starts)]
    return _with_ends(built_in_room(name).with_random_blocks(random), names, random)


def _with_ends(room: Room, names: Sequence[str], random: np.random.Generator) -> list[RoomProblem]:
    """Problems of these names, with one goal and a start for each."""
    from scipy.ndimage import label  # slow to import, and reading any graph imports this module

    grid = room.grid()
    # By far the fastest way; since corners are not cut, diagonal moves connect nothing else.
    parts = label(room.free)[0].ravel() - 1
    draw = PairDraw(grid, names[0], parts)
    start, goal = draw.pair(random)
    starts = [start, *draw.starts(goal, len(names) - 1, random)]
    return [
        RoomProblem(room, Problem(grid, begin, goal, name))
        for begin, name in zip(starts, names, strict=True)
    ]


def open_rooms(name: str, options: SetOptions) -> ProblemSet:
    """The problems of a room."""
    splits = {}
    for split, problems in split_counts(COUNTS, options.count).items():
        rooms = range(-(-problems // STARTS[split]))
        made = [one.problem for k in rooms for one in _room_problems(name, split, k, options.seed)]
        splits[split] = tuple(made[:problems])
    return ProblemSet(f"rooms/{name}", **splits)


def rooms_info(name: str, data: Path | None) -> SetInfo:
    """Information about a set of rooms, without opening it."""
    if find_spec("mujoco") is None:
        return SetInfo(f"rooms/{name}", False, "needs phil-search[rooms]")
    return SetInfo(f"rooms/{name}", True, "made when opened", COUNTS, SHAPE)


SOURCE = ProblemSource("rooms", members=lambda data: NAMES, open=open_rooms, info=rooms_info)
