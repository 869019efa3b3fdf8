"""GridGraph: a 2D or 3D occupancy map whose neighbours are computed, never stored."""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from itertools import product
from typing import Any, Literal, Self, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phil.arguments import NOTHING, REAL, TEXT, WHOLE, takes
from phil.compiled.vectors import aligned_zeros
from phil.errors import InputError, quoted, shortened, unknown_name
from phil.graphs.arrays import GraphArrays, neighbors
from phil.graphs.checks import (
    MAX_NODES,
    MOST_WEIGHT,
    Immutable,
    as_array,
    matrix,
    read_only,
    texts,
    truths,
)
from phil.graphs.graph import GROUPS, NODE, FeatureGroup
from phil.graphs.stencil import Corners, make_stencil
from phil.memory import check_memory

CORNER_RULES = get_args(Corners)
AXES = ("x", "y", "z")
DIGITS = re.compile(r"\s*-?\d{1,9}\s*", re.ASCII)

# (row, column) or (x, y, z): fits pairs and triples of integers, like numpy's own shapes.
Cell = tuple[Any, ...]

# Peak memory per cell; a grid keeps 2 bytes per cell and, once requested, 4 per axis for features.
CELL_BYTES = 4
FEATURE_BYTES = 15  # per axis: three tables of float32, and in 2D the flipped rows


def _over_axes(most: int) -> tuple[tuple[int, ...], ...]:
    """The moves along at most `most` of three axes, those along most axes first, as in 2D."""
    moves = [move for move in product((1, 0, -1), repeat=3) if 0 < np.count_nonzero(move) <= most]
    return tuple(sorted(moves, key=np.count_nonzero, reverse=True))


# By connectivity: (right, up) or (x, y, z) in the order in which neighbours enter OPEN. The order
# is part of the tie-breaking rule, with which the classical searches reproduce the published
# figures on the public maps.
MOVES: dict[int, tuple[tuple[int, ...], ...]] = {
    4: ((1, 0), (0, -1), (-1, 0), (0, 1)),
    8: ((1, 1), (1, -1), (-1, -1), (-1, 1), (1, 0), (0, -1), (-1, 0), (0, 1)),
    6: _over_axes(1),
    18: _over_axes(2),
    26: _over_axes(3),
}
CONNECTIVITIES = {2: (4, 8), 3: (6, 18, 26)}  # by axes; the last is the default


@dataclass(frozen=True)
class Moves:
    """The moves on a grid, in the order in which neighbours enter OPEN."""

    offsets: NDArray[np.int64]  # along the axes of the array: row and column, or x, y and z
    costs: NDArray[np.float64]
    features: NDArray[np.float32]  # (dx, dy) or (dx, dy, dz)


def grid_moves(
    connectivity: int | None = None, diagonal_cost: float | None = None, axes: int = 2
) -> Moves:
    """The moves of a grid; straight moves cost 1."""
    *others, most = CONNECTIVITIES[axes]
    if connectivity is None:
        connectivity = most
    if connectivity not in (*others, most):
        allowed = f"{', '.join(map(str, others))} or {most}"
        raise InputError(f"connectivity must be {allowed} on a {axes}D map, not {connectivity}")
    if diagonal_cost is None:
        diagonal_cost = 2**0.5
    if diagonal_cost != 2**0.5 and axes == 3:
        raise InputError(
            "diagonal_cost is for 2D maps; in 3D, moves along 2 and 3 axes cost sqrt 2 and sqrt 3"
        )
    if not 0 < diagonal_cost <= MOST_WEIGHT:
        raise InputError(
            f"diagonal_cost must be a positive number, not {diagonal_cost}, and at most "
            f"{MOST_WEIGHT:g}"
        )
    moves = np.array(MOVES[connectivity], np.int64)
    costs = np.array([0.0, 1.0, diagonal_cost, 3**0.5])
    offsets = moves if axes == 3 else np.ascontiguousarray(moves[:, ::-1] * np.array([-1, 1]))
    return Moves(
        offsets=read_only(offsets),
        costs=read_only(costs[np.count_nonzero(moves, axis=1)]),
        features=read_only(moves.astype(np.float32)),
    )


def check_plane(shape: tuple[int, ...], who: str) -> tuple[int, int]:
    """(rows, columns); on a 3D map, raise an error that says who needs a 2D map."""
    if len(shape) != 2:
        size = " x ".join(map(str, shape))
        raise InputError(f"{who} needs a 2D map; this one has {len(shape)} axes ({size})")
    return shape[0], shape[1]


class GridGraph(Immutable):
    """The free cells of a 2D or 3D map, connected to their neighbours.

    A node's id is its index in the flattened array: `row * columns + column`, or
    `(x * Y + y) * Z + z`. Blocked cells keep their ids but are not nodes. Node features are the
    coordinates in cells: in 2D (x, y), with x to the right and y up from the bottom-left cell; in
    3D (x, y, z). `phil.add_features` adds others, such as distances to landmarks. Edge features are
    the offsets (dx, dy) or (dx, dy, dz). Neighbours are computed, never stored.

    Parameters
    ----------
    free : array_like of bool
        Which cells can be entered: `free[row, column]`, row 0 at the top, or `free[x, y, z]`.
    connectivity : int, optional
        The number of possible neighbours of a cell: 4 or 8 (the default) in 2D; 6, 18 or 26 (the
        default) in 3D.
    corners : {"allow", "one_free", "both_free"}, optional
        Whether a diagonal move may cut corners: always, if at least one of the cells beside it is
        free, or only if all are. The cells beside a move are the other cells of the box that it
        spans: 2, or 6 for a move along three axes.
    diagonal_cost : float, optional
        The cost of a diagonal move in 2D; sqrt 2 by default. Straight moves cost 1; in 3D, moves
        along 2 and 3 axes cost sqrt 2 and sqrt 3.

    Raises
    ------
    InputError
        If the array is not a map, or if the connectivity, corner rule or cost is invalid.

    Examples
    --------
    >>> grid = GridGraph([[True, True], [False, True]])
    >>> grid
    GridGraph(2x2, free=3, connectivity=8, corners=allow)
    >>> [grid.cell(node) for node in grid.neighbors(grid.node(0, 0))]
    [(1, 1), (0, 1)]
    >>> GridGraph(np.ones((9, 5, 3), bool), connectivity=6)
    GridGraph(9x5x3, free=135, connectivity=6, corners=allow)
    """

    is_grid: Literal[True] = True
    is_known: Literal[True] = True
    is_weighted: Literal[False] = False
    is_drawable: Literal[True] = True
    directed: Literal[False] = False

    @takes(connectivity=WHOLE | NOTHING, diagonal_cost=REAL | NOTHING)
    def __init__(
        self,
        free: ArrayLike,
        *,
        connectivity: int | None = None,
        corners: Corners = "allow",
        diagonal_cost: float | None = None,
    ) -> None:
        cells = as_array(free, "a map")
        if cells.ndim not in (2, 3) or cells.size == 0:
            raise InputError(
                f"a map must be a non-empty 2D or 3D array, not an array of shape {cells.shape}"
            )
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
        moves = grid_moves(connectivity, diagonal_cost, cells.ndim)
        if str(corners) not in CORNER_RULES:
            raise unknown_name("corner rule", str(corners), CORNER_RULES)
        self.free: NDArray[np.bool_] = read_only(truths(cells))
        self.connectivity = len(moves.costs)
        self.corners = corners
        self.diagonal_cost = 2**0.5 if diagonal_cost is None else float(diagonal_cost)
        # Features besides the coordinates, by node id, and their names and groups.
        self.added: NDArray[np.float32] | None = None
        self._added_names: tuple[str, ...] = ()
        self._added_groups: tuple[FeatureGroup, ...] = ()

    def __repr__(self) -> str:
        return (
            f"GridGraph({'x'.join(map(str, self.shape))}, free={self.num_nodes}, "
            f"connectivity={self.connectivity}, corners={self.corners})"
        )

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return str(import_module("phil.view.notebook").grid_html(self))

    @property
    def shape(self) -> Cell:
        """(rows, columns), or the sizes along x, y and z."""
        return self.free.shape

    @property
    def axes(self) -> Literal[2, 3]:
        """The number of axes of the map."""
        return 2 if self.free.ndim == 2 else 3

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The names of a cell's coordinates, then of its other features."""
        return (*AXES[: self.free.ndim], *self._added_names)

    @property
    def feature_groups(self) -> tuple[FeatureGroup, ...]:
        """The coordinates, then the groups of other features."""
        return (FeatureGroup("coordinates", self.free.ndim, alike=True), *self._added_groups)

    def plane(self, who: str) -> tuple[int, int]:
        """(rows, columns); on a 3D map, raise an error that says who needs a 2D map."""
        return check_plane(self.shape, who)

    @property
    def size(self) -> int:
        """The number of node ids, including those of blocked cells."""
        return self.free.size

    @cached_property
    def num_nodes(self) -> int:
        """The number of free cells."""
        return int(self.free.sum())

    @property
    def node_ids(self) -> NDArray[np.int64]:
        """The ids of all free cells, in ascending order."""
        return np.flatnonzero(self.free)

    @property
    def max_degree(self) -> int:
        """The largest number of neighbours a cell can have."""
        return self.connectivity

    @cached_property
    def arrays(self) -> GraphArrays:
        """The grid as the compiled kernels see it."""
        moves = grid_moves(self.connectivity, self.diagonal_cost, self.axes)
        return GraphArrays(
            first=np.zeros(0, np.int64),
            last=np.zeros(0, np.int64),
            indices=np.zeros(0, np.int32),
            weights=np.zeros(0),
            edge_rows=np.zeros(0, np.int64),
            tokens=np.zeros(0, np.uint64),
            features=np.zeros((0, self.free.ndim), np.float32)
            if self.added is None
            else self.added,
            edge_features=moves.features,
            free=self.free.reshape(-1).view(np.uint8),
            shape=read_only(np.array(self.shape, np.int64)),
            moves=moves.offsets,
            move_costs=moves.costs,
            stencil=make_stencil(self.free, moves.offsets, self.corners),
        )

    @cached_property
    def features(self) -> NDArray[np.float32]:
        """The features of every cell, including blocked ones, by node id: its coordinates first."""
        need = FEATURE_BYTES * len(self.feature_names) * self.size
        check_memory(need, f"a table of the features of {self.size} cells")
        places = list(np.indices(self.shape, np.int32).reshape(self.free.ndim, -1))
        if self.free.ndim == 2:
            places = [places[1], self.shape[0] - 1 - places[0]]
        table = np.stack(places, axis=1).astype(np.float32)
        return read_only(table if self.added is None else np.hstack([table, self.added]))

    def features_of(self, nodes: ArrayLike) -> NDArray[np.float32]:
        """The features of some cells, one row each; no table of all cells is made.

        >>> GridGraph([[True, True, True], [True, True, True]]).features_of([0, 5]).tolist()
        [[0.0, 1.0], [2.0, 0.0]]
        """
        chosen = np.asarray(nodes, np.int64)
        places = np.unravel_index(chosen, self.shape)
        if self.free.ndim == 2:
            places = (places[1], self.shape[0] - 1 - places[0])
        rows = np.stack(places, axis=1).astype(np.float32)
        return rows if self.added is None else np.hstack([rows, self.added[chosen]])

    @takes(feature_groups=GROUPS)
    def with_features(
        self,
        features: ArrayLike,
        feature_names: Sequence[str],
        feature_groups: Sequence[FeatureGroup],
    ) -> Self:
        """Return the same grid with other features besides the coordinates.

        Parameters
        ----------
        features : array_like
            One row of numbers per cell, including blocked ones, by node id.
        feature_names : sequence of str
            The names of the columns.
        feature_groups : sequence of FeatureGroup
            Which columns belong together.

        Returns
        -------
        GridGraph
        """
        other = copy.copy(self)
        given = matrix(features, "features", self.size)
        table = aligned_zeros(*given.shape)  # a row of 16 numbers is then one cache line
        table[:] = given
        names, sizes = texts(feature_names, "feature_names"), [each.size for each in feature_groups]
        if not len(names) == sum(sizes) == table.shape[1]:
            raise InputError(
                f"{table.shape[1]} features, but {len(names)} feature_names and feature_groups of "
                f"sizes {sizes}"
            )
        other.added = read_only(table) if names else None
        other._added_names = names
        other._added_groups = tuple(feature_groups)
        return other

    def node(self, *cell: int) -> int:
        """The id of a cell: (row, column), or (x, y, z)."""
        if len(cell) != self.free.ndim:
            wanted = "(row, column)" if self.free.ndim == 2 else "(x, y, z)"
            raise InputError(f"a cell of this map is {wanted}, not {quoted(cell)}")
        number = 0
        for place, side in zip(cell, self.free.shape, strict=True):
            WHOLE.check(place, "a part of a cell")
            if not 0 <= place < side:
                raise InputError(f"cell {quoted(cell)} is off the map: {self._ranges()}")
            number = number * side + int(place)
        return number

    def _ranges(self) -> str:
        names = ("rows", "columns") if self.free.ndim == 2 else AXES
        sides = zip(names, self.free.shape, strict=True)
        return ", ".join(f"{name} 0..{side - 1}" for name, side in sides)

    def cell(self, node: int) -> Cell:
        """The (row, column) of a node, or its (x, y, z)."""
        if type(node) is not int:
            NODE.check(node, "node")
        rest, last = divmod(int(node), self.free.shape[-1])
        return (rest, last) if self.free.ndim == 2 else (*divmod(rest, self.free.shape[1]), last)

    def node_name(self, node: int) -> list[int]:
        """How JSON output names a node: by its cell.

        >>> GridGraph([[True, True, True]]).node_name(2)
        [0, 2]
        """
        return list(self.cell(node))

    @takes(text=TEXT)
    def find_node(self, text: str) -> int:
        """The free cell named by a text ROW,COL or X,Y,Z.

        >>> GridGraph([[True, True, True]]).find_node("0,2")
        2
        """
        parts = text.split(",")
        if len(parts) != self.free.ndim or not all(map(DIGITS.fullmatch, parts)):
            raise InputError(f"a cell of this map is {self.cell_form}, not {shortened(text)}")
        return self.check_node(self.node(*map(int, parts)), "the cell")

    @property
    def cell_form(self) -> str:
        """How users write a cell of this map."""
        return "ROW,COL such as 0,200" if self.free.ndim == 2 else "X,Y,Z such as 0,10,200"

    def between(self, start: Any, goal: Any) -> tuple[GridGraph, int, int]:
        """The graph that a search works on, and the ids of start and goal (node ids or cells)."""
        ids = (self.node(*end) if isinstance(end, tuple) else end for end in (start, goal))
        return self, self.check_node(next(ids), "start"), self.check_node(next(ids), "goal")

    def user_node(self, node: int) -> Cell:
        """The user's name for a node: its cell."""
        return self.cell(node)

    def neighbors(self, node: int) -> NDArray[np.int32]:
        """The neighbours of a node, in the order in which a search generates them."""
        self.check_node(node, "node")
        out = np.empty(self.max_degree, np.int32)
        edges = np.empty(self.max_degree, np.int64)
        costs = np.empty(self.max_degree)
        return out[: neighbors(self.arrays, int(node), out, edges, costs)]

    def check_node(self, node: int, role: str) -> int:
        """Return the node's id; raise an error that names its role if it is not a free cell."""
        NODE.check(node, role)
        if not 0 <= node < self.size:
            raise InputError(f"{role} {quoted(node)} is off the map: ids are 0..{self.size - 1}")
        cell = self.cell(node)
        if not self.free[cell]:
            raise InputError(f"{role} {cell} is on an obstacle; choose a free cell")
        return int(node)

    def reversed(self) -> GridGraph:
        """The grid itself: every move can be reversed."""
        return self
