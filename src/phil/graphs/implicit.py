"""ImplicitGraph: neighbours and features from functions; Discovery: what one search sees of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, Literal

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs.arrays import GraphArrays
from phil.graphs.callbacks import Callbacks, EdgeFeatures, Features, GridCallbacks, N, Neighbors
from phil.graphs.checks import MAX_NODES, Scalar, read_only
from phil.graphs.graph import Graph
from phil.graphs.grid import Cell
from phil.graphs.stencil import NO_STENCIL

FIRST_NODES = 1024  # initial capacity
FIRST_EDGES = 8 * FIRST_NODES
UNASKED = -1


class ImplicitGraph(Generic[N]):
    """A graph described by functions, for searches in which expansions are expensive.

    A search requests each node's neighbours and features at most once, and never the neighbours of
    the goal unless its heuristic uses look-ahead. Any hashable value can be a node.

    Parameters
    ----------
    neighbors : callable
        Returns the nodes that can be reached from a node: an iterable of nodes (each edge costs 1)
        or a mapping from node to cost.
    features : callable, optional
        Returns `dim` numbers for a node, for heuristics that use features.
    dim : int, optional
        How many numbers `features` returns.
    edge_features : callable, optional
        Returns `edge_dim` numbers for the edge between two nodes.
    edge_dim : int, optional
        How many numbers `edge_features` returns.

    Raises
    ------
    InputError
        If a function is given without its dimension, or vice versa. What a function returns is
        validated when it is called; errors name the node.

    Examples
    --------
    >>> import phil
    >>> def next_numbers(number):
    ...     return [number + 1, 3 * number]
    >>> numbers = ImplicitGraph(next_numbers)
    >>> numbers
    ImplicitGraph(next_numbers, features=0)
    >>> result = phil.search(numbers, 1, 10, phil.load("zero"), key=phil.BFS)
    >>> result.path, result.neighbor_calls
    ((1, 3, 9, 10), 10)
    """

    def __init__(
        self,
        neighbors: Neighbors[N],
        features: Features[N] | None = None,
        dim: int = 0,
        *,
        edge_features: EdgeFeatures[N] | None = None,
        edge_dim: int = 0,
    ) -> None:
        self._callbacks = Callbacks(neighbors, features, dim, edge_features, edge_dim)

    @staticmethod
    def on_grid(
        neighbors: Callable[[Cell], Iterable[Cell]],
        shape: Cell,
        *,
        connectivity: int | None = None,
        diagonal_cost: float | None = None,
    ) -> ImplicitGraph[Cell]:
        """Describe a map of cells, on which heuristics learned on a `GridGraph` can be used.

        Costs, features and the order of neighbours are those of a `GridGraph` of that shape.

        Parameters
        ----------
        neighbors : callable
            Returns the adjacent cells that can be entered from a cell.
        shape : tuple of int
            (rows, columns) for cells (row, column), or the sizes along x, y and z for cells
            (x, y, z).
        connectivity : int, optional
            The number of possible neighbours of a cell: 4 or 8 (the default) in 2D; 6, 18 or 26
            (the default) in 3D.
        diagonal_cost : float, optional
            The cost of a diagonal move in 2D; sqrt 2 by default.

        Returns
        -------
        ImplicitGraph

        Raises
        ------
        InputError
            If the shape, connectivity or cost is invalid.

        Examples
        --------
        >>> def row_of_cells(cell):
        ...     row, column = cell
        ...     return [(row, other) for other in (column - 1, column + 1) if 0 <= other < 5]
        >>> import phil
        >>> grid = ImplicitGraph.on_grid(row_of_cells, (1, 5))
        >>> phil.search(grid, (0, 0), (0, 3), phil.load("euclidean")).path
        ((0, 0), (0, 1), (0, 2), (0, 3))
        >>> grid
        ImplicitGraph(row_of_cells, 1x5, connectivity=8)
        """
        graph = ImplicitGraph(neighbors)
        graph._callbacks = GridCallbacks(neighbors, shape, connectivity, diagonal_cost)
        return graph

    def __repr__(self) -> str:
        return f"ImplicitGraph({self._callbacks.name}, {self._callbacks!r})"

    def discover(self, start: N, goal: N) -> Discovery[N]:
        """The graph as one search sees it; at first, only start and goal are known."""
        return Discovery(self._callbacks, start, goal)

    def between(self, start: N, goal: N) -> tuple[Discovery[N], int, int]:
        """The graph that a search works on, and the ids of start and goal in it."""
        discovery = self.discover(start, goal)
        return discovery, discovery.start, discovery.goal

    def explored(self, start: N, *, most: int, directed: bool = True) -> Graph:
        """Build an explicit graph of the part around a node, for training or the oracle.

        Parameters
        ----------
        start : hashable
            The node to start from.
        most : int
            The maximum number of nodes: the first ones in breadth-first order.
        directed : bool, optional
            False declares that every edge has a reverse edge, which is checked.

        Returns
        -------
        Graph
            The nodes and the edges between them; its labels are the nodes as strings, start first.

        Raises
        ------
        InputError
            If `most` is below 1, or if an edge of a graph declared undirected has no reverse.

        Examples
        --------
        >>> numbers = ImplicitGraph(lambda number: [number + 1, 3 * number])
        >>> numbers.explored(1, most=5).labels
        ('1', '2', '3', '6', '4')
        """
        if most < 1:
            raise InputError(f"most must be at least 1, not {most}")
        discovery = self.discover(start, start)
        count = 0
        while count < min(most, len(discovery.nodes)):
            discovery.reveal([count])
            count += 1
        arrays = discovery.arrays
        edges = int(arrays.last[count - 1])
        inside = arrays.indices[:edges] < count
        rows = arrays.edge_rows[:edges] if arrays.edge_rows.size else np.arange(edges)
        kept = np.concatenate([[0], np.cumsum(inside)])
        return Graph(
            np.append(kept[arrays.first[:count]], kept[edges]),
            arrays.indices[:edges][inside],
            discovery.features[:count],
            edge_features=arrays.edge_features[rows[inside]],
            weights=arrays.weights[:edges][inside],
            labels=[str(node) for node in discovery.nodes[:count]],
            directed=directed,
        )


class Discovery(Generic[N]):
    """A graph discovered node by node during one search.

    A node gets an id and its features when it is first seen, as start, goal or neighbour. Its
    neighbours are requested when the search or its guide needs them: see `reveal`. Nothing is
    requested twice, and nothing is kept for another search, since the functions may change.

    >>> numbers = ImplicitGraph(lambda number: [number + 1, 3 * number])
    >>> discovery = numbers.discover(1, 10)
    >>> discovery.reveal([discovery.start])
    >>> discovery
    Discovery(met=4, asked=1, features=0)
    """

    is_known: Literal[False] = False

    def __init__(self, callbacks: Callbacks[N], start: N, goal: N) -> None:
        self._callbacks = callbacks
        self._ids: dict[N, int] = {}
        self._asked: set[int] = set()
        self._edges = 0
        self.nodes: list[N] = []  # the user's nodes, by id
        self.max_degree = callbacks.max_degree  # of the nodes seen so far
        self.arrays = _no_arrays(callbacks)
        ends = callbacks.check_node(start, "start"), callbacks.check_node(goal, "goal")
        self.start, self.goal = self._meet(ends)
        self._write_nodes(0)

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
    def size(self) -> int:
        """The number of node ids that the arrays have capacity for."""
        return self.arrays.first.size

    @property
    def features(self) -> NDArray[np.float32]:
        """The features of the nodes seen so far, by id."""
        return read_only(self.arrays.features[: len(self.nodes)])

    @property
    def calls(self) -> int:
        """How often `neighbors` was called."""
        return len(self._asked)

    def user_node(self, node: int) -> N:
        """The user's node with this id."""
        return self.nodes[node]

    def reveal(self, ids: Iterable[int]) -> None:
        """Request the neighbours of nodes, skipping those requested before."""
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
            self._grow_edges(end)
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
        """The ids of nodes; new nodes get the next ids."""
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
        """Request and write the features of all nodes after the first `met`."""
        count = len(self.nodes)
        if count == met:
            return
        if count > self.size:
            self._grow_nodes(count)
        callbacks, fresh = self._callbacks, self.nodes[met:]
        self.arrays.tokens[met:count] = [callbacks.token(node) for node in fresh]
        if callbacks.dim:
            self.arrays.features[met:count] = [callbacks.features(node) for node in fresh]

    def _grow_nodes(self, count: int) -> None:
        if count > MAX_NODES:
            raise InputError(f"the search saw {count} nodes: at most {MAX_NODES} are supported")
        arrays, capacity = self.arrays, min(MAX_NODES, max(count, 2 * self.size))
        self.arrays = arrays.replace(
            first=_grown(arrays.first, capacity, UNASKED),
            last=_grown(arrays.last, capacity, UNASKED),
            tokens=_grown(arrays.tokens, capacity),
            features=_grown(arrays.features, capacity),
        )

    def _grow_edges(self, count: int) -> None:
        arrays, capacity = self.arrays, max(count, 2 * self.arrays.indices.size)
        on_grid = self._callbacks.moves is not None
        self.arrays = arrays.replace(
            indices=_grown(arrays.indices, capacity),
            weights=_grown(arrays.weights, capacity),
            edge_rows=_grown(arrays.edge_rows, capacity if on_grid else 0),
            edge_features=_grown(arrays.edge_features, 0 if on_grid else capacity),
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
        stencil=NO_STENCIL,
    )
