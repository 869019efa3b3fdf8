"""Fully connected layers over many rows, compiled, with their gradients.

Matrix products are BLAS's, on blocks of rows: while a block is small BLAS uses one thread only, so
networks that are trained side by side do not fight for cores, and it stays in the core's cache.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import allocating_kernel, kernel
from phil.heuristics.phil.layers import LEAK

Floats = NDArray[np.float32]

PRODUCT = 2**18  # multiplications in a block
ZERO = np.float32(0.0)


@allocating_kernel
def dense(x: Floats, turned: Floats, bias: Floats, out: Floats) -> None:
    """out = x @ turned + bias; `turned` is a layer's matrix, transposed: (inputs, outputs)."""
    rows = max(1, PRODUCT // max(1, turned.size))
    for begin in range(0, x.shape[0], rows):
        np.dot(x[begin : begin + rows], turned, out[begin : begin + rows])
    add_row(out, bias)


@allocating_kernel
def dense_gradient(
    x: Floats, matrix: Floats, arrived: Floats, to_matrix: Floats, to_bias: Floats, room: Floats
) -> None:
    """Add what arrives at a layer's outputs to the gradients of its matrix and bias."""
    rows = max(1, PRODUCT // max(1, matrix.size))
    product = room[: matrix.size].reshape(matrix.shape)
    for begin in range(0, x.shape[0], rows):
        np.dot(arrived[begin : begin + rows].T, x[begin : begin + rows], product)
        add_all(to_matrix, product)
    add_rows(arrived, to_bias)


@allocating_kernel
def back_through(arrived: Floats, matrix: Floats, to_x: Floats) -> None:
    """What arrives at a layer's outputs, brought to its inputs: arrived @ matrix."""
    rows = max(1, PRODUCT // max(1, matrix.size))
    for begin in range(0, arrived.shape[0], rows):
        np.dot(arrived[begin : begin + rows], matrix, to_x[begin : begin + rows])


@kernel
def turn(matrix: Floats, turned: Floats) -> None:
    """Transpose a matrix."""
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            turned[j, i] = matrix[i, j]


@kernel
def add_row(x: Floats, row: Floats) -> None:
    """Add the same to each row."""
    for i in range(x.shape[0]):
        into = x[i]
        for c in range(row.size):
            into[c] += row[c]


@kernel
def add_rows(x: Floats, total: Floats) -> None:
    """Add all rows up."""
    for i in range(x.shape[0]):
        row = x[i]
        for c in range(total.size):
            total[c] += row[c]


@kernel
def add_all(into: Floats, x: Floats) -> None:
    """Add an array to another of its shape."""
    for i in range(x.shape[0]):
        to, row = into[i], x[i]
        for c in range(row.size):
            to[c] += row[c]


@kernel
def leak_all(x: Floats) -> None:
    """Leaky ReLU in place."""
    for i in range(x.shape[0]):
        row = x[i]
        for c in range(row.size):
            row[c] = row[c] if row[c] > ZERO else LEAK * row[c]


@kernel
def leak_gradient(x: Floats, arrived: Floats) -> None:
    """Bring what arrived at the outputs x of a leaky ReLU to its inputs, in place."""
    for i in range(x.shape[0]):
        row, into = x[i], arrived[i]
        for c in range(row.size):
            into[c] = into[c] if row[c] > ZERO else LEAK * into[c]
