"""The surface of a 3D map's obstacles as few rectangles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# (axis, side): where faces look to. Who looks from above never sees those that look down.
DIRECTIONS = ((0, 1), (0, -1), (1, 1), (1, -1), (2, 1))


def mesh(blocked: NDArray[np.bool_]) -> list[NDArray[np.int64]]:
    """The rectangles that make up the surface, for each of `DIRECTIONS`; none overlap.

    A row is (plane, first a, first b, length along a, length along b), where a and b are the other
    two axes in order. A face is between a blocked cell and one that is free or off the map.

    >>> [len(rectangles) for rectangles in mesh(np.ones((2, 3, 4), bool))]
    [1, 1, 1, 1, 1]
    >>> mesh(np.ones((2, 3, 4), bool))[4]
    array([[4, 0, 0, 2, 3]])
    """
    return [_rectangles(exposed(blocked, axis, side), side) for axis, side in DIRECTIONS]


def exposed(blocked: NDArray[np.bool_], axis: int, side: int) -> NDArray[np.bool_]:
    """Which blocked cells have no blocked one on that side, with the axis put first."""
    cells = np.moveaxis(blocked, axis, 0)
    beside = np.zeros_like(cells)
    if side > 0:
        beside[:-1] = cells[1:]
    else:
        beside[1:] = cells[:-1]
    return cells & ~beside


def coarser(blocked: NDArray[np.bool_], factor: int) -> NDArray[np.bool_]:
    """Blocks of cells instead of cells: blocked where at least half of the block is.

    >>> coarser(np.ones((5, 4, 3), bool), 2).shape
    (3, 2, 2)
    """
    whole = np.pad(blocked, [(0, -side % factor) for side in blocked.shape], mode="edge")
    split = [part for side in whole.shape for part in (side // factor, factor)]
    return np.asarray(whole.reshape(split).mean(axis=(1, 3, 5)) >= 0.5)


def _rectangles(faces: NDArray[np.bool_], side: int) -> NDArray[np.int64]:
    """Runs along the last axis; equal runs of rows side by side become one rectangle."""
    edges = np.diff(np.pad(faces, ((0, 0), (0, 0), (1, 1))).astype(np.int8), axis=2)
    layer, row, first = np.nonzero(edges == 1)
    last = np.nonzero(edges == -1)[2]
    order = np.lexsort((row, last, first, layer))
    layer, row, first, last = (column[order] for column in (layer, row, first, last))
    joined = (
        (np.diff(layer) == 0) & (np.diff(first) == 0) & (np.diff(last) == 0) & (np.diff(row) == 1)
    )
    begins = np.flatnonzero(np.concatenate([np.ones(min(1, row.size), bool), ~joined]))
    rows = np.diff(np.append(begins, row.size))
    columns = (layer + (side > 0), row, first)
    return np.stack([*(column[begins] for column in columns), rows, (last - first)[begins]], axis=1)
