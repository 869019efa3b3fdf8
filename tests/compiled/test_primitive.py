"""Primitives and routines: parts of kernels, compiled once for all widths of integers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel, primitive, routine
from phil.compiled.folder import CodeFolder


@primitive
def doubled(number: int) -> int:
    return 2 * number


@routine
def total(numbers: NDArray[np.int64], most: int) -> int:
    result = 0
    for k in range(min(numbers.size, most)):
        result += doubled(numbers[k])
    return result


@kernel
def run(numbers: NDArray[np.int64], few: NDArray[np.int32]) -> int:
    return total(numbers, few[0]) + total(numbers, few.size) + doubled(few[0])


def test_parts_are_compiled_into_a_kernel_once(empty_cache: CodeFolder) -> None:
    assert run(np.array([3, 4, 5]), np.array([2], np.int32)) == 14 + 6 + 4
    assert len(doubled.signatures) == len(total.signatures) == 1  # type: ignore[attr-defined]


def test_a_part_can_be_called_from_python() -> None:
    assert total(np.array([1, 2]), 5) == 6
    assert [doubled(4), doubled(5)] == [8, 10]
