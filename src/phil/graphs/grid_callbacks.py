"""An implicit graph whose nodes are the cells of a grid."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from phil.errors import InputError
from phil.graphs.callbacks import Callbacks
from phil.graphs.graph import MAX_NODES
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
        rows, columns = self._rows, self._columns
        try:
            row, column = node
            if 0 <= row < rows and 0 <= column < columns:
                return row, column
        except (TypeError, ValueError):
            pass
        raise InputError(
            f"{role} {node!r} is off the map: "
            f"rows 0..{rows - 1}, columns 0..{columns - 1}; give (row, column)"
        )

    def edges(self, node: Cell) -> tuple[list[Cell], list[float], list[int]]:
        """A cell's neighbours in the order of the moves, their costs and the moves."""
        given = self.ask(node)
        if isinstance(given, Mapping):
            raise InputError(
                f"neighbors({node!r}) gave costs; on a grid a move costs 1 or diagonal_cost: "
                "give a list of cells"
            )
        rows, columns = self._rows, self._columns
        row, column = node
        found: dict[int, Cell] = {}
        for cell in given:
            try:
                to_row, to_column = cell
                move = self._numbers[to_row - row, to_column - column]
            except (TypeError, ValueError, KeyError):
                move = -1
            if move < 0 or not (0 <= to_row < rows and 0 <= to_column < columns):
                raise InputError(
                    f"neighbors({node!r}) gave {cell!r}; it must give cells (row, column) of the "
                    f"map, one of {len(self._costs)} moves away"
                )
            found[move] = to_row, to_column
        if len(found) != len(given):
            raise InputError(f"neighbors({node!r}) gave a cell twice; give each neighbour once")
        moves = sorted(found)
        costs = self._costs
        return [found[move] for move in moves], [costs[move] for move in moves], moves

    def features(self, node: Cell) -> list[float]:
        """The coordinates (x, y) in cells, y upwards."""
        return [node[1], self._rows - 1 - node[0]]

    def token(self, node: Cell) -> int:
        """The id of the cell on a `GridGraph`."""
        return node[0] * self._columns + node[1]
