"""The small compiled functions that a network is made of."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel, primitive
from phil.heuristics.phil.tiles import tile
from phil.heuristics.phil.vectors import LANES

Floats = NDArray[np.float32]

LEAK = np.float32(0.01)


@kernel
def affine(
    x: Floats,
    x_row: int,
    rows: int,
    depth: int,
    matrix: Floats,
    bias: Floats,
    out: Floats,
    out_row: int,
) -> None:
    """out[out_row:][:rows] = x[x_row:][:rows, :depth] @ matrix + bias.

    The columns are padded to whole vectors. A row's sums do not depend on the other rows, so a
    node's value does not depend on how many are evaluated together.
    """
    row = 0
    while row < rows:
        column = 0
        if rows - row >= 4:
            while column + 4 * LANES <= bias.size:
                tile(4, 4, x, x_row + row, depth, matrix, column, bias, out, out_row + row)
                column += 4 * LANES
            while column < bias.size:
                tile(4, 1, x, x_row + row, depth, matrix, column, bias, out, out_row + row)
                column += LANES
            row += 4
        elif rows - row >= 2:
            while column + 4 * LANES <= bias.size:
                tile(2, 4, x, x_row + row, depth, matrix, column, bias, out, out_row + row)
                column += 4 * LANES
            while column < bias.size:
                tile(2, 1, x, x_row + row, depth, matrix, column, bias, out, out_row + row)
                column += LANES
            row += 2
        else:
            while column + 8 * LANES <= bias.size:
                tile(1, 8, x, x_row + row, depth, matrix, column, bias, out, out_row + row)
                column += 8 * LANES
            while column + 2 * LANES <= bias.size:
                tile(1, 2, x, x_row + row, depth, matrix, column, bias, out, out_row + row)
                column += 2 * LANES
            while column < bias.size:
                tile(1, 1, x, x_row + row, depth, matrix, column, bias, out, out_row + row)
                column += LANES
            row += 1


@primitive
def leak(x: Floats, rows: int, size: int) -> None:
    """Leaky ReLU of the first rows."""
    for row in range(rows):
        for j in range(size):
            x[row, j] = x[row, j] if x[row, j] >= 0 else LEAK * x[row, j]
