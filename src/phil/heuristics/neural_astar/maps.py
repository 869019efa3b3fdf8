"""Maps as the encoder sees them: scaled down by blocks of cells, and as pictures."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.graphs import GridGraph


def scaled_down(grid: GridGraph, block: int, *ends: int) -> GridGraph:
    """The grid whose cells are blocks of `block` x `block` cells of another, with the same moves.

    A block is free if at least half of it is, or if it holds one of `ends`. (Measured on the public
    201 x 201 maps with blocks of 2: no problem loses its path so. If all cells must be free, gaps
    are closed; if one is enough, walls are opened.)
    """
    if block == 1:
        return grid
    rows, columns = (-(-side // block) for side in grid.shape)
    cells = np.zeros((2, rows * block, columns * block), np.int64)
    cells[:, : grid.shape[0], : grid.shape[1]] = grid.free, np.ones(grid.shape)
    free, whole = cells.reshape(2, rows, block, columns, block).sum((2, 4))
    coarse = 2 * free >= whole
    for end in ends:
        row, column = grid.cell(end)
        coarse[row // block, column // block] = True
    return GridGraph(
        coarse,
        connectivity=grid.connectivity,
        corners=grid.corners,
        diagonal_cost=grid.diagonal_cost,
    )


def block_of(grid: GridGraph, block: int, node: int) -> int:
    """The node of the grid scaled down that a node is part of."""
    _, columns = grid.plane("a map in blocks")
    row, column = divmod(node, columns)
    return row // block * -(-columns // block) + column // block


def picture(grid: GridGraph, start: int, goal: int) -> NDArray[np.float32]:
    """What the encoder sees of a problem (rows, columns, 2): free cells, and start and goal."""
    image = np.zeros((grid.size, 2), np.float32)
    image[:, 0] = grid.free.reshape(-1)
    image[[start, goal], 1] = 1.0
    return image.reshape(*grid.shape, 2)
