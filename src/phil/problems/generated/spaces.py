"""Seeded random 3D worlds: boxes in open space, and walls with gaps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SIDES = (24, 56)  # fewest and most cells along an axis
MOST_BOXES = 40
WALLS = (2, 5)
MOST_GAPS = 3


def generate_world(
    random: np.random.Generator, sides: tuple[int, int] = SIDES
) -> NDArray[np.bool_]:
    """The free cells of a world: boxes, walls with gaps, or both, each a third of the time.

    >>> world = generate_world(np.random.default_rng(0), (20, 30))
    >>> world.ndim, 20 <= min(world.shape) and max(world.shape) <= 30
    (3, True)
    >>> bool(world.any() and not world.all())
    True
    """
    shape = tuple(int(side) for side in random.integers(sides[0], sides[1] + 1, size=3))
    free = np.ones(shape, np.bool_)
    kind = int(random.integers(3))
    if kind != 0:
        _add_walls(free, random)
    if kind != 1:
        _add_boxes(free, random)
    return free


def _add_boxes(free: NDArray[np.bool_], random: np.random.Generator) -> None:
    """Boxes of up to a third of the world's sides."""
    for _ in range(int(random.integers(MOST_BOXES // 4, MOST_BOXES + 1))):
        size = [int(random.integers(1, side // 3 + 1)) for side in free.shape]
        free[_part(free.shape, size, random)] = False


def _add_walls(free: NDArray[np.bool_], random: np.random.Generator) -> None:
    """Walls across one axis, a cell or two thick, each with gaps that a path must find."""
    axis = int(random.integers(3))
    length = free.shape[axis]
    places = random.choice(np.arange(2, length - 3), int(random.integers(*WALLS)), replace=False)
    for place in places:
        thickness = int(random.integers(1, 3))
        wall = np.moveaxis(free, axis, 0)[place : place + thickness]
        wall[:] = False
        for _ in range(int(random.integers(1, MOST_GAPS + 1))):
            size = [thickness, *(int(random.integers(2, side // 4)) for side in wall.shape[1:])]
            wall[_part((thickness, *wall.shape[1:]), size, random)] = True


def _part(
    shape: tuple[int, ...], size: list[int], random: np.random.Generator
) -> tuple[slice, ...]:
    """A part of this size, anywhere."""
    low = [int(random.integers(side - part + 1)) for side, part in zip(shape, size, strict=True)]
    return tuple(slice(at, at + part) for at, part in zip(low, size, strict=True))
