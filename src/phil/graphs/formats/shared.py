"""What formats with named attributes share: attribute names, coordinates as features, edges."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError, shortened
from phil.graphs.features.coordinates import project
from phil.graphs.graph import FeatureGroup, Graph
from phil.graphs.grid import AXES
from phil.graphs.symmetry import is_symmetric

WEIGHTS = ("weight", "length", "travel_time")  # the first one present
DEGREES = (("lon", "lat"), ("longitude", "latitude"))
DEGREES_MOST = (360, 90)
PLACES = frozenset({"x", "y", "z", "lon", "lat", "longitude", "latitude"})
SHOWN = 8  # attributes that an error lists
FEW_NODES = 2**20  # nodes that any file may declare
NODES_PER_BYTE = 8  # beyond that; a file that declares more is damaged or malicious


def weight_name(given: Collection[str], chosen: str | None, where: str) -> str | None:
    """The attribute that holds the weight: the chosen one, else the first of `WEIGHTS` present.

    >>> weight_name(["name", "travel_time", "length"], None, "roads.graphml")
    'length'
    """
    if chosen is None:
        return next((name for name in WEIGHTS if name in given), None)
    if chosen not in given:
        known = ", ".join(shortened(name) for name in islice(given, SHOWN)) or "none"
        more = ", ..." if len(given) > SHOWN else ""
        raise InputError(
            f"{where}: edges have no attribute {shortened(chosen)}; they have: {known}{more}"
        )
    return chosen


def place_names(given: Collection[str]) -> tuple[str, ...]:
    """The attributes that hold coordinates: x, y or lon, lat, with z if present; or none.

    >>> place_names(["size", "y", "x"])
    ('x', 'y')
    """
    pairs = (("x", "y"), *DEGREES)
    found = next((pair for pair in pairs if pair[0] in given and pair[1] in given), ())
    return (*found, "z") if found and "z" in given else found


def finite(text: str) -> float | None:
    """The finite number in a text, or None."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


@dataclass(frozen=True)
class Edges:
    """The edges of a graph; undirected edges are listed once."""

    pairs: NDArray[np.int64]
    weights: NDArray[np.float64] | None
    features: NDArray[np.float32]
    directed: bool


def with_places(graph: Graph) -> Graph:
    """The graph, with its coordinates as features if it has no others."""
    if graph.geographic and graph.coordinates is not None:
        flat = graph.coordinates[:, :2]
        if (np.maximum(flat.max(axis=0), -flat.min(axis=0)) > DEGREES_MOST).any():
            node = int(np.argmax((np.abs(flat) > DEGREES_MOST).any(axis=1)))
            label, place = shortened(graph.label(node)), graph.coordinates[node].tolist()
            raise InputError(
                f"the node {label} is at {place}, which is not a longitude and "
                "latitude in degrees; name planar coordinates x and y"
            )
    if graph.coordinates is None or graph.features.shape[1]:
        return graph
    places = project(graph.coordinates, graph.geographic)
    size = places.shape[1]
    return graph.with_features(places, AXES[:size], [FeatureGroup("coordinates", size, alike=True)])


def own_features(graph: Graph) -> tuple[NDArray[np.float32], tuple[str, ...]]:
    """The features to write and their names, without those that `with_places` derives."""
    if graph.coordinates is not None:
        places = project(graph.coordinates, graph.geographic).astype(np.float32)
        names = AXES[: places.shape[1]]
        if graph.feature_names == names and np.array_equal(graph.features, places):
            return np.zeros((graph.num_nodes, 0), np.float32), ()
    return graph.features, graph.feature_names


def column_names(names: Sequence[str], taken: Sequence[str]) -> list[str]:
    """Names made unique, ignoring case, among themselves and those taken.

    >>> column_names(["size", "x", "size"], taken=["id", "x", "y"])
    ['size', 'x_2', 'size_2']
    """
    used = set(taken)
    chosen: list[str] = []
    for name in names:
        count, unused = 1, name
        while unused.lower() in used:
            count += 1
            unused = f"{name}_{count}"
        used.add(unused.lower())
        chosen.append(unused)
    return chosen


def node_labels(labels: Sequence[str]) -> Sequence[str] | None:
    """The labels; None if they are just the node ids."""
    numbered = all(label == str(node) for node, label in enumerate(labels))
    return None if numbered else labels


def check_nodes(path: str | Path, nodes: int, size: int) -> None:
    """Reject a file of `size` bytes, decompressed, that declares implausibly many nodes."""
    most = max(FEW_NODES, NODES_PER_BYTE * size)
    if nodes > most:
        raise InputError(
            f"{path} declares {nodes} nodes in {size} bytes; at most {most} are accepted: "
            "correct the number or leave out the nodes without edges"
        )


def edges_of(graph: Graph) -> Edges:
    """The edges of a graph to write; as directed if edge features differ by direction."""
    pairs = np.stack([graph.sources, graph.indices], axis=1)
    weights = [] if graph.weights is None else [graph.weights]
    if graph.directed or not is_symmetric(*pairs.T, *weights, *graph.edge_features.T):
        return Edges(pairs, graph.weights, graph.edge_features, True)
    once = pairs[:, 0] <= pairs[:, 1]
    listed = None if graph.weights is None else graph.weights[once]
    return Edges(pairs[once], listed, graph.edge_features[once], False)


def number_rows(doubles: NDArray[np.float64], singles: NDArray[np.float32]) -> Iterator[list[str]]:
    """The numbers of every row as text, each with the digits its precision needs."""
    for row in zip(doubles, singles, strict=True):
        yield [str(value) for part in row for value in part]
