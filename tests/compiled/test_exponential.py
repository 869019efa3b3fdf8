"""The vectorised exponential against numpy's in double precision."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from phil.compiled import kernel
from phil.compiled.exponential import exp32

Floats = NDArray[np.float32]


@kernel
def _of_each(x: Floats, out: Floats) -> None:
    for k in range(x.size):
        out[k] = exp32(x[k])


def of_each(x: Floats) -> Floats:
    out = np.empty_like(x)
    _of_each(x, out)
    return out


@given(st.lists(st.floats(-87, 88, width=32), min_size=1, max_size=40))
def test_any_values_are_exact_to_float32(values: list[float]) -> None:
    x = np.array(values, np.float32)
    np.testing.assert_allclose(of_each(x), np.exp(x.astype(np.float64)), rtol=2e-7)


def test_it_is_exact_and_rises_over_the_whole_range() -> None:
    x = np.linspace(-87, 88, 1_000_001).astype(np.float32)
    found = of_each(x)
    np.testing.assert_allclose(found, np.exp(x.astype(np.float64)), rtol=2e-7)
    assert (np.diff(found) >= 0).all()


def test_what_a_float32_cannot_hold() -> None:
    x = np.array([-np.inf, -1e30, -87.4, 0.0, -0.0, 88.8, 1e30, np.inf, np.nan], np.float32)
    expected = [0, 0, 0, 1, 1, np.inf, np.inf, np.inf, np.nan]
    np.testing.assert_array_equal(of_each(x), np.array(expected, np.float32))


def test_a_value_does_not_depend_on_how_many_are_computed_together() -> None:
    x = np.linspace(-20, 20, 67).astype(np.float32)
    alone = [of_each(x[k : k + 1].copy())[0] for k in range(x.size)]
    np.testing.assert_array_equal(of_each(x), np.array(alone))
