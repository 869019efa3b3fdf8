"""What the formats of described graphs share: names of attributes, places as features, edges.

Names of attributes and columns mean the same in every format that has names.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs.checks import is_symmetric
from phil.graphs.features.coordinates import project
from phil.graphs.graph import FeatureGroup, Graph
from phil.graphs.grid import AXES

WEIGHTS = ("weight", "length", "travel_time")  # the first that a file has
DEGREES = (("lon", "lat"), ("longitude", "latitude"))
PLACES = frozenset({"x", "y", "z", "lon", "lat", "longitude", "latitude"})
SHOWN = 50  # characters of a user's text in an error
FEW_NODES = 2**22  # nodes that any file may claim
NODES_PER_BYTE = 8  # above that: a file that claims more is damaged, or a bomb


def weight_name(given: Collection[str], chosen: str | None, where: str) -> str | None:
    """The attribute that is the weight: the chosen one, else the first of `WEIGHTS` that is there.

    >>> weight_name(["name", "travel_time", "length"], None, "roads.graphml")
    'length'
    """
    if chosen is None:
        return next((name for name in WEIGHTS if name in given), None)
    if chosen not in given:
        known = ", ".join(given) or "none"
        raise InputError(f"{where}: edges have no attribute {chosen!r}; they have: {known}")
    return chosen


def place_names(given: Collection[str]) -> tuple[str, ...]:
    """The attributes that say where nodes are: x, y or lon, lat, and z if it is there; or none.

    >>> place_names(["size", "y", "x"])
    ('x', 'y')
    """
    pairs = (("x", "y"), *DEGREES)
    found = next((pair for pair in pairs if pair[0] in given and pair[1] in given), ())
    return (*found, "z") if found and "z" in given else found


def finite(text: str) -> float | None:
    """The number that a text says; None where it says none, or one that is not finite."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


@dataclass(frozen=True)
class Edges:
    """The edges of a graph, those of an undirected one once."""

    pairs: NDArray[np.int64]
    weights: NDArray[np.float64] | None
    features: NDArray[np.float32]
    directed: bool


def with_places(graph: Graph) -> Graph:
    """The graph; where its nodes have coordinates and no features, these are where nodes are."""
    if graph.geographic and graph.coordinates is not None:
        outside = (np.abs(graph.coordinates[:, :2]) > [360, 90]).any(axis=1)
        if outside.any():
            node = int(np.argmax(outside))
            place = graph.coordinates[node].tolist()
            raise InputError(
                f"the node {graph.label(node)!r} lies at {place}, which is not a longitude and "
                "latitude in degrees; call the coordinates of a plane x and y"
            )
    if graph.coordinates is None or graph.features.shape[1]:
        return graph
    places = project(graph.coordinates, graph.geographic)
    size = places.shape[1]
    return graph.with_features(places, AXES[:size], [FeatureGroup("coordinates", size, alike=True)])


def own_features(graph: Graph) -> tuple[NDArray[np.float32], tuple[str, ...]]:
    """The features that a file must hold, and their names: not those that `with_places` makes."""
    if graph.coordinates is not None:
        places = project(graph.coordinates, graph.geographic).astype(np.float32)
        names = AXES[: places.shape[1]]
        if graph.feature_names == names and np.array_equal(graph.features, places):
            return np.zeros((graph.num_nodes, 0), np.float32), ()
    return graph.features, graph.feature_names


def column_names(names: Sequence[str], taken: Sequence[str]) -> list[str]:
    """Names that differ, by more than case, from each other and from those that are taken.

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
    """None where the labels are the nodes' numbers anyway."""
    numbered = all(label == str(node) for node, label in enumerate(labels))
    return None if numbered else labels


def check_nodes(path: str | Path, nodes: int, size: int) -> None:
    """Refuse a file of `size` bytes, unpacked, that claims far more nodes than it could name."""
    most = max(FEW_NODES, NODES_PER_BYTE * size)
    if nodes > most:
        raise InputError(
            f"{path} claims {nodes} nodes in {size} bytes; at most {most} are believed: "
            "correct the number or leave out the nodes without edges"
        )


def edges_of(graph: Graph) -> Edges:
    """The edges of a graph as a file lists them.

    An undirected graph whose edge features differ by direction is listed as a directed one.
    """
    pairs = np.stack([graph.sources, graph.indices], axis=1)
    weights = [] if graph.weights is None else [graph.weights]
    if graph.directed or not is_symmetric(*pairs.T, *weights, *graph.edge_features.T):
        return Edges(pairs, graph.weights, graph.edge_features, True)
    once = pairs[:, 0] <= pairs[:, 1]
    listed = None if graph.weights is None else graph.weights[once]
    return Edges(pairs[once], listed, graph.edge_features[once], False)


def number_rows(doubles: NDArray[np.float64], singles: NDArray[np.float32]) -> Iterator[list[str]]:
    """The numbers of every row as text, each as short as its precision allows."""
    for row in zip(doubles, singles, strict=True):
        yield [str(value) for part in row for value in part]
