"""An implicit graph whose nodes are the cells of a grid."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from phil.errors import InputError
from phil.graphs.callbacks import Callbacks
from phil.graphs.checks import MAX_NODES
from phil.graphs.grid import grid_moves

Cell = tuple[int, int]


class GridCallbacks(Callbacks[Cell]):
    """Asks which cells can be entered from a cell; the rest is as on a `GridGraph`."""

    def __init__(
        self,
        neighbors: Callable[[Cell], Iterable[Cell]],
        shape: tuple[int, int],
        connectivity: int,
        diagonal_cost: float,
    ) -> None:
        super().__init__(neighbors)
        rows, columns = shape
        if not (rows > 0 and columns > 0 and rows * columns <= MAX_NODES):
            raise InputError(f"shape must be (rows, columns) of a map, not {shape}")
        self.moves = moves = grid_moves(connectivity, diagonal_cost)
        self.shape = rows, columns
        self._rows, self._columns = rows, columns
        self.dim = 2
        self.max_degree = connectivity
        self._costs: list[float] = moves.costs.tolist()
        self._numbers = {(down, right): k for k, (down, right) in enumerate(moves.offsets.tolist())}

    def __repr__(self) -> str:
        return f"{self._rows}x{self._columns}, connectivity={self.max_degree}"

    def check_node(self, node: Cell, role: str) -> Cell:
        """The cell, or an error that says which role was given what is no cell of the grid."""
        try:
            row, column = node
            if self._is_inside((row, column)):
                return row, column
        except (TypeError, ValueError):
            pass
        raise InputError(
            f"{role} {node!r} is no cell (row, column) of the {self._rows}x{self._columns} map"
        )

    def edges(self, node: Cell) -> tuple[list[Cell], list[float], list[int]]:
        """A cell's neighbours in the order of the moves, their costs and the moves."""
        given = self.ask(node)
        if isinstance(given, Mapping):
            raise InputError(
                f"neighbors({node!r}) gave costs; on a grid a move costs 1 or diagonal_cost: "
                "give a list of cells"
            )
        row, column = node
        numbers = self._numbers
        try:
            found = {numbers[r - row, c - column]: (r, c) for r, c in given}
        except (TypeError, ValueError, KeyError) as error:
            raise self._refusal(node, given) from error
        if len(found) != len(given):
            raise InputError(f"neighbors({node!r}) gave a cell twice; give each neighbour once")
        if self._at_border(node) and not all(map(self._is_inside, found.values())):
            raise self._refusal(node, given)
        moves = sorted(found)
        return [found[move] for move in moves], [self._costs[move] for move in moves], moves

    def _is_inside(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self._rows and 0 <= cell[1] < self._columns

    def _at_border(self, cell: Cell) -> bool:
        return not (0 < cell[0] < self._rows - 1 and 0 < cell[1] < self._columns - 1)

    def _refusal(self, node: Cell, given: object) -> InputError:
        return InputError(
            f"neighbors({node!r}) gave {given!r}; it must give cells (row, column) of the "
            f"{self._rows}x{self._columns} map, each one of {len(self._costs)} moves away"
        )

    def features(self, node: Cell) -> list[float]:
        """The coordinates (x, y) in cells, y upwards."""
        return [node[1], self._rows - 1 - node[0]]

    def token(self, node: Cell) -> int:
        """The id of the cell on a `GridGraph`."""
        return node[0] * self._columns + node[1]
