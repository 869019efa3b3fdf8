"""Fully connected layers and leaky ReLU: for a few rows, and for many rows with gradients.

Searches evaluate a few rows at a time with `affine`, whose sums run in sequence, so that a node's
value does not depend on how many are evaluated together. Training uses BLAS on blocks of rows. A
block is so small that BLAS uses one thread only, so that networks trained in parallel do not
compete for cores, and that it stays in the core's cache.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled.jit import allocating_kernel, kernel
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
def dense(x: Floats, transposed: Floats, bias: Floats, out: Floats) -> None:
    """out = x @ transposed + bias, of a layer's matrix transposed: (inputs, outputs)."""
    rows = max(1, PRODUCT // max(1, transposed.size))
    for begin in range(0, x.shape[0], rows):
        np.dot(x[begin : begin + rows], transposed, out[begin : begin + rows])
    add_row(out, bias)


@allocating_kernel
def dense_grad(
    x: Floats,
    matrix: Floats,
    out_grad: Floats,
    matrix_grad: Floats,
    bias_grad: Floats,
    workspace: Floats,
) -> None:
    """Add the gradients of a layer's matrix and bias, given that of its outputs."""
    rows = max(1, PRODUCT // max(1, matrix.size))
    product = workspace[: matrix.size].reshape(matrix.shape)
    for begin in range(0, x.shape[0], rows):
        np.dot(out_grad[begin : begin + rows].T, x[begin : begin + rows], product)
        add_all(matrix_grad, product)
    add_rows(out_grad, bias_grad)


@allocating_kernel
def dense_grad_inputs(out_grad: Floats, matrix: Floats, x_grad: Floats) -> None:
    """The gradient of a layer's inputs, given that of its outputs: out_grad @ matrix."""
    rows = max(1, PRODUCT // max(1, matrix.size))
    for begin in range(0, out_grad.shape[0], rows):
        np.dot(out_grad[begin : begin + rows], matrix, x_grad[begin : begin + rows])


@kernel
def transpose(matrix: Floats, transposed: Floats) -> None:
    """Transpose a matrix."""
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            transposed[j, i] = matrix[i, j]


@kernel
def add_row(x: Floats, row: Floats) -> None:
    """Add a row to each row of x."""
    for i in range(x.shape[0]):
        into = x[i]
        for c in range(row.size):
            into[c] += row[c]


@kernel
def add_rows(x: Floats, total: Floats) -> None:
    """Add all rows of x to `total`."""
    for i in range(x.shape[0]):
        row = x[i]
        for c in range(total.size):
            total[c] += row[c]


@kernel
def add_all(into: Floats, x: Floats) -> None:
    """Add an array to another of the same shape."""
    for i in range(x.shape[0]):
        to, row = into[i], x[i]
        for c in range(row.size):
            to[c] += row[c]


@kernel
def leaky_relu_grad(x: Floats, out_grad: Floats) -> None:
    """Turn the gradient of the outputs x of a leaky ReLU into that of its inputs, in place."""
    for i in range(x.shape[0]):
        row, into = x[i], out_grad[i]
        for c in range(row.size):
            into[c] = into[c] if row[c] > ZERO else SLOPE * into[c]
