"""WHAT is searched: graphs, grids, and exact distances on them."""

from phil.graphs.graph import Graph
from phil.graphs.grid import GridGraph

AnyGraph = Graph | GridGraph

__all__ = ["AnyGraph", "Graph", "GridGraph"]
