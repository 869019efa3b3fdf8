"""GridGraph: a 2D occupancy map whose neighbours are computed, never stored."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phil.errors import InputError, unknown_name
from phil.graphs.arrays import (
    CORNER_ALLOW,
    CORNER_BOTH_FREE,
    CORNER_ONE_FREE,
    GraphArrays,
    neighbors,
)
from phil.graphs.graph import MAX_NODES, read_only
from phil.memory import check_memory

Corners = Literal["allow", "one_free", "both_free"]
CORNER_RULES: dict[str, int] = {
    "allow": CORNER_ALLOW,
    "one_free": CORNER_ONE_FREE,
    "both_free": CORNER_BOTH_FREE,
}

# At the peak, of which a grid keeps one byte per cell and its features, if asked for, eight.
CELL_BYTES = 3
FEATURE_BYTES = 49

# (right, up) in the order in which neighbours enter OPEN. The order is part of the tie-breaking
# rule: with it the classical searches reproduce the published figures on the public maps.
MOVES: dict[int, tuple[tuple[int, int], ...]] = {
    4: ((1, 0), (0, -1), (-1, 0), (0, 1)),
    8: ((1, 1), (1, -1), (-1, -1), (-1, 1), (1, 0), (0, -1), (-1, 0), (0, 1)),
}


@dataclass(frozen=True)
class Moves:
    """The moves on a grid, in the order in which neighbours enter OPEN."""

    offsets: NDArray[np.int64]  # row and column
    costs: NDArray[np.float64]
    features: NDArray[np.float32]  # (dx, dy)


def grid_moves(connectivity: int, diagonal_cost: float) -> Moves:
    """The moves that cost 1, and the diagonal ones."""
    if connectivity not in MOVES:
        raise InputError(f"connectivity must be 4 or 8, not {connectivity}")
    if not (np.isfinite(diagonal_cost) and diagonal_cost > 0):
        raise InputError(f"diagonal_cost must be a positive number, not {diagonal_cost}")
    moves = np.array(MOVES[connectivity], np.int64)
    diagonal = (moves != 0).all(axis=1)
    return Moves(
        offsets=np.ascontiguousarray(moves[:, ::-1] * np.array([-1, 1])),
        costs=np.where(diagonal, diagonal_cost, 1.0),
        features=moves.astype(np.float32),
    )


class GridGraph:
    """The free cells of a 2D map, joined to their 4 or 8 neighbours.

    `free[row, column]` is True where a cell can be entered; row 0 is the top. A node's id is
    `row * columns + column`; blocked cells keep their ids but are no nodes. Straight moves cost 1,
    diagonal ones `diagonal_cost`. `corners` says when a diagonal move may pass the two cells beside
    it: always (`allow`), if one of them is free (`one_free`) or only if both are (`both_free`).
    Node features are the coordinates (x, y) in cells, x to the right and y upwards from the
    bottom-left cell; edge features are the offsets (dx, dy).

    >>> grid = GridGraph([[True, True], [False, True]])
    >>> grid
    GridGraph(2x2, free=3, connectivity=8, corners=allow)
    >>> [grid.cell(node) for node in grid.neighbors(grid.node(0, 0))]
    [(1, 1), (0, 1)]
    """

    directed = False
    feature_names = ("x", "y")

    def __init__(
        self,
        free: ArrayLike,
        *,
        connectivity: int = 8,
        corners: Corners = "allow",
        diagonal_cost: float = 2**0.5,
    ) -> None:
        cells = np.asarray(free)
        if cells.ndim != 2 or cells.size == 0:
            raise InputError(f"a map must be a non-empty 2D array, not one of shape {cells.shape}")
        if cells.size > MAX_NODES:
            raise InputError(f"a map of {cells.size} cells: at most {MAX_NODES} are supported")
        check_memory(CELL_BYTES * cells.size, f"a map of {cells.size} cells")
        if cells.dtype != bool and (
            cells.dtype.kind not in "iu" or not ((cells == 0) | (cells == 1)).all()
        ):
            raise InputError(
                "a map must hold True (free) and False (blocked) or 1 and 0, "
                f"not {cells.dtype} values; threshold it first"
            )
        self._moves = grid_moves(connectivity, diagonal_cost)
        if corners not in CORNER_RULES:
            raise unknown_name("corner rule", str(corners), CORNER_RULES)
        self._cells: NDArray[np.bool_] = np.array(cells, bool, order="C")
        self.free = read_only(self._cells)
        self.connectivity = connectivity
        self.corners = corners
        self.diagonal_cost = float(diagonal_cost)

    def __repr__(self) -> str:
        rows, columns = self.free.shape
        return (
            f"GridGraph({rows}x{columns}, free={self.num_nodes}, "
            f"connectivity={self.connectivity}, corners={self.corners})"
        )

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return self.free.shape[0], self.free.shape[1]

    @property
    def size(self) -> int:
        """How many node ids there are, those of blocked cells included."""
        return self.free.size

    @cached_property
    def num_nodes(self) -> int:
        """How many cells are free."""
        return int(self.free.sum())

    @property
    def max_degree(self) -> int:
        """The largest number of neighbours a cell can have."""
        return self.connectivity

    @cached_property
    def arrays(self) -> GraphArrays:
        """What the compiled kernels see of this grid."""
        return GraphArrays(
            first=np.zeros(0, np.int64),
            last=np.zeros(0, np.int64),
            indices=np.zeros(0, np.int32),
            weights=np.zeros(0),
            edge_rows=np.zeros(0, np.int64),
            tokens=np.zeros(0, np.uint64),
            features=np.zeros((0, 2), np.float32),
            edge_features=self._moves.features,
            free=self._cells.reshape(-1).view(np.uint8),
            shape=np.array(self.shape, np.int64),
            moves=self._moves.offsets,
            move_costs=self._moves.costs,
            corner_rule=CORNER_RULES[self.corners],
        )

    @cached_property
    def features(self) -> NDArray[np.float32]:
        """The coordinates (x, y) of every cell, blocked ones included, by node id."""
        rows, columns = self.shape
        check_memory(FEATURE_BYTES * self.size, f"a table of the coordinates of {self.size} cells")
        up, right = np.divmod(np.arange(self.size), columns)
        return read_only(np.stack([right, rows - 1 - up], axis=1).astype(np.float32))

    def node(self, row: int, column: int) -> int:
        """The id of a cell."""
        rows, columns = self.shape
        if not (0 <= row < rows and 0 <= column < columns):
            raise InputError(
                f"cell ({row}, {column}) is off the map: "
                f"rows 0..{rows - 1}, columns 0..{columns - 1}"
            )
        return int(row) * columns + int(column)

    def cell(self, node: int) -> tuple[int, int]:
        """The (row, column) of a node."""
        row, column = divmod(int(node), self.shape[1])
        return row, column

    def neighbors(self, node: int) -> NDArray[np.int32]:
        """The neighbours of a node, in the order in which a search generates them."""
        self.check_node(node, "node")
        out = np.empty(self.max_degree, np.int32)
        edges = np.empty(self.max_degree, np.int64)
        costs = np.empty(self.max_degree)
        return out[: neighbors(self.arrays, int(node), out, edges, costs)]

    def check_node(self, node: int, role: str) -> int:
        """The node's id, or an error that says which role was given a cell that is no node."""
        if not 0 <= node < self.size:
            raise InputError(f"{role} {node} is off the map: ids are 0..{self.size - 1}")
        row, column = self.cell(node)
        if not self.free[row, column]:
            raise InputError(f"{role} ({row}, {column}) is on an obstacle; choose a free cell")
        return int(node)

    def reversed(self) -> GridGraph:
        """The grid itself: every move can be made back."""
        return self
