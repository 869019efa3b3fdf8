"""The core's limit: how fast one thread multiplies large matrices."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

SIDE = 1024
WORK = 2 * SIDE**3


def product() -> Callable[[], object]:
    """One large product of float32 matrices, to be timed."""
    random = np.random.default_rng(0)
    left, right = (random.random((SIDE, SIDE), np.float32) for _ in range(2))
    out = np.empty((SIDE, SIDE), np.float32)
    return lambda: np.dot(left, right, out=out)
