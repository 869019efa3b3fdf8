"""What is searched: graphs, grids, and exact distances on them.

`Graph`, `GridGraph` and `Discovery` (the part of an `ImplicitGraph` that one search has seen) share
an interface, so callers never check the class: `is_grid`, `axes` (0 unless it is a grid), `shape`,
`is_known` (in full, before the search), `directed`, `arrays` for kernels, `size`, `max_degree`,
`features`, `features_of` some nodes, `user_node`. Graphs known in full also have `num_nodes`,
`node_ids`, `is_weighted`, `is_drawable`, `feature_names`, `feature_groups`, `find_node`,
`node_name`, `neighbors` and `reversed`. Graphs passed by users convert start and goal to ids with
`between`. Type checkers narrow on `is_grid`, `is_known` and `directed`.
"""

from typing import Any

from phil.graphs.discovery import Discovery
from phil.graphs.graph import FeatureGroup, Graph
from phil.graphs.grid import GridGraph
from phil.graphs.implicit import ImplicitGraph

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
