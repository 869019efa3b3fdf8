"""Graphs and paths as GeoJSON, for web maps; this format is write-only.

GeoJSON (RFC 7946) holds longitudes and latitudes only, so a graph without geographic coordinates is
rejected.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.files import write_atomic
from phil.graphs import AnyGraph
from phil.graphs.formats.format import Format
from phil.graphs.formats.shared import edges_of
from phil.graphs.graph import Graph

Json = dict[str, Any]


def write_geojson(path: Path, graph: Graph) -> None:
    """Write a graph as features: a Point for every node, a LineString for every edge.

    Nodes have the property `label`; edges have `source`, `target` and, if there is one, `weight`.
    """
    places = _degrees(graph).tolist()
    nodes = [_feature("Point", place, label=graph.label(node)) for node, place in enumerate(places)]
    edges = edges_of(graph)
    weights: list[Json] = [{}] * len(edges.pairs)
    if edges.weights is not None:
        weights = [{"weight": weight} for weight in edges.weights.tolist()]
    lines = [
        _feature(
            "LineString",
            [places[left], places[right]],
            source=graph.label(left),
            target=graph.label(right),
            **weight,
        )
        for (left, right), weight in zip(edges.pairs.tolist(), weights, strict=True)
    ]
    document = _collection([*lines, *nodes])
    write_atomic(path, json.dumps(document, allow_nan=False).encode())


def path_geojson(
    graph: AnyGraph, path: Iterable[int], expanded: Iterable[int] | None = None
) -> Json:
    """A path as a LineString with the labels of its nodes, and the expanded nodes as points.

    A path of one node is a Point; an empty path is omitted.

    >>> graph = Graph.from_edges(
    ...     3, [(0, 1), (1, 2)], coordinates=[[7, 46], [7.5, 46], [8, 46]], geographic=True
    ... )
    >>> document = path_geojson(graph, [0, 1], expanded=[0, 2, 1])
    >>> [feature["geometry"]["type"] for feature in document["features"]]
    ['MultiPoint', 'LineString']
    >>> document["features"][1]["properties"]
    {'role': 'path', 'nodes': ['0', '1'], 'edges': 1}
    """
    places = _degrees(graph)
    assert not graph.is_grid
    features = []
    if expanded is not None:
        nodes = _ids(graph, expanded)
        listed = places[nodes].tolist()
        features.append(_feature("MultiPoint", listed, role="expanded", expansions=len(listed)))
    nodes = _ids(graph, path)
    if nodes:
        listed = places[nodes].tolist()
        single = len(nodes) == 1
        features.append(
            _feature(
                "Point" if single else "LineString",
                listed[0] if single else listed,
                role="path",
                nodes=[graph.label(node) for node in nodes],
                edges=len(nodes) - 1,
            )
        )
    return _collection(features)


def _degrees(graph: AnyGraph) -> NDArray[np.float64]:
    if graph.is_grid or graph.coordinates is None:
        raise InputError("GeoJSON needs coordinates, but the graph has none; add lon and lat")
    if not graph.geographic:
        raise InputError(
            "GeoJSON holds longitudes and latitudes, but the graph's coordinates are planar; "
            "convert them to degrees and name them lon and lat"
        )
    return graph.coordinates


def _ids(graph: Graph, nodes: Iterable[int]) -> list[int]:
    return [graph.check_node(node, "node") for node in nodes]


def _feature(kind: str, coordinates: Any, **properties: Any) -> Json:
    geometry = {"type": kind, "coordinates": coordinates}
    return {"type": "Feature", "geometry": geometry, "properties": properties}


def _collection(features: list[Json]) -> Json:
    return {"type": "FeatureCollection", "features": features}


FORMAT = Format(name="GeoJSON", endings=(".geojson",), write=write_geojson)
