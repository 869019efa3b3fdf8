"""The function that describes an implicit grid; what it returns is validated."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from math import prod
from operator import index, itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs.callbacks import FLOAT_BYTES, Callbacks, Edges, Neighbors, NeighborsOfMany
from phil.graphs.checks import MAX_NODES
from phil.graphs.grid import CONNECTIVITIES, Cell, grid_moves
from phil.graphs.packing import FLOAT32

CELLS = {2: "(row, column)", 3: "(x, y, z)"}  # by axes
TUPLES = {tuple}
MOST_KNOWN = 4096  # orders of moves that are remembered


@dataclass(frozen=True, slots=True)
class Arrangement:
    """How cells that were given in some order of moves are brought into ours."""

    moves: list[int]
    costs: list[float]
    arrange: Callable[[Any], tuple[Cell, ...]] | None  # None: they are in order


class GridCallbacks(Callbacks[Cell]):
    """Calls a function for the cells that can be entered; the rest is as on a `GridGraph`."""

    shape: Cell

    def __init__(
        self,
        neighbors: Neighbors[Cell] | None,
        neighbors_of_many: NeighborsOfMany[Cell] | None,
        batch: int,
        shape: Cell,
        connectivity: int | None,
        diagonal_cost: float | None,
    ) -> None:
        super().__init__(neighbors, neighbors_of_many, batch)
        self.shape = shape = _checked_shape(shape)
        self.dim = axes = len(shape)
        self.moves = moves = grid_moves(connectivity, diagonal_cost, axes)
        self.max_degree = len(moves.costs)
        self._move_costs: list[float] = moves.costs.tolist()
        self._numbers = _by_axis(moves.offsets.tolist())
        self._moves_to = _moves_in_plane if axes == 2 else _moves_in_space
        self._last = tuple(side - 1 for side in shape)
        self._arrangements: dict[tuple[int, ...], Arrangement] = {}

    def __repr__(self) -> str:
        return f"{self._size}, connectivity={self.max_degree}"

    @property
    def _size(self) -> str:
        return "x".join(map(str, self.shape))

    def check_node(self, node: Cell, role: str) -> Cell:
        """Return the cell; raise an error that names its role if it is not on the grid."""
        try:
            cell = tuple(node)
            if len(cell) == self.dim and self._is_inside(cell):
                return cell
        except (TypeError, ValueError):
            pass
        raise InputError(f"{role} {node!r} is not a cell {CELLS[self.dim]} of the {self._size} map")

    def _read(self, node: Cell, given: Collection[Cell]) -> Edges[Cell]:
        """A cell's neighbours in the order of the moves, their costs and the moves."""
        if type(given) is not list and isinstance(given, Mapping):
            how = "1 or diagonal_cost" if self.dim == 2 else "1, sqrt 2 or sqrt 3"
            raise InputError(
                f"{self.asked(node)} returned costs; on a grid a move costs {how}: "
                "return a list of cells"
            )
        try:
            cells = given if {*map(type, given)} == TUPLES else [*map(tuple, given)]
            moves = self._moves_to(self._numbers, node, cells)
        except (TypeError, ValueError, KeyError) as error:
            raise self._refusal(node, given) from error
        known = self._arrangements.get(moves) or self._arrangement(node, moves)
        if self._at_border(node) and not all(map(self._is_inside, cells)):
            raise self._refusal(node, given)
        return known.arrange(cells) if known.arrange else cells, known.costs, known.moves

    def write_features(self, nodes: list[Cell], table: NDArray[np.float32], row: int) -> None:
        """Write the coordinates in cells: (x, y) with y pointing up, or (x, y, z)."""
        pack, place = FLOAT32[self.dim], FLOAT_BYTES * self.dim * row
        top = self._last[0]
        for cell in nodes:
            if len(cell) == 2:
                pack(table, place, cell[1], top - cell[0])
            else:
                pack(table, place, *cell)
            place += FLOAT_BYTES * len(cell)

    def token(self, node: Cell) -> int:
        """The id of the cell on a `GridGraph`."""
        number: int = node[0] * self.shape[1] + node[1]
        return number if self.dim == 2 else number * self.shape[2] + node[2]

    def _arrangement(self, node: Cell, moves: tuple[int, ...]) -> Arrangement:
        """What is to be done with cells in a new order of moves."""
        if len(set(moves)) != len(moves):
            raise InputError(
                f"{self.asked(node)} returned a cell twice; return each neighbour once"
            )
        ordered = sorted(moves)
        places = [moves.index(move) for move in ordered]
        in_order = places == list(range(len(places)))
        found = Arrangement(
            ordered,
            [self._move_costs[move] for move in ordered],
            None if in_order else itemgetter(*places),  # of several: one is always in order
        )
        if len(self._arrangements) < MOST_KNOWN:
            self._arrangements[moves] = found
        return found

    def _is_inside(self, cell: Cell) -> bool:
        last = self._last
        if not (0 <= cell[0] <= last[0] and 0 <= cell[1] <= last[1]):
            return False
        return self.dim == 2 or 0 <= cell[2] <= last[2]

    def _at_border(self, cell: Cell) -> bool:
        last = self._last
        if not (0 < cell[0] < last[0] and 0 < cell[1] < last[1]):
            return True
        return self.dim == 3 and not 0 < cell[2] < last[2]

    def _refusal(self, node: Cell, given: object) -> InputError:
        return InputError(
            f"{self.asked(node)} returned {given!r}; it must return cells {CELLS[self.dim]} of "
            f"the {self._size} map, each reachable by one of the {self.max_degree} moves"
        )


def _checked_shape(shape: Cell) -> Cell:
    """The shape of a map as integers."""
    try:
        sizes = tuple(map(index, shape))
        if len(sizes) in CONNECTIVITIES and min(sizes) > 0 and prod(sizes) <= MAX_NODES:
            return sizes
    except TypeError:
        pass
    raise InputError(
        "shape must be (rows, columns) of a 2D map or the sizes of a 3D map along (x, y, z), with "
        f"at most {MAX_NODES} cells, not {shape!r}"
    )


def _by_axis(offsets: list[list[int]]) -> dict[int, Any]:
    """The numbers of the moves, in dictionaries by the offset along one axis after the other."""
    numbers: dict[int, Any] = {}
    for number, (*outer, last) in enumerate(offsets):
        inner = numbers
        for offset in outer:
            inner = inner.setdefault(offset, {})
        inner[last] = number
    return numbers


# The numbers of the moves that lead to the given cells. This runs for every expanded cell; a
# version for any number of axes would be three times slower.


def _moves_in_plane(
    numbers: dict[int, Any], node: Cell, given: Collection[Cell]
) -> tuple[int, ...]:
    row, column = node
    return tuple([numbers[r - row][c - column] for r, c in given])


def _moves_in_space(
    numbers: dict[int, Any], node: Cell, given: Collection[Cell]
) -> tuple[int, ...]:
    a, b, c = node
    return tuple([numbers[x - a][y - b][z - c] for x, y, z in given])
