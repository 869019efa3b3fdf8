"""The functions that describe an implicit graph, with all that they return checked."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import numpy as np

from phil.errors import InputError
from phil.graphs.grid import Cell, Moves

N = TypeVar("N", bound=Hashable)

Neighbors = Callable[[N], Iterable[N] | Mapping[N, float]]
Features = Callable[[N], Iterable[float]]
EdgeFeatures = Callable[[N, N], Iterable[float]]

LARGEST = float(np.finfo(np.float32).max)
TOKENS = 2**64


class Callbacks(Generic[N]):
    """Asks a user's functions about nodes; what they say wrong is an `InputError` with the node."""

    shape: Cell | None = None  # of a grid: (rows, columns), or the sizes along x, y and z
    max_degree = 8  # to make room for at first
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
                raise InputError(f"{name} and {size}, how many numbers it returns, go together")
        self._neighbors = neighbors
        self._features = features
        self._edge_features = edge_features
        self.dim = dim
        self.edge_dim = edge_dim

    def __repr__(self) -> str:
        return f"features={self.dim}"

    def check_node(self, node: N, role: str) -> N:
        """The node, or an error that says which role was given what can be no node."""
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
                f"neighbors({node!r}) gave {targets!r}: {error}; "
                "nodes must be numbers, strings, tuples or other hashable values"
            ) from error
        if len(distinct) != len(targets):
            twice = next(target for target in targets if targets.count(target) > 1)
            raise InputError(f"neighbors({node!r}) gave {twice!r} twice; give each neighbour once")
        if node in distinct:
            raise InputError(f"neighbors({node!r}) gave the node itself; leave it out")
        if isinstance(given, Mapping):
            return targets, [_cost(node, *edge) for edge in given.items()], []
        return targets, [1.0] * len(targets), []

    def features(self, node: N) -> list[float]:
        """A node's features."""
        function = self._features
        return [] if function is None else _numbers("features", self.dim, function, node)

    def edge_features(self, node: N, other: N) -> list[float]:
        """The features of the edge from a node to another."""
        function = self._edge_features
        if function is None:
            return []
        return _numbers("edge_features", self.edge_dim, function, node, other)

    def token(self, node: N) -> int:
        """A number of 64 bits that stands for a node: itself if it is one, else a stable hash."""
        if isinstance(node, int | np.integer) and 0 <= node < TOKENS:
            return int(node)
        return int.from_bytes(hashlib.blake2b(repr(node).encode(), digest_size=8).digest())

    def ask(self, node: N) -> Sequence[N] | Mapping[N, float]:
        """What `neighbors` says of a node."""
        given = _call("neighbors", (node,), self._neighbors, node)
        if isinstance(given, list | tuple | Mapping):
            return given
        if isinstance(given, str | bytes) or not isinstance(given, Iterable):
            raise InputError(
                f"neighbors({node!r}) gave {given!r}; "
                "it must give a list of nodes, or a dictionary from node to cost"
            )
        # The code of a generator runs only now.
        nodes: list[N] = _call("neighbors", (node,), list, given)
        return nodes


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
        "a cost must be a finite number, not negative"
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
    raise InputError(f"{name}({arguments}) gave {given!r}; it must give {dim} finite numbers")
