"""For heuristics that can only do with 2D maps."""

from __future__ import annotations

from phil.graphs import Graph, SearchedGraph
from phil.graphs.grid import plane_of


def check_plane(graph: SearchedGraph, name: str) -> None:
    """An error if the graph is a 3D map, known whole or met while searching."""
    shape = None if isinstance(graph, Graph) else graph.shape
    if shape is not None:
        plane_of(shape, name)
