"""The node nearest to a place on earth."""

from __future__ import annotations

import numpy as np

from phil.errors import InputError
from phil.graphs import AnyGraph
from phil.graphs.features.coordinates import EARTH_RADIUS


def nearest_node(graph: AnyGraph, latitude: float, longitude: float) -> tuple[int, float]:
    """The node nearest to a latitude and longitude in degrees, and how far it is, in metres.

    Distances are those along the surface of the earth. Of equally near nodes, the first is taken.

    >>> from phil.graphs import Graph
    >>> places = [[9.0, 45.0], [9.1, 45.0]]
    >>> roads = Graph.from_edges(2, [(0, 1)], coordinates=places, geographic=True)
    >>> node, metres = nearest_node(roads, 45.0, 9.098)
    >>> node, round(metres)
    (1, 157)
    """
    if graph.is_grid or graph.coordinates is None:
        raise InputError("the nodes have no latitudes and longitudes; name nodes instead")
    if not graph.geographic:
        raise InputError(
            "the coordinates of the graph are planar, not latitudes and longitudes; name nodes "
            "instead, or save the graph in degrees (crs epsg:4326)"
        )
    if not abs(latitude) <= 90:
        raise InputError(f"{latitude:g} is not a latitude; the latitude comes first")
    if not abs(longitude) <= 360:
        raise InputError(f"{longitude:g} is not a longitude")
    east, north = np.radians(graph.coordinates[:, :2]).T
    across = np.sin((east - np.radians(longitude)) / 2) ** 2
    up = np.sin((north - np.radians(latitude)) / 2) ** 2
    # The haversine formula, which is exact for near nodes too.
    half = np.sqrt(up + np.cos(north) * np.cos(np.radians(latitude)) * across)
    node = int(np.argmin(half))
    return node, float(2 * EARTH_RADIUS * np.arcsin(min(1.0, half[node])))
