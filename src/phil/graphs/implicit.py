"""ImplicitGraph: neighbours and features from functions, for graphs met while searching."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic

import numpy as np

from phil.errors import InputError
from phil.graphs.callbacks import Callbacks, EdgeFeatures, Features, N, Neighbors
from phil.graphs.discovery import Discovery
from phil.graphs.graph import Graph
from phil.graphs.grid import Cell
from phil.graphs.grid_callbacks import GridCallbacks


class ImplicitGraph(Generic[N]):
    """A graph that functions describe: for expansions that cost something.

    `neighbors(node)` gives the nodes that can be reached from a node, in any iterable (each edge
    then costs 1) or as a mapping from node to cost. `features(node)` gives `dim` numbers, and
    `edge_features(node, other)` `edge_dim` numbers, for heuristics that use them. Any hashable
    value can be a node. A search asks for each node's neighbours and features at most once, and
    never for the neighbours of the goal, unless its heuristic looks ahead.

    >>> import phil
    >>> numbers = ImplicitGraph(lambda number: [number + 1, 3 * number])
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
        """A map of cells, which heuristics learned on a `GridGraph` can search.

        In 2D, `shape` is (rows, columns) and cells are (row, column); in 3D it is the sizes along
        (x, y, z), and so are cells. `neighbors` says which of the cells around one can be entered
        from it: of 4 or 8 (`connectivity`, 8 if nothing is said), in 3D of 6, 18 or 26 (26).
        Costs, features and the order of neighbours are those of a `GridGraph` of that shape.

        >>> def row_of_cells(cell):
        ...     row, column = cell
        ...     return [(row, other) for other in (column - 1, column + 1) if 0 <= other < 5]
        >>> import phil
        >>> grid = ImplicitGraph.on_grid(row_of_cells, (1, 5))
        >>> phil.search(grid, (0, 0), (0, 3), phil.load("euclidean")).path
        ((0, 0), (0, 1), (0, 2), (0, 3))
        >>> ImplicitGraph.on_grid(lambda cell: [], (9, 5, 3), connectivity=6)
        ImplicitGraph(9x5x3, connectivity=6)
        """
        graph = ImplicitGraph(neighbors)
        graph._callbacks = GridCallbacks(neighbors, shape, connectivity, diagonal_cost)
        return graph

    def __repr__(self) -> str:
        return f"ImplicitGraph({self._callbacks!r})"

    def discover(self, start: N, goal: N) -> Discovery[N]:
        """The graph as one search sees it, of which only start and goal are known."""
        return Discovery(self._callbacks, start, goal)

    def between(self, start: N, goal: N) -> tuple[Discovery[N], int, int]:
        """What a search works on: the graph as it meets it, and the ids of start and goal there."""
        discovery = self.discover(start, goal)
        return discovery, discovery.start, discovery.goal

    def explored(self, start: N, *, most: int, directed: bool = True) -> Graph:
        """The part of the graph around a node as a `Graph`: to learn on, or for the oracle.

        It holds the nodes met first in breadth-first order, at most so many, and the edges between
        them; `labels` are the nodes' texts, start first. `directed=False` says that every edge can
        be followed back, and checks it.

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
