"""Prefetching changes nothing that can be seen, whatever the size of a row."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from phil.compiled import kernel
from phil.compiled.prefetch import prefetch_row


@kernel
def _prefetch_all(table: NDArray[np.float32]) -> int:
    for row in range(table.shape[0]):
        prefetch_row(table, row)
    return int(table.shape[0])


@pytest.mark.parametrize("columns", [0, 1, 16, 17, 100])
def test_rows_of_any_size(columns: int) -> None:
    table = np.arange(5.0 * columns, dtype=np.float32).reshape(5, columns)
    before = table.copy()
    assert _prefetch_all(table) == 5
    np.testing.assert_array_equal(table, before)
