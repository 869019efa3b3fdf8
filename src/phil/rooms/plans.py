"""The two rooms of the paper, furnished: 5 x 5 x 2.5 metres in voxels of 10 centimetres.

`simple` has one table with chairs in the middle, and furniture and screens along the walls. In
`adversarial`, three tables with chairs extend from the middle to a wall. The paper shows its rooms
without measurements, so these are our own. The measurements, and moves to 6 neighbours, were fixed
before any training such that the ratio of shortest paths to the expansions of greedy Euclidean
search is as reported in the paper (docs/table3.md).

Drones may not fly under furniture: an invisible cuboid fills the space below a table or a chair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Literal

from phil.errors import unknown_name
from phil.rooms.room import Room
from phil.rooms.scene import Colour, Cuboid, Span, build_scene

Side = Literal["north", "south", "east", "west"]

SHAPE = (50, 50, 25)
VOXEL = 0.1
WIDTH = SHAPE[0] * VOXEL  # of the floor, which is square

OAK = (0.72, 0.53, 0.33)
WALNUT = (0.42, 0.29, 0.2)
WHITE = (0.9, 0.9, 0.88)
LINEN = (0.56, 0.6, 0.62)
MOSS = (0.45, 0.53, 0.42)

# Metres.
SCREEN_HEIGHT, SCREEN_THICKNESS = 1.8, 0.06
TABLE_HEIGHT, BOARD, LEG = 0.75, 0.04, 0.06
SEAT_HEIGHT, BACK_HEIGHT, SEAT, BACK = 0.46, 0.95, 0.42, 0.05


def solid(x: Span, y: Span, height: float, colour: Colour) -> list[Cuboid]:
    """Furniture without legs, such as a wardrobe, a sofa or a screen."""
    return [Cuboid(x, y, (0.0, height), colour)]


def table(x: Span, y: Span) -> list[Cuboid]:
    """A board on four legs."""
    return [
        Cuboid(x, y, (TABLE_HEIGHT - BOARD, TABLE_HEIGHT), OAK),
        *_legs(x, y, TABLE_HEIGHT - BOARD, OAK),
        _closed(x, y, TABLE_HEIGHT - BOARD),
    ]


def chair(corner: tuple[float, float], back: Side) -> list[Cuboid]:
    """A chair, given its south-west corner and the side of its back."""
    (west, south), (east, north) = corner, (corner[0] + SEAT, corner[1] + SEAT)
    x, y = (west, east), (south, north)
    upright = {
        "north": (x, (north - BACK, north)),
        "south": (x, (south, south + BACK)),
        "east": ((east - BACK, east), y),
        "west": ((west, west + BACK), y),
    }[back]
    return [
        Cuboid(x, y, (SEAT_HEIGHT - BOARD, SEAT_HEIGHT), WALNUT),
        Cuboid(*upright, (SEAT_HEIGHT, BACK_HEIGHT), WALNUT),
        *_legs(x, y, SEAT_HEIGHT - BOARD, WALNUT),
        _closed(x, y, SEAT_HEIGHT - BOARD),
    ]


def _legs(x: Span, y: Span, height: float, colour: Colour) -> list[Cuboid]:
    ends = [[(low, low + LEG), (high - LEG, high)] for low, high in (x, y)]
    return [Cuboid(along, across, (0.0, height), colour) for along in ends[0] for across in ends[1]]


def _closed(x: Span, y: Span, height: float) -> Cuboid:
    return Cuboid(x, y, (0.0, height))


def _joined(pieces: Iterable[Iterable[Cuboid]]) -> list[Cuboid]:
    return [cuboid for piece in pieces for cuboid in piece]


def _along_walls() -> list[Cuboid]:
    """Furniture in both rooms: wardrobes, bookcases, a desk, sideboards."""
    return _joined(
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


def _screens(length: float) -> list[Cuboid]:
    """Screens that protrude from the walls, two from each."""
    near, far = (0, length), (WIDTH - length, WIDTH)
    places = (
        *((near, (y, y + SCREEN_THICKNESS)) for y in (1.5, 3.4)),
        *((far, (y, y + SCREEN_THICKNESS)) for y in (1.7, 3.9)),
        *(((x, x + SCREEN_THICKNESS), near) for x in (1.4, 3.35)),
        *(((x, x + SCREEN_THICKNESS), far) for x in (0.8, 2.7)),
    )
    return _joined(solid(x, y, SCREEN_HEIGHT, LINEN) for x, y in places)


def _chairs_along(places: Sequence[float], y: tuple[float, float]) -> list[Cuboid]:
    """Chairs on both long sides of a table."""
    return _joined(
        one for x in places for one in (chair((x, y[1]), "north"), chair((x, y[0] - SEAT), "south"))
    )


def _simple() -> list[Cuboid]:
    x, y = (1.7, 3.3), (2.05, 2.95)
    return _joined(
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


def _adversarial() -> list[Cuboid]:
    y = (2.05, 2.95)
    return _joined(
        (
            _along_walls(),
            _screens(0.8),
            *(table(x, y) for x in ((0.8, 2.2), (2.2, 3.6), (3.6, WIDTH))),
            _chairs_along((0.9, 1.5, 2.3, 2.9, 3.7, 4.3), y),
        )
    )


PLANS: dict[str, Callable[[], list[Cuboid]]] = {"simple": _simple, "adversarial": _adversarial}


@cache
def built_in_room(name: str) -> Room:
    """Return a room of the paper, without random obstacles.

    Parameters
    ----------
    name : str
        `simple` or `adversarial`.

    Returns
    -------
    Room
    """
    if name not in PLANS:
        raise unknown_name("room", name, PLANS)
    size = tuple(VOXEL * cells for cells in SHAPE)
    cuboids = PLANS[name]()
    return Room(name, lambda: build_scene(name, cuboids, size), (0.0, 0.0, 0.0), SHAPE, VOXEL)


def room_simple() -> Room:
    """Return the room with one table in the middle and furniture along the walls."""
    return built_in_room("simple")


def room_adversarial() -> Room:
    """Return the room with three tables that extend from the middle to a wall."""
    return built_in_room("adversarial")
