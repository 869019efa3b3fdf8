"""An implicit graph whose nodes are the cells of a grid."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import prod
from operator import index

from phil.errors import InputError
from phil.graphs.callbacks import Callbacks
from phil.graphs.checks import MAX_NODES
from phil.graphs.grid import CONNECTIVITIES, Cell, grid_moves

CELLS = {2: "(row, column)", 3: "(x, y, z)"}  # by axes


class GridCallbacks(Callbacks[Cell]):
    """Asks which cells can be entered from a cell; the rest is as on a `GridGraph`."""

    shape: Cell

    def __init__(
        self,
        neighbors: Callable[[Cell], Iterable[Cell]],
        shape: Cell,
        connectivity: int | None,
        diagonal_cost: float | None,
    ) -> None:
        super().__init__(neighbors)
        self.shape = shape = _checked_shape(shape)
        self.dim = axes = len(shape)
        self.moves = moves = grid_moves(connectivity, diagonal_cost, axes)
        self.max_degree = len(moves.costs)
        self._costs: list[float] = moves.costs.tolist()
        self._numbers = {tuple(offset): k for k, offset in enumerate(moves.offsets.tolist())}
        self._moves_to = _moves_in_plane if axes == 2 else _moves_in_space
        self._last = tuple(side - 1 for side in shape)

    def __repr__(self) -> str:
        return f"{self._size}, connectivity={self.max_degree}"

    @property
    def _size(self) -> str:
        return "x".join(map(str, self.shape))

    def check_node(self, node: Cell, role: str) -> Cell:
        """The cell, or an error that says which role was given what is no cell of the grid."""
        try:
            cell = tuple(node)
            if len(cell) == self.dim and self._is_inside(cell):
                return cell
        except (TypeError, ValueError):
            pass
        raise InputError(f"{role} {node!r} is no cell {CELLS[self.dim]} of the {self._size} map")

    def edges(self, node: Cell) -> tuple[list[Cell], list[float], list[int]]:
        """A cell's neighbours in the order of the moves, their costs and the moves."""
        given = self.ask(node)
        if isinstance(given, Mapping):
            how = "1 or diagonal_cost" if self.dim == 2 else "1, sqrt 2 or sqrt 3"
            raise InputError(
                f"neighbors({node!r}) gave costs; on a grid a move costs {how}: "
                "give a list of cells"
            )
        try:
            found = self._moves_to(self._numbers, node, given)
        except (TypeError, ValueError, KeyError) as error:
            raise self._refusal(node, given) from error
        if len(found) != len(given):
            raise InputError(f"neighbors({node!r}) gave a cell twice; give each neighbour once")
        if self._at_border(node) and not all(map(self._is_inside, found.values())):
            raise self._refusal(node, given)
        moves = sorted(found)
        targets = list(map(found.__getitem__, moves))
        return targets, list(map(self._costs.__getitem__, moves)), moves

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
            f"neighbors({node!r}) gave {given!r}; it must give cells {CELLS[self.dim]} of the "
            f"{self._size} map, each one of {self.max_degree} moves away"
        )

    def features(self, node: Cell) -> list[float]:
        """The coordinates in cells: (x, y), y upwards, or (x, y, z)."""
        return [node[1], self._last[0] - node[0]] if self.dim == 2 else list(node)

    def token(self, node: Cell) -> int:
        """The id of the cell on a `GridGraph`."""
        number: int = node[0] * self.shape[1] + node[1]
        return number if self.dim == 2 else number * self.shape[2] + node[2]


def _checked_shape(shape: Cell) -> Cell:
    """The sizes of a map, or an error if there can be none of these sizes."""
    try:
        sizes = tuple(map(index, shape))
        if len(sizes) in CONNECTIVITIES and min(sizes) > 0 and prod(sizes) <= MAX_NODES:
            return sizes
    except TypeError:
        pass
    raise InputError(
        f"shape must be (rows, columns) of a 2D map or the sizes of a 3D one along (x, y, z), of "
        f"at most {MAX_NODES} cells, not {shape!r}"
    )


# The moves to cells, by number; an error if there is none. A search asks this of every cell around
# every cell: written for any number of axes, it takes three times as long.


def _moves_in_plane(numbers: dict[Cell, int], node: Cell, given: Sequence[Cell]) -> dict[int, Cell]:
    row, column = node
    return {numbers[r - row, c - column]: (r, c) for r, c in given}


def _moves_in_space(numbers: dict[Cell, int], node: Cell, given: Sequence[Cell]) -> dict[int, Cell]:
    a, b, c = node
    return {numbers[x - a, y - b, z - c]: (x, y, z) for x, y, z in given}
