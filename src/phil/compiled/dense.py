"""Fully connected layers and leaky ReLU: for a few rows, and for many rows with gradients.

Searches evaluate a few rows at a time with `affine`, whose sums run in sequence, so that a node's
value does not depend on how many are evaluated together. Training uses BLAS on blocks of rows. A
block is so small that BLAS uses one thread only, so that networks trained in parallel do not
compete for cores, and that it stays in the core's cache.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled.jit import allocating_kernel
from phil.compiled.primitive import primitive, routine
from phil.compiled.tiles import tile
from phil.compiled.vectors import LANES

Floats = NDArray[np.float32]

SLOPE = np.float32(0.01)  # of leaky_relu below 0
PRODUCT = 2**18  # multiplications in a block of `dense`
ZERO = np.float32(0.0)


@routine
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

    The columns are padded to whole vectors. A row's sums do not depend on the other rows.
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
def leaky_relu(x: Floats, rows: int, size: int) -> None:
    """Apply the leaky ReLU to the first rows and columns, in place."""
    for row in range(rows):
        for j in range(size):
            x[row, j] = x[row, j] if x[row, j] >= 0 else SLOPE * x[row, j]


@allocating_kernel
def dense(x: Floats, transposed: Floats, bias: Floats, slope: float, out: Floats) -> None:
    """out = x @ transposed + bias, of a layer's matrix transposed: (inputs, outputs).

    Negative outputs are multiplied by a slope: that of a leaky ReLU, or 1 for none.
    """
    rows = max(1, PRODUCT // max(1, transposed.size))
    below = np.float32(slope)
    for begin in range(0, x.shape[0], rows):
        part = out[begin : begin + rows]
        np.dot(x[begin : begin + rows], transposed, part)
        for i in range(part.shape[0]):
            row = part[i]
            for c in range(bias.size):
                value = row[c] + bias[c]
                row[c] = value if value >= ZERO else below * value


@allocating_kernel
def dense_grad(
    x: Floats, out_grad: Floats, matrix_grad: Floats, bias_grad: Floats, product: Floats
) -> None:
    """Add the gradients of a layer's matrix and bias, given that of its outputs.

    `product` is a buffer like the matrix.
    """
    rows = max(1, PRODUCT // max(1, product.size))
    for begin in range(0, x.shape[0], rows):
        part = out_grad[begin : begin + rows]
        np.dot(part.T, x[begin : begin + rows], product)
        for i in range(product.shape[0]):
            for c in range(product.shape[1]):
                matrix_grad[i, c] += product[i, c]
        for i in range(part.shape[0]):
            row = part[i]
            for c in range(bias_grad.size):
                bias_grad[c] += row[c]


@allocating_kernel
def dense_grad_inputs(
    out_grad: Floats, matrix: Floats, x: Floats, slope: float, x_grad: Floats
) -> None:
    """The gradient of a layer's inputs x, given that of its outputs: out_grad @ matrix.

    If x are the outputs of a leaky ReLU, `slope` is its slope and the gradient that of its inputs;
    otherwise it is 1.
    """
    rows = max(1, PRODUCT // max(1, matrix.size))
    below = np.float32(slope)
    for begin in range(0, out_grad.shape[0], rows):
        part = x_grad[begin : begin + rows]
        np.dot(out_grad[begin : begin + rows], matrix, part)
        for i in range(part.shape[0]):
            row, before = part[i], x[begin + i]
            for c in range(row.size):
                row[c] = row[c] if before[c] > ZERO else below * row[c]
