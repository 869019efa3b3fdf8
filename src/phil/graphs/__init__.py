"""WHAT is searched: graphs, grids, and exact distances on them."""

from typing import Any

from phil.graphs.discovery import Discovery
from phil.graphs.feature_group import FeatureGroup
from phil.graphs.graph import Graph
from phil.graphs.grid import GridGraph
from phil.graphs.implicit import ImplicitGraph

AnyGraph = Graph | GridGraph  # known whole
SearchedGraph = AnyGraph | Discovery[Any]  # what a search and its guide see

__all__ = [
    "AnyGraph",
    "Discovery",
    "FeatureGroup",
    "Graph",
    "GridGraph",
    "ImplicitGraph",
    "SearchedGraph",
]
