"""Street networks as OSMnx saves them (GraphML), made undirected and simple.

Of all edges between two nodes the shortest is kept, one-way streets go both ways, loops and all but
the largest component are left out, as in the other files of `roads`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from phil.errors import InputError
from phil.graphs.formats.graphml import read_graphml
from phil.problems.archive import Arrays
from phil.problems.sources.layout import distinct_edges


def read_osm(path: Path) -> Arrays:
    """A network in our layout."""
    graph = read_graphml(path, "length")
    if graph.coordinates is None or not graph.geographic or graph.weights is None:
        raise InputError(
            f"{path} has no longitudes and latitudes, or no lengths; save it unprojected, by OSMnx"
        )
    source = np.repeat(np.arange(graph.size), np.diff(graph.indptr))
    by_length = np.argsort(graph.weights, kind="stable")
    ends = np.stack([source, graph.indices])[:, by_length]
    edges, shortest = distinct_edges(ends, graph.size)
    kept = _largest_component(edges, graph.size)
    number = np.cumsum(kept) - 1
    inside = kept[edges[0]]
    return {
        "coords": graph.coordinates[kept, :2],
        "crs": np.array("lon,lat degrees (WGS84)"),
        "name": np.array(f"{path.stem} (OpenStreetMap, by OSMnx)"),
        "edge_index": number[edges[:, inside]].astype(np.int32),
        "edge_length": graph.weights[by_length][shortest][inside].astype(np.float32),
        "osm_id": _numbers([graph.label(node) for node in np.flatnonzero(kept).tolist()], path),
    }


def _largest_component(edges: NDArray[np.int64], nodes: int) -> NDArray[np.bool_]:
    ones = np.ones(edges.shape[1], bool)
    _, part = connected_components(coo_array((ones, tuple(edges)), shape=(nodes, nodes)), False)
    largest: NDArray[np.bool_] = part == np.bincount(part).argmax()
    return largest


def _numbers(labels: list[str], path: Path) -> NDArray[np.int64]:
    try:
        return np.array([int(label) for label in labels], np.int64)
    except (ValueError, OverflowError) as error:
        raise InputError(f"{path}: a node's id is no number ({error}); OSMnx's are") from error
