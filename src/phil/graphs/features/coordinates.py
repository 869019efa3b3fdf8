"""coordinates: where a node lies; longitude and latitude are projected to metres.

It adds nothing where the graph's own features have a group of that name: graph files without other
features are read so.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs.features.feature import Columns, Feature, as_computed
from phil.graphs.graph import FeatureGroup, Graph
from phil.graphs.projection import project


def places(graph: Graph, k: int) -> NDArray[np.float64]:
    """Where every node lies."""
    if _has_them(graph) or graph.coordinates is None:
        return np.zeros((graph.num_nodes, 0))
    return project(graph.coordinates, graph.geographic)


def _has_them(graph: Graph) -> bool:
    return any(group.name == "coordinates" for group in graph.feature_groups)


def _check(graph: Graph) -> None:
    if graph.coordinates is None and not _has_them(graph):
        raise InputError(
            "this graph has no coordinates to take as features; give it some "
            "(coordinates=...), or take landmarks, which need none"
        )


def _columns(graph: Graph, k: int) -> Columns:
    if _has_them(graph) or graph.coordinates is None:
        return Columns((), ())
    names = ("x", "y", "z")[: graph.coordinates.shape[1]]
    return Columns(names, (FeatureGroup("coordinates", len(names), alike=True),))


COORDINATES = Feature(
    name="coordinates",
    default=None,
    version=1,
    instead="",
    check=_check,
    columns=_columns,
    operations=lambda graph, k: graph.num_nodes,
    compute=places,
    values=as_computed,
)
