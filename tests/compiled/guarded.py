"""Arrays between guards, which show whether an instruction reads or writes beyond the ends."""

from __future__ import annotations

from types import TracebackType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phil.compiled.vectors import LANES

Floats = NDArray[np.float32]

GUARD = 4 * LANES
# A NaN of its own: a result that depends on it is a NaN, and a write changes its bits.
MARK = np.array(0x7FC12345, np.uint32).view(np.float32)


class Guards:
    """Makes arrays that start at an odd place; at the end, all that is around them is unchanged.

    >>> with Guards() as guards:
    ...     array = guards.of(np.zeros((2, 3)))
    """

    def __init__(self) -> None:
        self._made: list[tuple[Floats, NDArray[np.bool_]]] = []

    def of(self, values: ArrayLike, step: int | None = None) -> Floats:
        """A copy of the values; with a step, the rows of a table are that far apart."""
        values = np.asarray(values, np.float32)
        rows, width = (1, values.size) if step is None else values.shape
        between = width if step is None else step
        odd = 1 + len(self._made) % (LANES - 1)
        memory = np.full(GUARD + odd + rows * between + GUARD, MARK)
        begin = memory[GUARD + odd :]
        table = np.lib.stride_tricks.as_strided(begin, (rows, width), (4 * between, 4))
        used = np.zeros(memory.size, bool)
        inside = np.arange(rows)[:, None] * between + np.arange(width)
        used[GUARD + odd + inside.ravel()] = True
        table[:] = values.reshape(rows, width)
        self._made.append((memory, used))
        return begin[: values.size].reshape(values.shape) if step is None else table

    def __enter__(self) -> Guards:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: object, __: TracebackType | None
    ) -> None:
        if kind is None:
            for memory, used in self._made:
                assert (memory.view(np.uint32)[~used] == MARK.view(np.uint32)).all()
