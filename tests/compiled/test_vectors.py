"""Vector instructions compute what numpy computes, whatever the sizes."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from phil.compiled import kernel
from phil.compiled.dense import affine
from phil.compiled.gru import gru_cell
from phil.compiled.softmax import softmax_mean
from phil.compiled.tiles import dot
from phil.compiled.vectors import LANES, aligned_zeros, padded

Floats = NDArray[np.float32]
seeds = st.integers(0, 2**32)


@kernel
def run_softmax_mean(rows: Floats, count: int, sharpness: float, out: Floats) -> None:
    softmax_mean(rows, count, sharpness, out)


@kernel
def run_gru_cell(
    gates: Floats, known: Floats, memory: Floats, size: int, out: Floats, total: Floats
) -> None:
    gru_cell(gates, known, memory, size, out, total)


@kernel
def run_dot(left: Floats, right: Floats) -> float:
    return float(dot(left, right))


def normal(random: np.random.Generator, *shape: int, spread: float = 1.0) -> Floats:
    array = aligned_zeros(*shape)
    array[:] = random.normal(0, spread, shape)
    return array


def test_arrays_are_zero_and_begin_at_a_whole_vector() -> None:
    for shape in ((3,), (5, 16), (2, 7, 32), (0, 16)):
        array = aligned_zeros(*shape)
        assert array.shape == shape
        assert array.ctypes.data % (4 * LANES) == 0 or not array.size
        assert not array.any()


@given(st.integers(0, 9), st.integers(0, 40), st.integers(1, 20), seeds)
def test_a_product_is_the_product(rows: int, depth: int, vectors: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    x = normal(random, rows + 2, padded(max(depth, 1)))
    matrix, bias = normal(random, depth, LANES * vectors), normal(random, LANES * vectors)
    out = normal(random, rows + 3, LANES * vectors)
    before = out.copy()
    affine(x, 2, rows, depth, matrix, bias, out, 1)
    expected = x[2 : 2 + rows, :depth].astype(float) @ matrix.astype(float) + bias
    np.testing.assert_allclose(out[1 : 1 + rows], expected, rtol=1e-4, atol=1e-4)
    assert np.array_equal(out[:1], before[:1])
    assert np.array_equal(out[1 + rows :], before[1 + rows :])


@given(st.integers(1, 9), st.integers(0, 40), seeds)
def test_a_row_does_not_depend_on_the_others(rows: int, depth: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    x, matrix = normal(random, rows, padded(max(depth, 1))), normal(random, depth, 11 * LANES)
    bias, together = normal(random, 11 * LANES), normal(random, rows, 11 * LANES)
    affine(x, 0, rows, depth, matrix, bias, together, 0)
    for row in range(rows):
        alone = aligned_zeros(1, 11 * LANES)
        affine(x, row, 1, depth, matrix, bias, alone, 0)
        assert np.array_equal(alone[0], together[row])


@given(st.integers(1, 12), st.integers(1, 3), st.floats(-3, 3), st.floats(0, 60), seeds)
def test_a_softmax_mean(
    count: int, vectors: int, sharpness: float, spread: float, seed: int
) -> None:
    random = np.random.default_rng(seed)
    rows = normal(random, count + 1, LANES * vectors, spread=spread)
    out = aligned_zeros(LANES * vectors)
    run_softmax_mean(rows, count, sharpness, out)
    score = rows[:count].astype(float) * np.float32(sharpness)
    share = np.exp(score - score.max(0))
    expected = (share * rows[:count]).sum(0) / share.sum(0)
    np.testing.assert_allclose(out, expected, rtol=1e-4, atol=1e-4 * (1 + spread))


@given(st.integers(1, 3), st.floats(0, 40), seeds)
def test_a_gru_cell(vectors: int, spread: float, seed: int) -> None:
    random = np.random.default_rng(seed)
    size = LANES * vectors
    gates, known = (normal(random, 3 * size, spread=spread) for _ in range(2))
    memory, total = normal(random, size), normal(random, size)
    out, before = aligned_zeros(size), total.copy()
    run_gru_cell(gates, known, memory, size, out, total)
    x, h = (array.astype(float).reshape(3, size) for array in (gates, known))
    with np.errstate(over="ignore"):
        reset, update = (1 / (1 + np.exp(-(x[k] + h[k]))) for k in (0, 1))
    new = np.tanh(x[2] + reset * h[2])
    expected = (1 - update) * new + update * memory
    np.testing.assert_allclose(out, expected, rtol=1e-4, atol=2e-4)
    np.testing.assert_allclose(total, before + out, rtol=1e-6, atol=1e-6)


@given(st.integers(1, 5), seeds)
def test_a_dot_product(vectors: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    left, right = (normal(random, LANES * vectors) for _ in range(2))
    np.testing.assert_allclose(
        run_dot(left, right), left.astype(float) @ right.astype(float), rtol=1e-4, atol=1e-4
    )
