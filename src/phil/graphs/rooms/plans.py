"""The two rooms of the paper, furnished: 5 x 5 x 2.5 metres in voxels of 10 centimetres.

`simple` has one table with chairs in its middle, furniture and screens along its walls. In
`adversarial` three tables with chairs reach from the middle to a wall. The paper shows pictures of
its rooms and no measures, so these are ours; they were fixed, with the moves to 6 neighbours,
before anything was trained, so that shortest paths are as much shorter than what greedy search by
the straight line expands as the paper prints (docs/table3.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from phil.errors import unknown_name
from phil.graphs.rooms.furniture import (
    LINEN,
    MOSS,
    OAK,
    SEAT,
    WALNUT,
    WHITE,
    Box,
    chair,
    joined,
    solid,
    table,
)
from phil.graphs.rooms.room import Room
from phil.graphs.rooms.scene import build_scene

SHAPE = (50, 50, 25)
VOXEL = 0.1
WIDTH = SHAPE[0] * VOXEL  # of the floor, which is square
SCREEN, THIN = 1.8, 0.06  # height and thickness of a screen


def _along_walls() -> list[Box]:
    """What both rooms have: wardrobes, bookcases, a desk, sideboards."""
    return joined(
        (
            solid((0, 0.6), (0, 1.2), 2.2, WHITE),  # wardrobe, west
            solid((0, 0.7), (1.8, 3.1), 0.75, OAK),  # desk with drawers
            solid((0, 0.4), (3.7, WIDTH), 2.0, WALNUT),  # bookcase
            solid((WIDTH - 0.4, WIDTH), (0.2, 1.4), 2.0, WALNUT),  # bookcase, east
            solid((WIDTH - 0.6, WIDTH), (4.1, WIDTH), 2.2, WHITE),  # wardrobe
            solid((1.6, 3.2), (0, 0.45), 0.9, OAK),  # sideboard, south
            solid((3.5, 4.3), (0, 0.6), 2.2, WHITE),  # wardrobe
            solid((1.0, 2.4), (WIDTH - 0.4, WIDTH), 1.1, OAK),  # sideboard, north
            solid((3.0, 3.9), (WIDTH - 0.6, WIDTH), 2.2, WHITE),  # wardrobe
        )
    )


def _screens(length: float) -> list[Box]:
    """Screens that stand out from the walls, two from each."""
    near, far = (0, length), (WIDTH - length, WIDTH)
    places = (
        *((near, (y, y + THIN)) for y in (1.5, 3.4)),
        *((far, (y, y + THIN)) for y in (1.7, 3.9)),
        *(((x, x + THIN), near) for x in (1.4, 3.35)),
        *(((x, x + THIN), far) for x in (0.8, 2.7)),
    )
    return joined(solid(x, y, SCREEN, LINEN) for x, y in places)


def _chairs_along(places: Sequence[float], y: tuple[float, float]) -> list[Box]:
    """Chairs on both long sides of a table."""
    return joined(
        one for x in places for one in (chair((x, y[1]), "north"), chair((x, y[0] - SEAT), "south"))
    )


def _simple() -> list[Box]:
    x, y = (1.7, 3.3), (2.05, 2.95)
    return joined(
        (
            _along_walls(),
            solid((4.1, WIDTH), (1.9, 3.7), 0.8, MOSS),  # sofa
            _screens(1.0),
            table(x, y),
            _chairs_along((1.75, 2.3, 2.85), y),
            chair((x[0] - SEAT, 2.3), "west"),
            chair((x[1], 2.3), "east"),
        )
    )


def _adversarial() -> list[Box]:
    y = (2.05, 2.95)
    return joined(
        (
            _along_walls(),
            _screens(0.8),
            *(table(x, y) for x in ((0.8, 2.2), (2.2, 3.6), (3.6, WIDTH))),
            _chairs_along((0.9, 1.5, 2.3, 2.9, 3.7, 4.3), y),
        )
    )


PLANS: dict[str, Callable[[], list[Box]]] = {"simple": _simple, "adversarial": _adversarial}


@cache
def built_in_room(name: str) -> Room:
    """A room of the paper by its name, without blocks."""
    if name not in PLANS:
        raise unknown_name("room", name, PLANS)
    size = tuple(VOXEL * cells for cells in SHAPE)
    boxes = PLANS[name]()
    return Room(name, lambda: build_scene(name, boxes, size), (0.0, 0.0, 0.0), SHAPE, VOXEL)


def room_simple() -> Room:
    """One table with chairs in the middle, furniture along the walls."""
    return built_in_room("simple")


def room_adversarial() -> Room:
    """Three tables that reach to a wall."""
    return built_in_room("adversarial")
