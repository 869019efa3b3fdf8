"""Discovery: the part of an implicit graph that one search has seen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import count, islice
from typing import Generic, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phil.errors import InputError
from phil.graphs.arrays import GraphArrays
from phil.graphs.callbacks import Callbacks, Edges, N
from phil.graphs.checks import MAX_NODES, Scalar, read_only
from phil.graphs.grid import Cell
from phil.graphs.packing import FLOAT64, INT32, INT64, UINT64
from phil.graphs.stencil import NO_STENCIL

FIRST_NODES = 1024  # initial capacity
FIRST_EDGES = 8 * FIRST_NODES
UNASKED = -1


class Discovery(Generic[N]):
    """A graph discovered node by node during one search.

    A node gets an id and its features when it is first seen, as start, goal or neighbour. Its
    neighbours are requested when the search or its guide needs them: see `reveal`. Nothing is
    requested twice, and nothing is kept for another search, since the functions may change.

    What runs for every expanded node is written for speed: an expansion should cost the user's own
    function, and little else.

    >>> from phil.graphs import ImplicitGraph
    >>> numbers = ImplicitGraph(lambda number: [number + 1, 3 * number])
    >>> discovery = numbers.discover(1, 10)
    >>> discovery.reveal([discovery.start])
    >>> discovery
    Discovery(met=4, asked=1, features=0)
    """

    is_known: Literal[False] = False

    def __init__(
        self, callbacks: Callbacks[N], start: N, goal: N, *, directed: bool = True
    ) -> None:
        self._callbacks = callbacks
        self.directed = directed
        self._ids: defaultdict[N, int] = defaultdict(count().__next__)  # in order of first sight
        self._id_of = self._ids.__getitem__
        self._dim, self._edge_dim = callbacks.dim, callbacks.edge_dim
        self._edges = 0
        self._tokens = 0  # how many nodes have theirs
        self.nodes: list[N] = []  # the user's nodes, by id
        self.max_degree = callbacks.max_degree  # of the nodes seen so far
        self.batch = callbacks.batch  # how many nodes to request at once
        self._keep(_no_arrays(callbacks))
        ends = callbacks.check_node(start, "start"), callbacks.check_node(goal, "goal")
        self.start, self.goal = map(self._id_of, ends)
        self._meet()

    def __repr__(self) -> str:
        return f"Discovery(met={len(self.nodes)}, asked={self.calls}, {self._callbacks!r})"

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
    def features(self) -> NDArray[np.float32]:
        """The features of the nodes seen so far, by id; later ones are not in this table."""
        return read_only(self.arrays.features[: len(self.nodes)])

    def features_of(self, nodes: ArrayLike) -> NDArray[np.float32]:
        """The features of some nodes that have been seen by now, one row each."""
        return self.arrays.features[np.asarray(nodes, np.int64)]

    @property
    def calls(self) -> int:
        """The number of nodes whose neighbours were requested."""
        return int((self.arrays.first >= 0).sum())

    def user_node(self, node: int) -> N:
        """The user's node with this id."""
        return self.nodes[node]

    def meet(self, nodes: Iterable[N]) -> list[int]:
        """The ids of nodes; those never seen before are taken up."""
        ids = list(map(self._id_of, nodes))
        if len(self._ids) > len(self.nodes):
            self._meet()
        return ids

    def both_ways(self) -> GraphArrays:
        """The edges known so far, each of them at both ends."""
        arrays, edges = self.arrays, self._edges
        asked = np.flatnonzero(arrays.first >= 0)
        asked = asked[np.argsort(arrays.first[asked], kind="stable")]  # as their edges are stored
        sources = np.repeat(asked, arrays.last[asked] - arrays.first[asked])
        targets = arrays.indices[:edges]
        ends = np.concatenate([sources, targets])
        order = np.argsort(ends, kind="stable")
        last = np.cumsum(np.bincount(ends, minlength=self.size))
        return arrays.replace(
            first=np.append(0, last[:-1]),
            last=last,
            indices=np.concatenate([targets, sources]).astype(np.int32)[order],
            weights=np.tile(arrays.weights[:edges], 2)[order],
        )

    def reveal(self, ids: Iterable[int]) -> None:
        """Request the neighbours of nodes, skipping those requested before."""
        unasked = [number for number in dict.fromkeys(ids) if self._first[number] < 0]
        if unasked:
            found = self._callbacks.edges_of_many([self.nodes[number] for number in unasked])
            for number, edges in zip(unasked, found, strict=True):
                self._connect(number, edges)
        if len(self._ids) > len(self.nodes):
            self._meet()

    def reveal_one(self, number: int) -> None:
        """Request the neighbours of a node that were not requested before."""
        self._connect(number, self._callbacks.edges(self.nodes[number]))
        if len(self._ids) > len(self.nodes):
            self._meet()

    def write_tokens(self) -> None:
        """Write the tokens of the nodes seen so far, for guides that sample neighbours."""
        tokens = [*map(self._callbacks.token, self.nodes[self._tokens :])]
        UINT64[len(tokens)](self.arrays.tokens, 8 * self._tokens, *tokens)
        self._tokens += len(tokens)

    def _connect(self, number: int, edges: Edges[N]) -> None:
        """Write the edges of a node; neighbours first seen get the next ids."""
        targets, costs, moves = edges
        try:
            near = list(map(self._id_of, targets))
        except TypeError as error:
            raise self._callbacks.unhashable(self.nodes[number], targets, error) from error
        degree = len(near)
        if moves is None:  # on a grid, they differ as the moves do
            distinct = set(near)
            if len(distinct) < degree or number in distinct:
                raise self._callbacks.repeated(self.nodes[number], targets)
        begin = self._edges
        self._edges = end = begin + degree
        if degree > self.max_degree:
            self.max_degree = degree
        if end > self._edge_room:
            self._grow_edges(end)
        INT32[degree](self._indices, 4 * begin, *near)
        if costs is not None:  # elsewhere is 1
            FLOAT64[degree](self._weights, 8 * begin, *costs)
        if moves is not None:
            INT64[degree](self._edge_rows, 8 * begin, *moves)
        elif self._edge_dim and degree:
            node, edge_features = self.nodes[number], self._callbacks.edge_features
            rows = [edge_features(node, target) for target in targets]
            self.arrays.edge_features[begin:end] = rows
        self._first[number] = begin
        self._last[number] = end

    def _meet(self) -> None:
        """Take up the nodes that have got their ids, and request their features."""
        met, seen = len(self.nodes), len(self._ids)
        latest = reversed(self._ids)
        fresh = [next(latest)] if seen == met + 1 else [*islice(latest, seen - met)][::-1]
        self.nodes += fresh
        if seen > self.size:
            self._grow_nodes(seen)
        if self._dim:
            self._callbacks.write_features(fresh, self.arrays.features, met)

    def _keep(self, arrays: GraphArrays) -> None:
        self.arrays = arrays
        self.size = arrays.first.size  # the number of node ids that there is room for
        self._edge_room = arrays.indices.size
        # Through these, single numbers are written faster than into arrays.
        self._first, self._last = arrays.first.data, arrays.last.data
        self._indices, self._weights = arrays.indices.data, arrays.weights.data
        self._edge_rows = arrays.edge_rows.data

    def _grow_nodes(self, seen: int) -> None:
        if seen > MAX_NODES:
            raise InputError(f"the search saw {seen} nodes: at most {MAX_NODES} are supported")
        arrays, capacity = self.arrays, min(MAX_NODES, max(seen, 2 * self.size))
        self._keep(
            arrays.replace(
                first=_grown(arrays.first, capacity, UNASKED),
                last=_grown(arrays.last, capacity, UNASKED),
                tokens=_grown(arrays.tokens, capacity),
                features=_grown(arrays.features, capacity),
            )
        )

    def _grow_edges(self, edges: int) -> None:
        arrays, capacity = self.arrays, max(edges, 2 * self._edge_room)
        on_grid = self._callbacks.moves is not None
        self._keep(
            arrays.replace(
                indices=_grown(arrays.indices, capacity),
                weights=_grown(arrays.weights, capacity, 1),
                edge_rows=_grown(arrays.edge_rows, capacity if on_grid else 0),
                edge_features=_grown(arrays.edge_features, 0 if on_grid else capacity),
            )
        )


def _grown(array: NDArray[Scalar], capacity: int, rest: int = 0) -> NDArray[Scalar]:
    """The array extended to `capacity` rows."""
    if len(array) >= capacity:
        return array
    longer = np.full((capacity, *array.shape[1:]), rest, array.dtype)
    longer[: len(array)] = array
    return longer


def _no_arrays(callbacks: Callbacks[N]) -> GraphArrays:
    """Empty arrays with the initial capacity."""
    moves = callbacks.moves
    on_grid = moves is not None
    return GraphArrays(
        first=np.full(FIRST_NODES, UNASKED, np.int64),
        last=np.full(FIRST_NODES, UNASKED, np.int64),
        indices=np.zeros(FIRST_EDGES, np.int32),
        weights=np.ones(FIRST_EDGES),
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
        stencil=NO_STENCIL,
    )
