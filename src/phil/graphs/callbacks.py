"""The functions that describe an implicit graph; everything they return is validated."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from math import prod
from operator import index
from typing import Any, Generic, TypeVar

import numpy as np

from phil.errors import InputError
from phil.graphs.checks import MAX_NODES
from phil.graphs.grid import CONNECTIVITIES, Cell, Moves, grid_moves

N = TypeVar("N", bound=Hashable)

Neighbors = Callable[[N], Iterable[N] | Mapping[N, float]]
Features = Callable[[N], Iterable[float]]
EdgeFeatures = Callable[[N, N], Iterable[float]]

LARGEST = float(np.finfo(np.float32).max)
TOKENS = 2**64
CELLS = {2: "(row, column)", 3: "(x, y, z)"}  # by axes


class Callbacks(Generic[N]):
    """Calls the user's functions; an invalid result is an `InputError` that names the node."""

    shape: Cell | None = None  # of a grid: (rows, columns), or the sizes along x, y and z
    max_degree = 8  # initial capacity
    moves: Moves | None = None  # on a grid

    def __init__(
        self,
        neighbors: Neighbors[N],
        features: Features[N] | None = None,
        dim: int = 0,
        edge_features: EdgeFeatures[N] | None = None,
        edge_dim: int = 0,
    ) -> None:
        if not callable(neighbors):
            raise InputError(f"neighbors must be a function of a node, not {neighbors!r}")
        for name, function, numbers in (
            ("features", features, dim),
            ("edge_features", edge_features, edge_dim),
        ):
            size = "dim" if name == "features" else "edge_dim"
            if numbers < 0 or (function is None) != (numbers == 0):
                raise InputError(
                    f"{name} and {size} (how many numbers it returns) must be given together"
                )
        self._neighbors = neighbors
        self._features = features
        self._edge_features = edge_features
        self.dim = dim
        self.edge_dim = edge_dim

    def __repr__(self) -> str:
        edges = f", edge_features={self.edge_dim}" if self.edge_dim else ""
        return f"features={self.dim}{edges}"

    @property
    def name(self) -> str:
        """The name of the function that returns neighbours."""
        return getattr(self._neighbors, "__name__", type(self._neighbors).__name__)

    def check_node(self, node: N, role: str) -> N:
        """Return the node; raise an error that names its role if it is not hashable."""
        try:
            hash(node)
        except TypeError as error:
            raise InputError(
                f"{role} {node!r}: {error}; "
                "nodes must be numbers, strings, tuples or other hashable values"
            ) from error
        return node

    def edges(self, node: N) -> tuple[list[N], list[float], list[int]]:
        """A node's neighbours, the costs of the edges to them and, on a grid, their moves."""
        given = self.ask(node)
        targets = list(given)
        try:
            distinct = set(targets)
        except TypeError as error:
            raise InputError(
                f"neighbors({node!r}) returned {targets!r}: {error}; "
                "nodes must be numbers, strings, tuples or other hashable values"
            ) from error
        if len(distinct) != len(targets):
            twice = next(target for target in targets if targets.count(target) > 1)
            raise InputError(
                f"neighbors({node!r}) returned {twice!r} twice; return each neighbour once"
            )
        if node in distinct:
            raise InputError(f"neighbors({node!r}) returned the node itself; leave it out")
        if isinstance(given, Mapping):
            return targets, [_cost(node, *edge) for edge in given.items()], []
        return targets, [1.0] * len(targets), []

    def features(self, node: N) -> list[float]:
        """A node's features."""
        function = self._features
        return [] if function is None else _numbers("features", self.dim, function, node)

    def edge_features(self, node: N, other: N) -> list[float]:
        """The features of the edge between two nodes."""
        function = self._edge_features
        if function is None:
            return []
        return _numbers("edge_features", self.edge_dim, function, node, other)

    def token(self, node: N) -> int:
        """A 64-bit number that identifies a node: the node itself if possible, else a hash."""
        if isinstance(node, int | np.integer) and 0 <= node < TOKENS:
            return int(node)
        return int.from_bytes(hashlib.blake2b(repr(node).encode(), digest_size=8).digest())

    def ask(self, node: N) -> Sequence[N] | Mapping[N, float]:
        """What `neighbors` returns for a node."""
        given = _call("neighbors", (node,), self._neighbors, node)
        if isinstance(given, list | tuple | Mapping):
            return given
        if isinstance(given, str | bytes) or not isinstance(given, Iterable):
            raise InputError(
                f"neighbors({node!r}) returned {given!r}; "
                "it must return a list of nodes, or a dictionary from node to cost"
            )
        # A generator's code runs only now.
        nodes: list[N] = _call("neighbors", (node,), list, given)
        return nodes


class GridCallbacks(Callbacks[Cell]):
    """Calls a function for the cells that can be entered; the rest is as on a `GridGraph`."""

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
        """Return the cell; raise an error that names its role if it is not on the grid."""
        try:
            cell = tuple(node)
            if len(cell) == self.dim and self._is_inside(cell):
                return cell
        except (TypeError, ValueError):
            pass
        raise InputError(f"{role} {node!r} is not a cell {CELLS[self.dim]} of the {self._size} map")

    def edges(self, node: Cell) -> tuple[list[Cell], list[float], list[int]]:
        """A cell's neighbours in the order of the moves, their costs and the moves."""
        given = self.ask(node)
        if isinstance(given, Mapping):
            how = "1 or diagonal_cost" if self.dim == 2 else "1, sqrt 2 or sqrt 3"
            raise InputError(
                f"neighbors({node!r}) returned costs; on a grid a move costs {how}: "
                "return a list of cells"
            )
        try:
            found = self._moves_to(self._numbers, node, given)
        except (TypeError, ValueError, KeyError) as error:
            raise self._refusal(node, given) from error
        if len(found) != len(given):
            raise InputError(
                f"neighbors({node!r}) returned a cell twice; return each neighbour once"
            )
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
            f"neighbors({node!r}) returned {given!r}; it must return cells {CELLS[self.dim]} of "
            f"the {self._size} map, each reachable by one of the {self.max_degree} moves"
        )

    def features(self, node: Cell) -> list[float]:
        """The coordinates in cells: (x, y) with y pointing up, or (x, y, z)."""
        return [node[1], self._last[0] - node[0]] if self.dim == 2 else list(node)

    def token(self, node: Cell) -> int:
        """The id of the cell on a `GridGraph`."""
        number: int = node[0] * self.shape[1] + node[1]
        return number if self.dim == 2 else number * self.shape[2] + node[2]


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


# The numbers of the moves that lead to the given cells. This runs for every expanded cell; a
# version for any number of axes would be three times slower.


def _moves_in_plane(numbers: dict[Cell, int], node: Cell, given: Sequence[Cell]) -> dict[int, Cell]:
    row, column = node
    return {numbers[r - row, c - column]: (r, c) for r, c in given}


def _moves_in_space(numbers: dict[Cell, int], node: Cell, given: Sequence[Cell]) -> dict[int, Cell]:
    a, b, c = node
    return {numbers[x - a, y - b, z - c]: (x, y, z) for x, y, z in given}


def _call(name: str, nodes: tuple[object, ...], function: Callable[..., Any], *given: Any) -> Any:
    try:
        return function(*given)
    except Exception as error:
        arguments = ", ".join(map(repr, nodes))
        raise InputError(f"{name}({arguments}) raised {type(error).__name__}: {error}") from error


def _cost(node: object, target: object, cost: Any) -> float:
    try:
        if 0 <= cost < np.inf:
            return float(cost)
    except (TypeError, ValueError):
        pass
    raise InputError(
        f"neighbors({node!r}): the edge to {target!r} costs {cost!r}; "
        "costs must be finite and non-negative"
    )


def _numbers(name: str, dim: int, function: Callable[..., Any], *nodes: object) -> list[float]:
    given = _call(name, nodes, function, *nodes)
    try:
        numbers = list(given)
        if len(numbers) == dim and all(-LARGEST <= number <= LARGEST for number in numbers):
            return numbers
    except (TypeError, ValueError):
        pass
    arguments = ", ".join(map(repr, nodes))
    raise InputError(f"{name}({arguments}) returned {given!r}; it must return {dim} finite numbers")
