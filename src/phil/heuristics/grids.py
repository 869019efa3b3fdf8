"""For heuristics that need maps: an error that says so on any other graph."""

from __future__ import annotations

from phil.errors import InputError
from phil.graphs import Graph, GridGraph, SearchedGraph
from phil.graphs.grid import plane_of


def check_plane(graph: SearchedGraph, name: str) -> None:
    """An error if the graph is a 3D map, known whole or met while searching."""
    shape = None if isinstance(graph, Graph) else graph.shape
    if shape is not None:
        plane_of(shape, name)


def check_known_grid(graph: SearchedGraph, name: str) -> GridGraph:
    """The 2D grid, or an error for a graph without blocked cells to uncover."""
    check_plane(graph, name)
    if not isinstance(graph, GridGraph):
        raise InputError(
            f"{name} looks at blocked cells, so it needs a grid map that is known whole (a "
            "GridGraph); choose another heuristic for this graph"
        )
    return graph
