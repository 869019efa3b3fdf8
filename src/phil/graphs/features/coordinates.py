"""coordinates: the position of a node; longitude and latitude are projected to metres."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from phil.errors import InputError
from phil.graphs.features.feature import Columns, Feature
from phil.graphs.graph import FeatureGroup, Graph

EARTH_RADIUS = 6371008.8  # mean, in metres


def project(coordinates: ArrayLike, geographic: bool) -> NDArray[np.float64]:
    """Centred coordinates; longitude and latitude become metres east and north.

    The projection is equirectangular at the mean latitude: accurate enough for a city or a region.
    A third coordinate is a height in metres.

    >>> project([(0.0, -0.5), (0.0, 0.5)], geographic=True).round().tolist()
    [[0.0, -55598.0], [0.0, 55598.0]]
    """
    places = np.array(coordinates, np.float64)
    if geographic:
        # Both sides of a graph that crosses the 180th meridian must stay together.
        turn = np.angle(np.exp(1j * np.radians(places[:, 0])).mean(), deg=True)
        places[:, 0] = (places[:, 0] - turn + 180) % 360 - 180
        places[:, :2] = np.radians(places[:, :2]) * EARTH_RADIUS
        places[:, 0] *= np.cos(places[:, 1].mean() / EARTH_RADIUS)
    centred: NDArray[np.float64] = places - places.mean(axis=0)
    return centred


def places(graph: Graph, k: int) -> NDArray[np.float64]:
    """The projected position of every node."""
    assert graph.coordinates is not None, "it was checked"
    return project(graph.coordinates, graph.geographic)


def _check(graph: Graph) -> None:
    if graph.coordinates is None:
        raise InputError(
            "this graph has no coordinates to use as features; pass coordinates=..., or use "
            "landmarks, which need none"
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
