"""What every feature is: a name, what it is computed from, what it costs, and how."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from phil.graphs.graph import FeatureGroup, Graph

Table = NDArray[np.float64] | NDArray[np.float32]


def as_computed(table: Table) -> NDArray[np.float32]:
    """The table itself, as features are."""
    with np.errstate(over="ignore"):  # the graph that gets them refuses what is not finite
        return table.astype(np.float32, copy=False)


def any_graph(graph: Graph) -> None:
    """Nothing to check."""


@dataclass(frozen=True)
class Columns:
    """The columns that a feature adds: their names, and which belong together."""

    names: tuple[str, ...]
    groups: tuple[FeatureGroup, ...]


@dataclass(frozen=True)
class Feature:
    """A feature that can be added to a graph.

    `compute` gives the table that is kept on the disk if `kept` says so, `values` makes of it the
    columns that are added. Both are given the graph and k, 0 for a feature that takes no number.
    `operations` is how often they visit a node or an edge, with whatever numbers stand there.
    """

    name: str
    columns: Callable[[Graph, int], Columns]
    operations: Callable[[Graph, int], float]
    compute: Callable[[Graph, int], Table]
    values: Callable[[Table], NDArray[np.float32]] = as_computed
    check: Callable[[Graph], None] = any_graph  # refuses graphs that cannot have it
    default: int | None = None  # k where none is given; None: it takes none
    instead: str = ""  # what to take where this costs too much
    version: int = 1  # a new one for whatever changes the table
    kept: bool = False


def visits(graph: Graph) -> int:
    """Nodes and edges: what one pass over a graph visits."""
    return graph.num_nodes + graph.indices.size


def undirected_adjacency(graph: Graph) -> csr_array:
    """1 for every two nodes that an edge joins either way; sorted.

    >>> graph = Graph.from_edges(3, [(0, 1), (0, 1), (1, 1), (2, 1)], directed=True)
    >>> undirected_adjacency(graph).toarray().tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """
    source = graph.sources
    between = source != graph.indices
    left, right = source[between], graph.indices[between]
    ends = np.concatenate([left, right]), np.concatenate([right, left])
    shape = (graph.num_nodes, graph.num_nodes)
    adjacency = csr_array((np.ones(ends[0].size), ends), shape=shape)  # sums up parallel edges
    adjacency.data[:] = 1.0
    adjacency.sort_indices()
    return adjacency
