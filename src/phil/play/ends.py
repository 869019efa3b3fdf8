"""A start and a goal for graphs that come without."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import AnyGraph
from phil.graphs.distances import components, directed_components, hops_from


def far_apart(graph: AnyGraph) -> tuple[int, int]:
    """Two nodes far from each other, with a path from the first to the second.

    They are at opposite corners of the largest connected part, such as the bottom left and the top
    right of a map; of a graph without coordinates, many moves apart.

    Parameters
    ----------
    graph : Graph or GridGraph
        The graph.

    Returns
    -------
    start, goal : int

    Raises
    ------
    InputError
        If there are no nodes at all.

    Examples
    --------
    >>> from phil.graphs import GridGraph
    >>> far_apart(GridGraph([[True, True, False, True], [True, True, False, True]]))
    (4, 1)
    """
    if graph.num_nodes == 0:
        raise InputError("the map has no free cell")
    # A grid is undirected: only a graph can have one-way edges.
    part = components(graph) if graph.is_grid or not graph.directed else _strong(graph)
    nodes = np.flatnonzero(part == np.bincount(part[part >= 0]).argmax())
    places = _places(graph, nodes)
    if places is None:
        middle = int(nodes[0])
        start = _farthest(graph, middle, nodes)
        return start, _farthest(graph, start, nodes)
    low, high = places.min(axis=0), places.max(axis=0)
    along = ((places - low) / np.maximum(high - low, 1e-12)).sum(axis=1)
    return int(nodes[along.argmin()]), int(nodes[along.argmax()])


def _strong(graph: AnyGraph) -> NDArray[np.int32]:
    assert not graph.is_grid
    return directed_components(graph, "strong")


def _farthest(graph: AnyGraph, node: int, nodes: NDArray[np.int64]) -> int:
    """The node with the most moves from another, of some that can be reached."""
    return int(nodes[hops_from(graph, node)[nodes].argmax()])


def _places(graph: AnyGraph, nodes: NDArray[np.int64]) -> NDArray[np.float64] | None:
    """Where nodes are, if they are anywhere."""
    if graph.is_grid:
        return graph.features_of(nodes)[:, : graph.axes].astype(np.float64)
    return None if graph.coordinates is None else np.asarray(graph.coordinates[nodes], np.float64)
