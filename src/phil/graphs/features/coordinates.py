"""coordinates: where a node lies; longitude and latitude are projected to metres."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phil.errors import InputError
from phil.graphs.features.feature import Columns, Feature
from phil.graphs.graph import FeatureGroup, Graph

EARTH_RADIUS = 6371008.8  # metres, the mean one


def project(coordinates: ArrayLike, geographic: bool) -> NDArray[np.float64]:
    """Coordinates about their middle; longitude and latitude become metres east and north.

    The projection is equirectangular about the mean latitude: true enough for a city or a region.
    A height, if there is one, is metres already.

    >>> project([(0.0, -0.5), (0.0, 0.5)], geographic=True).round().tolist()
    [[0.0, -55598.0], [0.0, 55598.0]]
    """
    places = np.array(coordinates, np.float64)
    if geographic:
        # Of a graph that lies across the 180th meridian both sides must stay together.
        turn = np.angle(np.exp(1j * np.radians(places[:, 0])).mean(), deg=True)
        places[:, 0] = (places[:, 0] - turn + 180) % 360 - 180
        places[:, :2] = np.radians(places[:, :2]) * EARTH_RADIUS
        places[:, 0] *= np.cos(places[:, 1].mean() / EARTH_RADIUS)
    centred: NDArray[np.float64] = places - places.mean(axis=0)
    return centred


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
    check=_check,
    columns=_columns,
    operations=lambda graph, k: graph.num_nodes,
    compute=places,
)
