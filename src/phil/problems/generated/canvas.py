"""A map being drawn: rectangles on the unit square, rounded onto the cells of any shape."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

PUBLIC_SIDE = 201


class Box(NamedTuple):
    """A rectangle, with x to the right and y up from the bottom-left corner of the map.

    Positions refer to the cells of the public maps: 0 is the first of their 201 cells, 1 the last.
    A box includes the cells at its edges, so one from 0.4 to 0.6 covers 41 of 201 cells.
    """

    left: float
    bottom: float
    right: float
    top: float

    @classmethod
    def around(cls, x: float, y: float, width: float, height: float) -> Box:
        """The box of that size centred at (x, y)."""
        return cls(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


@dataclass(frozen=True)
class Canvas:
    """`free[row, column]`, rows counted from the bottom while drawing (a map's from the top)."""

    free: NDArray[np.bool_]

    @classmethod
    def empty(cls, shape: tuple[int, int]) -> Canvas:
        """A map without obstacles."""
        return cls(np.ones(shape, dtype=np.bool_))

    @property
    def transposed(self) -> Canvas:
        """The same cells with x and y swapped."""
        return Canvas(self.free.T)

    def block(self, box: Box) -> None:
        """Put an obstacle on every cell of the box."""
        rows, columns = self.free.shape
        self.free[_cells(box.bottom, box.top, rows), _cells(box.left, box.right, columns)] = False

    def visible(self, thickness: float) -> tuple[float, float]:
        """The thickness of a bar along x and along y, at least one cell."""
        rows, columns = self.free.shape
        thin_x, thin_y = ((PUBLIC_SIDE / n - 1) / (PUBLIC_SIDE - 1) for n in (columns, rows))
        return max(thickness, thin_x), max(thickness, thin_y)


def around(rng: np.random.Generator, value: float, spread: float) -> float:
    """A number drawn uniformly from within `spread` of `value`."""
    return rng.uniform(value - spread, value + spread)


def _cells(low: float, high: float, cells: int) -> slice:
    """The cells from `low` to `high`, inclusive, along a side of that many cells.

    Parts outside the map are clamped to its border, so a bar entirely outside still leaves a line
    one cell thick, as in the public maps where bug traps extend beyond the border.
    """
    scale = cells / PUBLIC_SIDE
    start = floor(low * (PUBLIC_SIDE - 1) * scale + 0.5)
    stop = floor((high * (PUBLIC_SIDE - 1) + 1) * scale + 0.5)
    return slice(min(max(start, 0), cells - 1), min(max(stop, 1), cells))
