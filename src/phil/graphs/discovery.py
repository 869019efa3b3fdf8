"""What one search meets of an implicit graph: ids in order of discovery, and arrays that grow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, Literal

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs.arrays import CORNER_ALLOW, GraphArrays
from phil.graphs.callbacks import Callbacks, N
from phil.graphs.checks import MAX_NODES, Scalar, read_only
from phil.graphs.grid import Cell

FIRST_NODES = 1024  # room to begin with
FIRST_EDGES = 8 * FIRST_NODES
UNASKED = -1


class Discovery(Generic[N]):
    """A graph that is asked for, node by node.

    A node gets an id when it is met, as start, goal or neighbour; its features are asked for then.
    Its neighbours are when a search, or the guide of one, needs them: `reveal`. Nothing is asked
    twice, and nothing is kept for another search: what the graph stands for may change.
    """

    is_known: Literal[False] = False

    def __init__(self, callbacks: Callbacks[N], start: N, goal: N) -> None:
        self._callbacks = callbacks
        self._ids: dict[N, int] = {}
        self._asked: set[int] = set()
        self._edges = 0
        self.nodes: list[N] = []  # the user's nodes, by id
        self.max_degree = callbacks.max_degree  # the most neighbours that there is room for
        self.arrays = _no_arrays(callbacks)
        ends = callbacks.check_node(start, "start"), callbacks.check_node(goal, "goal")
        self.start, self.goal = self._meet(ends)
        self._write_nodes(0)

    @property
    def shape(self) -> Cell | None:
        """(rows, columns) of a grid, or its sizes along x, y and z; None on other graphs."""
        return self._callbacks.shape

    @property
    def is_grid(self) -> bool:
        """Whether the nodes are cells of a grid."""
        return self.shape is not None

    @property
    def axes(self) -> int:
        """How many axes the grid has; 0 on other graphs."""
        return 0 if self.shape is None else len(self.shape)

    @property
    def size(self) -> int:
        """How many node ids there is room for."""
        return self.arrays.first.size

    @property
    def features(self) -> NDArray[np.float32]:
        """The features of the nodes met so far, by id."""
        return read_only(self.arrays.features[: len(self.nodes)])

    @property
    def calls(self) -> int:
        """How often `neighbors` was called."""
        return len(self._asked)

    def user_node(self, node: int) -> N:
        """The user's node of an id."""
        return self.nodes[node]

    def reveal(self, ids: Iterable[int]) -> None:
        """Ask for the neighbours of nodes; of those that were asked for already, not again."""
        callbacks, nodes = self._callbacks, self.nodes
        met, begin = len(nodes), self._edges
        near: list[int] = []
        costs: list[float] = []
        rows: list[int] = []
        features: list[list[float]] = []
        bounds: list[tuple[int, int, int]] = []
        for number in ids:
            if number in self._asked:
                continue
            self._asked.add(number)
            node = nodes[number]
            targets, prices, moves = callbacks.edges(node)
            if callbacks.edge_dim:
                features += [callbacks.edge_features(node, other) for other in targets]
            start = begin + len(near)
            near += self._meet(targets)
            costs += prices
            rows += moves
            bounds.append((number, start, begin + len(near)))
            self.max_degree = max(self.max_degree, len(targets))
        self._write_nodes(met)
        self._edges = end = begin + len(near)
        if end > self.arrays.indices.size:
            self._make_room_for_edges(end)
        arrays = self.arrays
        arrays.indices[begin:end] = near
        arrays.weights[begin:end] = costs
        if rows:
            arrays.edge_rows[begin:end] = rows
        if features:
            arrays.edge_features[begin:end] = features
        for number, start, stop in bounds:
            arrays.first[number] = start
            arrays.last[number] = stop

    def _meet(self, nodes: Iterable[N]) -> list[int]:
        """The ids of nodes; those not met before get one."""
        ids = self._ids
        numbers = []
        for node in nodes:
            number = ids.get(node)
            if number is None:
                number = ids[node] = len(ids)
                self.nodes.append(node)
            numbers.append(number)
        return numbers

    def _write_nodes(self, met: int) -> None:
        """Ask for the features of the nodes met since there were so many, and write them."""
        count = len(self.nodes)
        if count == met:
            return
        if count > self.size:
            self._make_room_for_nodes(count)
        callbacks, fresh = self._callbacks, self.nodes[met:]
        self.arrays.tokens[met:count] = [callbacks.token(node) for node in fresh]
        if callbacks.dim:
            self.arrays.features[met:count] = [callbacks.features(node) for node in fresh]

    def _make_room_for_nodes(self, count: int) -> None:
        if count > MAX_NODES:
            raise InputError(f"the search has met {count} nodes: at most {MAX_NODES} are supported")
        arrays, room = self.arrays, min(MAX_NODES, max(count, 2 * self.size))
        self.arrays = arrays._replace(
            first=_longer(arrays.first, room, UNASKED),
            last=_longer(arrays.last, room, UNASKED),
            tokens=_longer(arrays.tokens, room),
            features=_longer(arrays.features, room),
        )

    def _make_room_for_edges(self, count: int) -> None:
        arrays, room = self.arrays, max(count, 2 * self.arrays.indices.size)
        on_grid = self._callbacks.moves is not None
        self.arrays = arrays._replace(
            indices=_longer(arrays.indices, room),
            weights=_longer(arrays.weights, room),
            edge_rows=_longer(arrays.edge_rows, room if on_grid else 0),
            edge_features=_longer(arrays.edge_features, 0 if on_grid else room),
        )


def _longer(array: NDArray[Scalar], room: int, rest: int = 0) -> NDArray[Scalar]:
    """The array with more rows, or itself."""
    if len(array) >= room:
        return array
    longer = np.full((room, *array.shape[1:]), rest, array.dtype)
    longer[: len(array)] = array
    return longer


def _no_arrays(callbacks: Callbacks[N]) -> GraphArrays:
    """Arrays with room for the first nodes and edges."""
    moves = callbacks.moves
    on_grid = moves is not None
    return GraphArrays(
        first=np.full(FIRST_NODES, UNASKED, np.int64),
        last=np.full(FIRST_NODES, UNASKED, np.int64),
        indices=np.zeros(FIRST_EDGES, np.int32),
        weights=np.zeros(FIRST_EDGES),
        edge_rows=np.zeros(FIRST_EDGES if on_grid else 0, np.int64),
        tokens=np.zeros(FIRST_NODES, np.uint64),
        features=np.zeros((FIRST_NODES, callbacks.dim), np.float32),
        edge_features=(
            np.zeros((FIRST_EDGES, callbacks.edge_dim), np.float32)
            if moves is None
            else moves.features
        ),
        free=np.zeros(0, np.uint8),
        shape=np.array(callbacks.shape or (0, 0), np.int64),
        moves=np.zeros((0, 2), np.int64) if moves is None else moves.offsets,
        move_costs=np.zeros(0) if moves is None else moves.costs,
        corner_rule=CORNER_ALLOW,
    )
