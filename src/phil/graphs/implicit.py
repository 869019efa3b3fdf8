"""ImplicitGraph: neighbours and features from functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic

import numpy as np

from phil.arguments import FLAG, NOTHING, REAL, SIDES, WHOLE, takes
from phil.errors import InputError
from phil.graphs.callbacks import (
    Callbacks,
    EdgeFeatures,
    Features,
    FeaturesOfMany,
    N,
    Neighbors,
    NeighborsOfMany,
)
from phil.graphs.discovery import Discovery
from phil.graphs.graph import Graph
from phil.graphs.grid import Cell
from phil.graphs.grid_callbacks import GridCallbacks


class ImplicitGraph(Generic[N]):
    """A graph described by functions, for searches in which expansions are expensive.

    A search requests each node's neighbours and features at most once, and never the neighbours of
    the goal unless its heuristic uses look-ahead. Any hashable value can be a node. Either
    `neighbors` or `neighbors_of_many` must be given.

    Parameters
    ----------
    neighbors : callable, optional
        Returns the nodes that can be reached from a node: an iterable of nodes (each edge costs 1)
        or a mapping from node to cost.
    features : callable, optional
        Returns `dim` numbers for a node, for heuristics that use features.
    dim : int, optional
        How many numbers `features` or `features_of_many` returns for a node.
    neighbors_of_many : callable, optional
        Takes a list of nodes and returns a list with what `neighbors` returns for each, for
        vectorised functions and servers that answer in batches. It gets several nodes at once from
        the look-ahead of learned heuristics, from `explored`, and with a `batch` above 1.
    batch : int, optional
        With `neighbors_of_many`, how many nodes to request at once: when `search` or `anytime`
        needs a node's neighbours, it also requests those of the next nodes of OPEN. Paths and
        expansions do not change; nodes requested but never expanded count as `lookahead_calls`.
        The default, 1, requests no node in vain.
    features_of_many : callable, optional
        In place of `features`: takes a list of nodes and returns an array with one row per node.
    edge_features : callable, optional
        Returns `edge_dim` numbers for the edge between two nodes.
    edge_dim : int, optional
        How many numbers `edge_features` returns.
    directed : bool, optional
        False declares that every edge has a reverse edge of the same cost. The path of a greedy
        search can then take edges in both directions, and is often cheaper.

    Raises
    ------
    InputError
        If both or neither of two forms of a function are given, or a function without its
        dimension, or vice versa. What a function returns is validated when it is called; errors
        name the node.

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

    The same in batches:

    >>> def next_of_many(numbers):
    ...     print("asked for", numbers)
    ...     return [[number + 1, 3 * number] for number in numbers]
    >>> numbers = ImplicitGraph(neighbors_of_many=next_of_many, batch=4)
    >>> result = phil.search(numbers, 1, 10, phil.load("zero"), key=phil.BFS)
    asked for [1]
    asked for [2, 3]
    asked for [6, 4, 9]
    asked for [7, 18, 5, 12]
    >>> result.path, result.neighbor_calls, result.lookahead_calls
    ((1, 3, 9, 10), 10, 0)
    """

    @takes(directed=FLAG)
    def __init__(
        self,
        neighbors: Neighbors[N] | None = None,
        features: Features[N] | None = None,
        dim: int = 0,
        *,
        neighbors_of_many: NeighborsOfMany[N] | None = None,
        batch: int = 1,
        features_of_many: FeaturesOfMany[N] | None = None,
        edge_features: EdgeFeatures[N] | None = None,
        edge_dim: int = 0,
        directed: bool = True,
    ) -> None:
        self.directed = directed
        self._callbacks = Callbacks(
            neighbors,
            neighbors_of_many,
            batch,
            features,
            features_of_many,
            dim,
            edge_features,
            edge_dim,
        )

    @staticmethod
    @takes(shape=SIDES, connectivity=WHOLE | NOTHING, diagonal_cost=REAL | NOTHING, directed=FLAG)
    def on_grid(
        neighbors: Callable[[Cell], Iterable[Cell]] | None = None,
        shape: Cell = (),
        *,
        neighbors_of_many: Callable[[list[Cell]], Iterable[Iterable[Cell]]] | None = None,
        batch: int = 1,
        connectivity: int | None = None,
        diagonal_cost: float | None = None,
        directed: bool = True,
    ) -> ImplicitGraph[Cell]:
        """Describe a map of cells, on which heuristics learned on a `GridGraph` can be used.

        Costs, features and the order of neighbours are those of a `GridGraph` of that shape.

        Parameters
        ----------
        neighbors : callable, optional
            Returns the adjacent cells that can be entered from a cell.
        shape : tuple of int
            (rows, columns) for cells (row, column), or the sizes along x, y and z for cells
            (x, y, z).
        neighbors_of_many : callable, optional
            In place of `neighbors`: takes a list of cells and returns a list with the answer for
            each (see `ImplicitGraph`).
        batch : int, optional
            How many cells to request at once (see `ImplicitGraph`).
        connectivity : int, optional
            The number of possible neighbours of a cell: 4 or 8 (the default) in 2D; 6, 18 or 26
            (the default) in 3D.
        diagonal_cost : float, optional
            The cost of a diagonal move in 2D; sqrt 2 by default.
        directed : bool, optional
            False declares that every move can be reversed (see `ImplicitGraph`).

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
        graph = ImplicitGraph(
            neighbors, neighbors_of_many=neighbors_of_many, batch=batch, directed=directed
        )
        graph._callbacks = GridCallbacks(
            neighbors, neighbors_of_many, batch, shape, connectivity, diagonal_cost
        )
        return graph

    def __repr__(self) -> str:
        return f"ImplicitGraph({self._callbacks.name}, {self._callbacks!r})"

    @property
    def is_grid(self) -> bool:
        """Whether the nodes are cells of a grid."""
        return self._callbacks.shape is not None

    @property
    def dim(self) -> int:
        """The number of features of a node; on a grid, none are requested."""
        return self._callbacks.dim

    @property
    def edge_dim(self) -> int:
        """The number of features of an edge."""
        return self._callbacks.edge_dim

    @property
    def shape(self) -> Cell | None:
        """(rows, columns) of a grid, or its sizes along x, y and z; None on other graphs."""
        return self._callbacks.shape

    def check_end(self, node: N, role: str) -> N:
        """Return the node; raise an error that names its role if it cannot be one."""
        return self._callbacks.check_node(node, role)

    def discover(self, start: N, goal: N) -> Discovery[N]:
        """The graph as one search sees it; at first, only start and goal are known."""
        return Discovery(self._callbacks, start, goal, directed=self.directed)

    def between(self, start: N, goal: N) -> tuple[Discovery[N], int, int]:
        """The graph that a search works on, and the ids of start and goal in it."""
        discovery = self.discover(start, goal)
        return discovery, discovery.start, discovery.goal

    @takes(most=WHOLE, directed=FLAG)
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
            known = min(most, len(discovery.nodes))
            discovery.reveal(range(count, known))
            count = known
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
