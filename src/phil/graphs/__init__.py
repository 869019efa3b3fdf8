"""WHAT is searched: graphs, grids, and exact distances on them.

`Graph`, `GridGraph` and `Discovery` (an `ImplicitGraph` as one search meets it) answer the same
questions, so that nobody has to ask for their class: `is_grid`, `axes` (0 if it is no grid) and
`shape`, `is_known` (in full, before a search), `arrays` for kernels, `size`, `max_degree`,
`features`, `user_node`. What is known in full also has `num_nodes`, `node_ids`, `directed`,
`is_weighted`, `is_drawable`, `feature_names`, `feature_groups`, `find_node`, `node_name`,
`neighbors` and `reversed`. Graphs that users pass turn ends into ids by `between`. Type checkers
narrow by `is_grid`, `is_known` and `directed`.
"""

from typing import Any

from phil.graphs.graph import FeatureGroup, Graph
from phil.graphs.grid import GridGraph
from phil.graphs.implicit import Discovery, ImplicitGraph

AnyGraph = Graph | GridGraph  # known in full
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
