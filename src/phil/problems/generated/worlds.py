"""Random maps of all kinds and sizes, for heuristics that carry over to any map.

Unlike the families, which copy public ones, these are only meant to differ from each other: rooms
with doors, mazes with corridors of any width, caves, blocks of houses, and scattered obstacles.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import convolve

Map = NDArray[np.bool_]
Random = np.random.Generator

SIDES = 48, 400  # of a map
NEIGHBORS = np.ones((3, 3), np.int8)


def random_world(random: Random) -> Map:
    """A map of a random kind and size.

    >>> random_world(np.random.default_rng(0)).ndim
    2
    """
    low, high = np.log(SIDES[0]), np.log(SIDES[1])
    rows, columns = (int(np.exp(random.uniform(low, high))) for _ in range(2))
    return KINDS[int(random.integers(len(KINDS)))](rows, columns, random)


def rooms(rows: int, columns: int, random: Random) -> Map:
    """Rectangular rooms with thin walls, and a door in most walls between two of them."""
    side = int(random.integers(5, max(6, min(rows, columns) // 3)))
    gap = int(random.integers(1, max(2, side // 4)))
    closed = random.uniform(0.0, 0.25)
    free = np.ones((rows, columns), bool)
    free[side::side] = False
    free[:, side::side] = False
    for axis in (0, 1):
        view = free if axis == 0 else free.T
        for wall in range(side, view.shape[0], side):
            for room in range(0, view.shape[1], side):
                length = min(side - 1, view.shape[1] - room - 1)
                if length > gap and random.random() > closed:
                    door = room + 1 + int(random.integers(length - gap + 1))
                    view[wall, door : door + gap] = True
    return free


def maze(rows: int, columns: int, random: Random) -> Map:
    """Corridors of one width between thin walls, some of which are open."""
    width = int(random.integers(1, max(2, min(rows, columns) // 8)))
    step = width + 1
    high, wide = max(2, rows // step), max(2, columns // step)
    free = np.ones((high * step + 1, wide * step + 1), bool)
    free[::step] = False
    free[:, ::step] = False
    visited = np.zeros((high, wide), bool)
    trail = [(0, 0)]
    visited[0, 0] = True
    while trail:  # a random depth-first walk
        row, column = trail[-1]
        near = [
            (row + down, column + right)
            for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
            if 0 <= row + down < high and 0 <= column + right < wide
        ]
        left = [cell for cell in near if not visited[cell]]
        if not left:
            trail.pop()
            continue
        cell = left[int(random.integers(len(left)))]
        visited[cell] = True
        _open(free, (row, column), cell, step)
        trail.append(cell)
    for _ in range(int(random.uniform(0, 0.15) * high * wide)):  # further ways
        row, column = int(random.integers(high - 1)), int(random.integers(wide - 1))
        _open(free, (row, column), (row + 1, column), step)
    return free


def _open(free: Map, one: tuple[int, int], other: tuple[int, int], step: int) -> None:
    """Remove the wall between two neighbouring cells of a maze."""
    top, bottom = sorted((one[0], other[0]))
    left, right = sorted((one[1], other[1]))
    free[top * step + 1 : (bottom + 1) * step, left * step + 1 : (right + 1) * step] = True


def caves(rows: int, columns: int, random: Random) -> Map:
    """Noise that is smoothed by a cellular automaton."""
    scale = int(random.integers(1, 5))
    shape = -(-rows // scale), -(-columns // scale)
    free = random.random(shape) > random.uniform(0.38, 0.46)
    for _ in range(int(random.integers(3, 6))):
        free = convolve(free.astype(np.int8), NEIGHBORS, mode="constant") >= 5
    return np.repeat(np.repeat(free, scale, 0), scale, 1)[:rows, :columns]


def blocks(rows: int, columns: int, random: Random) -> Map:
    """Rectangles of all sizes, as houses in a city, some with courtyards."""
    free = np.ones((rows, columns), bool)
    largest = max(6, min(rows, columns) // int(random.integers(4, 12)))
    covered = random.uniform(0.1, 0.5) * free.size
    while (~free).sum() < covered:
        height, width = (int(side) for side in random.integers(3, largest + 1, 2))
        row = int(random.integers(-height // 2, rows))
        column = int(random.integers(-width // 2, columns))
        top, left = max(row, 0), max(column, 0)
        free[top : row + height, left : column + width] = False
        if random.random() < 0.15 and min(height, width) > 6:  # open at one side
            free[top + 2 : row + height - 2, left + 2 : column + width] = True
    return free


def scattered(rows: int, columns: int, random: Random) -> Map:
    """Single blocked cells."""
    return random.random((rows, columns)) > random.uniform(0.05, 0.38)


KINDS: tuple[Callable[[int, int, Random], Map], ...] = (rooms, maze, caves, blocks, scattered)
