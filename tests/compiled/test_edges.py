"""Vector code against plain numpy at every edge: sizes, remainders, odd starts, steps, specials.

Arrays lie between guards, so that nothing is read or written beyond their ends.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from phil.compiled import kernel
from phil.compiled.dense import (
    PRODUCT,
    SLOPE,
    affine,
    dense,
    dense_grad,
    dense_grad_inputs,
    leaky_relu,
)
from phil.compiled.exponential import exp32
from phil.compiled.gru import gru_cell, gru_cell_from_zero, gru_cell_from_zero_grad
from phil.compiled.messages import EPSILON, softmax_messages, softmax_messages_grad
from phil.compiled.softmax import softmax_mean
from phil.compiled.tiles import dot
from phil.compiled.vectors import LANES
from tests.compiled.guarded import Floats, Guards

Doubles = NDArray[np.float64]

SIZES = range(3 * LANES + 2)  # all remainders, up to three vectors and one number
TINY = np.float32(1e-45)  # the smallest denormal number


@kernel
def run_dot(left: Floats, right: Floats) -> float:
    return float(dot(left, right))


@kernel
def run_mean(rows: Floats, count: int, sharpness: float, out: Floats) -> None:
    softmax_mean(rows, count, sharpness, out)


@kernel
def run_gru(gates: Floats, known: Floats, memory: Floats, out: Floats, total: Floats) -> None:
    gru_cell(gates, known, memory, memory.size, out, total)


@kernel
def run_messages(
    x: Floats, node: int, near: NDArray[np.int64], mask: NDArray[np.bool_], edge: Floats,
    weight: Floats, sharpness: float, kept: Floats, out: Floats,
) -> None:  # fmt: skip
    softmax_messages(x, node, near, mask, edge, weight, sharpness, kept, out)


@kernel
def run_messages_grad(
    x: Floats, node: int, near: NDArray[np.int64], mask: NDArray[np.bool_], edge: Floats,
    weight: Floats, sharpness: float, kept: Floats, out_grad: Floats, x_grad: Floats,
    weight_grad: Floats, sharpness_grad: Floats,
) -> None:  # fmt: skip
    softmax_messages_grad(
        x, node, near, mask, edge, weight, sharpness, kept, out_grad, x_grad, weight_grad,
        sharpness_grad,
    )  # fmt: skip


@kernel
def run_exp(x: Floats, out: Floats) -> None:
    for k in range(x.size):
        out[k] = exp32(x[k])


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(0)


def assert_close(found: ArrayLike, expected: ArrayLike, within: float = 2e-5) -> None:
    np.testing.assert_allclose(
        np.asarray(found, float), np.asarray(expected, float), rtol=within, atol=within
    )


def sigmoid(x: Doubles) -> Doubles:
    return 1 / (1 + np.exp(-x))


@pytest.mark.parametrize("step", [None, 4 * LANES + 3])
def test_products_of_all_heights(random: np.random.Generator, step: int | None) -> None:
    for rows, depth in itertools.product(range(10), (0, 1, 2, 3, LANES + 1)):
        width = 3 * LANES
        x, matrix = random.normal(size=(rows + 1, depth)), random.normal(size=(depth, width))
        bias, before = random.normal(size=width), random.normal(size=(rows + 2, width))
        with Guards() as guards:
            out = guards.of(before, step)
            affine(
                guards.of(x, step), 1, rows, depth, guards.of(matrix, step), guards.of(bias), out, 1
            )
        before[1 : 1 + rows] = x[1:] @ matrix + bias
        assert_close(out, before)


@pytest.mark.parametrize("rows", [1, 2, 3, 4, 7])
def test_products_of_all_widths(random: np.random.Generator, rows: int) -> None:
    for width in range(0, 20 * LANES, LANES):
        x, matrix = random.normal(size=(rows, 3)), random.normal(size=(3, width))
        bias = random.normal(size=width)
        with Guards() as guards:
            out = guards.of(np.zeros((rows, width)))
            affine(guards.of(x), 0, rows, 3, guards.of(matrix), guards.of(bias), out, 0)
        assert_close(out, x @ matrix + bias)


def test_products_of_special_numbers() -> None:
    special = np.array([[np.nan], [np.inf], [-np.inf], [TINY], [-0.0]], np.float32)
    with Guards() as guards:
        out = guards.of(np.zeros((5, LANES)))
        affine(
            guards.of(special), 0, 5, 1, guards.of(np.ones((1, LANES))),
            guards.of(np.zeros(LANES)), out, 0,
        )  # fmt: skip
    np.testing.assert_array_equal(out, np.repeat(special, LANES, axis=1))


def test_dot_products_of_all_sizes(random: np.random.Generator) -> None:
    for vectors, longer in itertools.product(range(6), (0, 1)):
        right = random.normal(size=vectors * LANES)
        left = random.normal(size=right.size + longer)
        with Guards() as guards:
            found = run_dot(guards.of(left), guards.of(right))
        assert_close(found, left[: right.size] @ right)


@pytest.mark.parametrize("step", [None, 4 * LANES + 3])
def test_softmax_means_of_all_sizes(random: np.random.Generator, step: int | None) -> None:
    for vectors, count in itertools.product(range(4), range(1, 6)):
        rows = random.normal(size=(count, vectors * LANES))
        with Guards() as guards:
            out = guards.of(np.zeros(vectors * LANES))
            run_mean(guards.of(rows, step), count, 1.5, out)
        share = np.exp(1.5 * rows)
        assert_close(out, (share * rows).sum(0) / share.sum(0))


def test_softmax_means_of_special_numbers() -> None:
    rows = np.zeros((2, LANES), np.float32)
    rows[0, :6] = 1e30, -1e30, 88, -88, TINY, np.nan
    with Guards() as guards:
        out = guards.of(np.zeros(LANES))
        run_mean(guards.of(rows), 2, 1.0, out)
    np.testing.assert_allclose(out[:5], [1e30, 0, 88, 0, 0], rtol=1e-6, atol=1e-6)
    assert np.isnan(out[5])
    assert not out[6:].any()


def test_gru_cells_of_all_sizes(random: np.random.Generator) -> None:
    for vectors in range(4):
        size = vectors * LANES
        gates, known = random.normal(size=(2, 3, size))
        memory, before = random.normal(size=(2, size))
        with Guards() as guards:
            out, total = guards.of(np.zeros(size)), guards.of(before)
            run_gru(
                guards.of(gates.ravel()), guards.of(known.ravel()), guards.of(memory), out, total
            )
        reset, update = (sigmoid(gates[k] + known[k]) for k in (0, 1))
        new = np.tanh(gates[2] + reset * known[2])
        expected = (1 - update) * new + update * memory
        assert_close(out, expected)
        assert_close(total, before + expected)


def test_gru_cells_of_large_numbers() -> None:
    for value, expected in ((1e30, 1.0), (-1e30, 0.5), (np.inf, 1.0), (TINY, 0.25)):
        gates = np.zeros(3 * LANES)
        gates[2 * LANES :] = value
        gates[LANES : 2 * LANES] = -value if value > 1 else 0  # the update
        with Guards() as guards:
            out = guards.of(np.zeros(LANES))
            memory = np.full(LANES, 2.0 if value < 0 else 0.5)
            run_gru(
                guards.of(gates), guards.of(np.zeros(3 * LANES)), guards.of(memory), out,
                guards.of(np.zeros(LANES)),
            )  # fmt: skip
        assert_close(out, expected)


@pytest.mark.parametrize("neighbors", range(4))
def test_messages_and_their_gradients_of_all_sizes(
    random: np.random.Generator, neighbors: int
) -> None:
    sharpness = 1.5
    for size, features in itertools.product(SIZES, (0, 1, 3)):
        x, edge = random.normal(size=(5, size)), random.normal(size=(neighbors, features))
        weight, arrived = random.normal(size=(features, size)), random.normal(size=size)
        near = random.permutation(5)[:neighbors].astype(np.int64)
        mask = random.random(neighbors) < 0.7
        node = int(random.integers(5))
        grads = [random.normal(size=shape) for shape in ((5, size), (features, size), (size,))]
        with Guards() as guards:
            given = (
                guards.of(x), node, near, mask, guards.of(edge), guards.of(weight), sharpness,
            )  # fmt: skip
            kept, out = guards.of(np.zeros((3, size))), guards.of(np.zeros(size))
            run_messages(*given, kept, out)
            found = [guards.of(grad) for grad in grads]
            run_messages_grad(*given, kept, guards.of(arrived), *found)

        raw = x[near[mask]] + edge[mask] @ weight
        message = np.maximum(raw, 0) + EPSILON
        share = np.exp(sharpness * message)
        share /= share.sum(0)
        mean = (share * message).sum(0)
        assert_close(out, x[node] + mean)
        assert_close(kept[2], mean)

        above = message - mean
        flow = arrived * share * (1 + sharpness * above) * (raw > 0)
        x_grad, weight_grad, sharpness_grad = grads
        x_grad[node] += arrived
        np.add.at(x_grad, near[mask], flow)
        weight_grad += edge[mask].T @ flow
        sharpness_grad += arrived * (share * above**2).sum(0)
        for one, expected in zip(found, grads, strict=True):
            assert_close(one, expected, 1e-4)


def test_exponentials_of_all_sizes(random: np.random.Generator) -> None:
    for size in SIZES:
        x = random.normal(size=size).astype(np.float32)
        with Guards() as guards:
            out = guards.of(np.zeros(size))
            run_exp(guards.of(x), out)
        np.testing.assert_allclose(out, np.exp(x.astype(float)), rtol=3e-7)


def test_leaky_relus_of_all_sizes(random: np.random.Generator) -> None:
    for rows, size in itertools.product(range(3), SIZES):
        x = random.normal(size=(rows + 1, size + 1)).astype(np.float32)
        with Guards() as guards:
            out = guards.of(x)
            leaky_relu(out, rows, size)
        inside = x[:rows, :size]
        inside[inside < 0] *= SLOPE
        np.testing.assert_array_equal(out, x)


@pytest.mark.parametrize(
    ("inputs", "outputs", "heights"),
    [
        (1, 1, range(4)),
        (0, 3, range(3)),
        (3, 0, range(3)),
        (17, 33, range(4)),
        # Blocks of 8 rows: whole ones, one row more, one less.
        (PRODUCT // 512, 64, (0, 1, 7, 8, 9, 15, 16, 17)),
    ],
)
@pytest.mark.parametrize("slope", [1.0, 0.25])
def test_layers_and_their_gradients_of_all_sizes(
    random: np.random.Generator, inputs: int, outputs: int, heights: range, slope: float
) -> None:
    matrix = random.normal(size=(outputs, inputs)) / max(1, inputs) ** 0.5
    bias = random.normal(size=outputs)
    for rows in heights:
        x, out_grad = random.normal(size=(rows, inputs)), random.normal(size=(rows, outputs))
        x[:1, :1] = 0.0
        matrix_grad, bias_grad = random.normal(size=matrix.shape), random.normal(size=outputs)
        with Guards() as guards:
            out, found = guards.of(np.zeros((rows, outputs))), guards.of(np.zeros((rows, inputs)))
            dense(guards.of(x), guards.of(matrix.T), guards.of(bias), slope, out)
            dense_grad_inputs(guards.of(out_grad), guards.of(matrix), guards.of(x), slope, found)
            of_matrix, of_bias = guards.of(matrix_grad), guards.of(bias_grad)
            product = guards.of(np.zeros(matrix.shape))
            dense_grad(guards.of(x), guards.of(out_grad), of_matrix, of_bias, product)
        value = x @ matrix.T + bias
        assert_close(out, np.where(value >= 0, value, slope * value), 1e-4)
        below = np.where(x > 0, 1, slope)
        assert_close(found, out_grad @ matrix * below, 1e-4)
        assert_close(of_matrix, matrix_grad + out_grad.T @ x, 1e-4)
        assert_close(of_bias, bias_grad + out_grad.sum(0), 1e-4)


def test_gru_cells_from_zero_and_their_gradients_of_all_sizes(random: np.random.Generator) -> None:
    for rows, size in itertools.product(range(3), SIZES):
        gates, bias = random.normal(size=(rows, 3 * size)), random.normal(size=3 * size)
        arrived, before = random.normal(size=(rows, size)), random.normal(size=3 * size)
        with Guards() as guards:
            inside, out = guards.of(gates), guards.of(np.full((rows, size + 2), 7.0))
            gru_cell_from_zero(inside, guards.of(bias), out)
            forward = inside.copy()
            bias_grad = guards.of(before)
            gru_cell_from_zero_grad(inside, guards.of(bias), guards.of(arrived), bias_grad)

        x, b = gates.reshape(rows, 3, size), bias.reshape(3, size)
        reset, update = (sigmoid(x[:, k] + b[k]) for k in (0, 1))
        fresh = np.tanh(x[:, 2] + reset * b[2])
        parts = np.stack([reset, update, fresh], 1).reshape(rows, 3 * size)
        assert_close(forward, parts)
        assert_close(out[:, :size], (1 - update) * fresh)
        assert (out[:, size:] == 7).all()
        fresh_grad = arrived * (1 - update) * (1 - fresh**2)
        reset_grad = fresh_grad * b[2] * reset * (1 - reset)
        update_grad = -arrived * fresh * update * (1 - update)
        expected = np.stack([reset_grad, update_grad, fresh_grad], 1).reshape(rows, 3 * size)
        assert_close(inside, expected)
        of_bias = np.stack([reset_grad, update_grad, fresh_grad * reset], 1).sum(0).ravel()
        assert_close(bias_grad, before + of_bias)
