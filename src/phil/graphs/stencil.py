"""The moves on a grid, as kernels see them: offsets in the map.

The map has a border of blocked cells, so no move needs to ask whether it leaves the map.
"""

from __future__ import annotations

from itertools import product
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from phil.compiled import Array1, Array2, Struct, primitive
from phil.graphs.checks import read_only

Corners = Literal["allow", "one_free", "both_free"]


class Stencil(Struct):
    """A grid's cells and moves; a place is a position in `cells`."""

    cells: Array1[np.uint8]  # 1 where free; flat, with a border of one cell
    origin: int  # the place of node 0
    side: int  # nodes per line
    lines: int  # per layer of a 3D grid
    margin: int  # border cells between two layers of a 3D grid, less those between two lines
    steps: Array1[np.int64]  # by move: what it adds to the node
    reach: Array1[np.int64]  # by move: what it adds to the place
    # (moves, width): the places beside a diagonal move, relative to that of the node; a move with
    # fewer repeats them, a straight one repeats its target. No columns if corners may be cut.
    beside: Array2[np.int64]
    spare: int  # how many of these may be blocked


def make_stencil(free: NDArray[np.bool_], moves: NDArray[np.int64], corners: Corners) -> Stencil:
    """The stencil of a map."""
    bordered = np.zeros([side + 2 for side in free.shape], np.uint8)
    bordered[(slice(1, -1),) * free.ndim] = free
    strides = _strides(bordered.shape)
    width = 0 if corners == "allow" else 2**free.ndim - 2
    beside = [np.resize(_beside(move), (width, free.ndim)) @ strides for move in moves.tolist()]
    return Stencil(
        cells=read_only(bordered).reshape(-1),
        origin=int(strides.sum()),
        side=free.shape[-1],
        lines=free.shape[-2],
        margin=2 * bordered.shape[-1] if free.ndim == 3 else 0,
        steps=read_only(moves @ _strides(free.shape)),
        reach=read_only(moves @ strides),
        beside=read_only(np.array(beside)),
        spare=width - 1 if corners == "one_free" else 0,
    )


def _strides(shape: tuple[int, ...]) -> NDArray[np.int64]:
    """By axis, the distance between neighbours in the flat array."""
    return np.array([np.prod(shape[axis + 1 :]) for axis in range(len(shape))], np.int64)


def _beside(move: list[int]) -> list[tuple[int, ...]]:
    """The other cells of the box that a move spans; its target if there are none."""
    target = tuple(move)
    box = product(*({0, step} for step in move))
    return [cell for cell in box if any(cell) and cell != target] or [target]


NO_STENCIL = Stencil(
    cells=np.zeros(0, np.uint8),
    origin=0,
    side=1,
    lines=1,
    margin=0,
    steps=np.zeros(0, np.int64),
    reach=np.zeros(0, np.int64),
    beside=np.zeros((0, 0), np.int64),
    spare=0,
)


@primitive
def place_of(grid: Stencil, node: int) -> int:
    """The place of a node."""
    line = node // grid.side
    place = grid.origin + node + 2 * line
    if grid.margin > 0:
        place += line // grid.lines * grid.margin
    return place


@primitive
def is_legal(grid: Stencil, place: int, move: int) -> bool:
    """Whether a move from a place leads to a free cell, and does not cut a forbidden corner."""
    # Positions are unsigned, since Numba lets negative ones count from the end.
    if grid.cells[np.uintp(place + grid.reach[move])] == 0:
        return False
    spare = grid.spare
    for k in range(grid.beside.shape[1]):
        if grid.cells[np.uintp(place + grid.beside[move, k])] == 0:
            if spare == 0:
                return False
            spare -= 1
    return True
