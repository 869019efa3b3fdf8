"""coordinates: where a node lies; longitude and latitude are projected to metres."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs.feature_group import FeatureGroup
from phil.graphs.features.feature import Columns, Feature, as_computed
from phil.graphs.graph import Graph
from phil.graphs.projection import project


def places(graph: Graph, k: int) -> NDArray[np.float64]:
    """Where every node lies."""
    assert graph.coordinates is not None, "it was checked"
    return project(graph.coordinates, graph.geographic)


def _check(graph: Graph) -> None:
    if graph.coordinates is None:
        raise InputError(
            "this graph has no coordinates to take as features; give it some "
            "(coordinates=...), or take landmarks, which need none"
        )


def _columns(graph: Graph, k: int) -> Columns:
    dimension = 0 if graph.coordinates is None else graph.coordinates.shape[1]
    names = ("x", "y", "z")[:dimension]
    return Columns(names, (FeatureGroup("coordinates", dimension, alike=True),))


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
