"""What a feature declares: its name, columns, cost, and how it is computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from phil.graphs import AnyGraph
from phil.graphs.graph import FeatureGroup, Graph

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Table = NDArray[np.float64] | NDArray[np.float32]


def as_computed(table: Table) -> NDArray[np.float32]:
    """The table as float32."""
    with np.errstate(over="ignore"):  # the graph rejects non-finite features
        return table.astype(np.float32, copy=False)


def any_graph(graph: Any) -> None:
    """Nothing to check."""


@dataclass(frozen=True)
class Columns:
    """The columns that a feature adds: their names and groups."""

    names: tuple[str, ...]
    groups: tuple[FeatureGroup, ...]


@dataclass(frozen=True)
class Feature:
    """A feature that can be added to a graph, and `on_grids` also to a map.

    `compute` returns the table, which is cached on disk if `kept` is set; `values` converts it to
    the columns that are added. k is 0 for a feature without a size. `operations` estimates how
    often nodes and edges are visited.
    """

    name: str
    columns: Callable[[Any, int], Columns]
    operations: Callable[[Any, int], float]
    compute: Callable[[Any, int], Table]
    values: Callable[[Table], NDArray[np.float32]] = as_computed
    check: Callable[[Any], None] = any_graph  # raises if the feature does not apply
    default: int | None = None  # default k; None: the feature takes no size
    instead: str = ""  # what to use if this costs too much
    version: int = 1  # increase whenever the table changes
    kept: bool = False
    on_grids: bool = False  # whether the functions above take a GridGraph; a table has all cells


def visits(graph: AnyGraph) -> int:
    """The number of nodes and edges visited by one pass over a graph."""
    if graph.is_grid:
        return graph.num_nodes * (1 + graph.max_degree)
    return graph.num_nodes + graph.indices.size


def undirected_adjacency(graph: Graph) -> csr_array:
    """1 for every two nodes joined by an edge in either direction; sorted, without self-loops.

    >>> graph = Graph.from_edges(3, [(0, 1), (0, 1), (1, 1), (2, 1)], directed=True)
    >>> undirected_adjacency(graph).toarray().tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """
    from scipy.sparse import csr_array

    source = graph.sources
    between = source != graph.indices
    left, right = source[between], graph.indices[between]
    ends = np.concatenate([left, right]), np.concatenate([right, left])
    shape = (graph.num_nodes, graph.num_nodes)
    adjacency = csr_array((np.ones(ends[0].size), ends), shape=shape)  # sums up parallel edges
    adjacency.data[:] = 1.0
    adjacency.sort_indices()
    return adjacency
