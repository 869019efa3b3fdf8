"""The functions that describe an implicit graph; everything they return is validated."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from math import fsum, isfinite
from struct import error as PackingError
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phil.arguments import FUNCTION, NOTHING, WHOLE, is_whole
from phil.errors import InputError, quoted
from phil.graphs.checks import MOST_WEIGHT
from phil.graphs.grid import Cell, Moves
from phil.graphs.packing import FLOAT32

N = TypeVar("N", bound=Hashable)

Answer = Iterable[N] | Mapping[N, float]  # a node's neighbours, and maybe the costs of the edges
Neighbors = Callable[[N], Answer[N]]
NeighborsOfMany = Callable[[list[N]], Iterable[Answer[N]]]
Features = Callable[[N], Iterable[float]]
FeaturesOfMany = Callable[[list[N]], ArrayLike]
EdgeFeatures = Callable[[N, N], Iterable[float]]

# Neighbours, the costs of the edges to them unless all are 1, and on a grid the moves.
Edges = tuple[Collection[N], Collection[float] | None, list[int] | None]

LARGEST = float(np.finfo(np.float32).max)
FLOAT_BYTES = 4
TOKENS = 2**64
SHOWN = 3  # nodes that an error lists
NODES = "nodes must be numbers, strings, tuples or other hashable values"


class Callbacks(Generic[N]):
    """Calls the user's functions; an invalid result is an `InputError` that names the node.

    What runs for every expanded node is written for speed.
    """

    shape: Cell | None = None  # of a grid: (rows, columns), or the sizes along x, y and z
    max_degree = 8  # initial capacity
    moves: Moves | None = None  # on a grid

    def __init__(
        self,
        neighbors: Neighbors[N] | None,
        neighbors_of_many: NeighborsOfMany[N] | None = None,
        batch: int = 1,
        features: Features[N] | None = None,
        features_of_many: FeaturesOfMany[N] | None = None,
        dim: int = 0,
        edge_features: EdgeFeatures[N] | None = None,
        edge_dim: int = 0,
    ) -> None:
        if (neighbors is None) == (neighbors_of_many is None):
            raise InputError("either neighbors or neighbors_of_many must be given")
        if neighbors_of_many is None:
            if not callable(neighbors):
                raise InputError(f"neighbors must be a function of a node, not {quoted(neighbors)}")
            if not is_whole(batch) or batch != 1:
                raise InputError("batch is for neighbors_of_many, which takes several nodes")
        elif not callable(neighbors_of_many):
            raise InputError(
                "neighbors_of_many must be a function of a list of nodes, "
                f"not {quoted(neighbors_of_many)}"
            )
        WHOLE.check(batch, "batch")
        if batch < 1:
            raise InputError(f"batch must be at least 1, not {batch}")
        WHOLE.check(dim, "dim")
        WHOLE.check(edge_dim, "edge_dim")
        for name, function in (
            ("features", features),
            ("features_of_many", features_of_many),
            ("edge_features", edge_features),
        ):
            (FUNCTION | NOTHING).check(function, name)
        if features is not None and features_of_many is not None:
            raise InputError("only one of features and features_of_many can be given")
        given = features or features_of_many
        for name, function, size, numbers in (
            ("features_of_many" if features_of_many else "features", given, "dim", dim),
            ("edge_features", edge_features, "edge_dim", edge_dim),
        ):
            if numbers < 0 or (function is None) != (numbers == 0):
                raise InputError(
                    f"{name} and {size} (how many numbers it returns) must be given together"
                )
        self.batch = batch
        self.dim = dim
        self.edge_dim = edge_dim
        self._neighbors = neighbors
        self._neighbors_of_many = neighbors_of_many
        self._features = features
        self._features_of_many = features_of_many
        self._edge_features = edge_features

    def __repr__(self) -> str:
        edges = f", edge_features={self.edge_dim}" if self.edge_dim else ""
        return f"features={self.dim}{edges}"

    @property
    def name(self) -> str:
        """The name of the function that returns neighbours."""
        function = self._neighbors or self._neighbors_of_many
        return getattr(function, "__name__", type(function).__name__)

    def check_node(self, node: N, role: str) -> N:
        """Return the node; raise an error that names its role if it is not hashable."""
        try:
            hash(node)
        except TypeError as error:
            raise InputError(f"{role} {node!r}: {error}; {NODES}") from error
        return node

    def edges(self, node: N) -> Edges[N]:
        """A node's neighbours, their costs unless they are 1, and on a grid their moves."""
        function = self._neighbors
        if function is None:
            return self.edges_of_many([node])[0]
        try:
            given: Any = function(node)
        except Exception as error:
            raise _raised(self.asked(node), error) from error
        kind = type(given)
        if self.moves is None:  # the usual answers first: to recognise any mapping takes long
            if kind is list:
                return given, None, None
            if kind is dict:
                return given, self._costs(node, given), None
        return self._read(node, given if kind is list else self._collected(node, given))

    def edges_of_many(self, nodes: list[N]) -> list[Edges[N]]:
        """The neighbours, costs and moves of several nodes."""
        function = self._neighbors_of_many
        if function is None:
            return [self.edges(node) for node in nodes]
        given: Any = _call("neighbors_of_many", nodes, function, nodes.copy())
        if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
            raise InputError(
                f"neighbors_of_many({_listed(nodes)}) returned {given!r}; "
                "it must return a list with one answer per node"
            )
        # A generator's code runs only now.
        answers: list[Any] = _call("neighbors_of_many", nodes, list, given)
        if len(answers) != len(nodes):
            raise InputError(
                f"neighbors_of_many({_listed(nodes)}) returned {len(answers)} answers for "
                f"{len(nodes)} nodes; it must return one per node, in the same order"
            )
        return [
            self._read(node, self._collected(node, answer))
            for node, answer in zip(nodes, answers, strict=True)
        ]

    def write_features(self, nodes: list[N], table: NDArray[np.float32], row: int) -> None:
        """Request the features of nodes and write them into a table, from a row on."""
        if self._features_of_many is not None:
            table[row : row + len(nodes)] = self._rows(nodes, self._features_of_many)
            return
        function, dim = self._features, self.dim
        assert function is not None
        pack, place = FLOAT32[dim], FLOAT_BYTES * dim * row
        for node in nodes:
            try:
                given: Any = function(node)
            except Exception as error:
                raise _raised(f"features({node!r})", error) from error
            try:
                kind = type(given)
                numbers = given if kind is list or kind is tuple else list(given)
                pack(table, place, *numbers)
                fit = isfinite(fsum(numbers))
            except (TypeError, ValueError, PackingError, OverflowError):
                fit = False
            if not fit:
                raise _not_numbers(f"features({node!r})", given, dim)
            place += FLOAT_BYTES * dim

    def edge_features(self, node: N, other: N) -> list[float]:
        """The features of the edge between two nodes."""
        assert self._edge_features is not None
        asked = f"edge_features({node!r}, {other!r})"
        try:
            given = self._edge_features(node, other)
        except Exception as error:
            raise _raised(asked, error) from error
        try:
            numbers = list(given)
            if len(numbers) == self.edge_dim and all(-LARGEST <= x <= LARGEST for x in numbers):
                return numbers
        except (TypeError, ValueError):
            pass
        raise _not_numbers(asked, given, self.edge_dim)

    def token(self, node: N) -> int:
        """A 64-bit number that identifies a node: the node itself if possible, else a hash."""
        if isinstance(node, int | np.integer) and 0 <= node < TOKENS:
            return int(node)
        return int.from_bytes(hashlib.blake2b(repr(node).encode(), digest_size=8).digest())

    def asked(self, node: N) -> str:
        """What was called for a node, for errors."""
        if self._neighbors is None:
            return f"neighbors_of_many (for {node!r})"
        return f"neighbors({node!r})"

    def unhashable(self, node: N, targets: Collection[N], error: TypeError) -> InputError:
        """The error that says that an answer holds what cannot be a node."""
        return InputError(f"{self.asked(node)} returned {list(targets)!r}: {error}; {NODES}")

    def repeated(self, node: N, targets: Collection[N]) -> InputError:
        """The error that says that an answer holds a node twice, or the node itself."""
        known = list(targets)
        twice = [target for target in known if known.count(target) > 1]
        if twice:
            return InputError(
                f"{self.asked(node)} returned {twice[0]!r} twice; return each neighbour once"
            )
        return InputError(f"{self.asked(node)} returned the node itself; leave it out")

    def _collected(self, node: N, given: Any) -> Collection[N]:
        """An answer as a collection."""
        if isinstance(given, list | tuple | Mapping):
            return given
        if isinstance(given, str | bytes) or not isinstance(given, Iterable):
            raise InputError(
                f"{self.asked(node)} returned {given!r}; "
                "it must return a list of nodes, or a dictionary from node to cost"
            )
        try:
            return list(given)  # a generator's code runs only now
        except Exception as error:
            raise _raised(self.asked(node), error) from error

    def _read(self, node: N, given: Collection[N]) -> Edges[N]:
        """What an answer says."""
        return given, self._costs(node, given) if isinstance(given, Mapping) else None, None

    def _costs(self, node: N, given: Mapping[N, float]) -> Collection[float]:
        costs = given.values()
        try:
            # Neither a sum nor a minimum alone finds every number that is not finite or negative.
            if not costs or (fsum(costs) <= MOST_WEIGHT and min(costs) >= 0):
                return costs
        except (TypeError, ValueError, OverflowError):
            pass
        return [self._cost(node, *edge) for edge in given.items()]

    def _cost(self, node: N, target: N, cost: Any) -> float:
        try:
            if 0 <= cost <= MOST_WEIGHT:
                return float(cost)
        except (TypeError, ValueError):
            pass
        raise InputError(
            f"{self.asked(node)}: the edge to {target!r} costs {cost!r}; "
            f"costs must be finite and non-negative, and at most {MOST_WEIGHT:g}"
        )

    def _rows(self, nodes: list[N], function: FeaturesOfMany[N]) -> NDArray[Any]:
        """The features of several nodes."""
        given = _call("features_of_many", nodes, function, nodes.copy())
        try:
            rows = np.asarray(given)
        except ValueError:  # rows of different lengths
            rows = np.empty(0, object)
        if rows.shape == (len(nodes), self.dim) and rows.dtype.kind in "biuf":
            wrong = np.flatnonzero(~(np.abs(rows.astype(np.float64)) <= LARGEST).all(axis=1))
            if not wrong.size:
                return rows
            node, row = nodes[wrong[0]], rows[wrong[0]].tolist()
            raise _not_numbers(f"features_of_many (for {node!r})", row, self.dim)
        raise InputError(
            f"features_of_many({_listed(nodes)}) returned {given!r}; it must return an array of "
            f"{len(nodes)} rows, one per node, with {self.dim} numbers each"
        )


def _call(name: str, nodes: Sequence[object], function: Callable[..., Any], given: Any) -> Any:
    try:
        return function(given)
    except Exception as error:
        raise _raised(f"{name}({_listed(nodes)})", error) from error


def _listed(nodes: Sequence[object]) -> str:
    more = ", ..." if len(nodes) > SHOWN else ""
    return f"[{', '.join(map(repr, nodes[:SHOWN]))}{more}]"


def _raised(asked: str, error: Exception) -> InputError:
    return InputError(f"{asked} raised {type(error).__name__}: {error}")


def _not_numbers(asked: str, given: object, dim: int) -> InputError:
    return InputError(f"{asked} returned {given!r}; it must return {dim} finite numbers")
