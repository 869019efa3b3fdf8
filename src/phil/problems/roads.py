"""`roads/<name>`: road networks, one graph each; any file of this layout is a set.

Node features are the coordinates (projected to metres if they are degrees) and the degree, as in
the paper; edge features are the entries of the Laplacian, the modularity and the Bethe-Hessian
matrix. Roads are undirected, and their weight is their length. Pairs are drawn at random (see
`phil.problems.single_graph_set`).

A file `<name>.npz` (also in a folder `roads`) holds `coords` (N, 2), `crs`, which starts with
`lon,lat` if the coordinates are degrees rather than x and y, `edge_index` (2, E), each road once,
`edge_length` (E,), and optionally node identifiers, `osm_id` or `dimacs_id` (N,).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from phil.errors import InputError
from phil.graphs import FeatureGroup, Graph
from phil.graphs.features.coordinates import project
from phil.graphs.features.edges import road_edge_features
from phil.problems.data_files import (
    data_folders,
    find_archive,
    need_archive,
    read_arrays,
    read_headers,
    rows,
)
from phil.problems.pairs import SPLIT_COUNTS, single_graph_set
from phil.problems.problem import ProblemSet
from phil.problems.source import ProblemSource, SetInfo, SetOptions, archive_info

FOLDER = "roads"
KNOWN = (
    *("new_york_city", "rimini", "bologna", "boston", "san_francisco", "milwaukee", "oldenburg"),
    *("new_york_dimacs", "san_francisco_full", "rome_full", "moscow_full"),
)
FETCH = (
    "download the roads of a place under another name, such as `phil problems --download "
    'roads/modena --place "Modena, Italy"`'
)
REQUIRED = ("coords", "crs", "edge_index", "edge_length")
LABELS = ("osm_id", "dimacs_id")
GROUPS = (FeatureGroup("coordinates", 2, alike=True), FeatureGroup("degree", 1))


def road_names(data: Path | None) -> tuple[str, ...]:
    """The known networks, and all others in the data folders."""
    found = {
        file.stem
        for folder in data_folders(data)
        for place in (folder / FOLDER, folder)
        for file in place.glob("*.npz")
        if place.name == FOLDER or _is_road(file)
    }
    return (*KNOWN, *sorted(found.difference(KNOWN)))


def open_roads(name: str, options: SetOptions) -> ProblemSet:
    """Random problems on one road network."""
    graph = read_roads(need_archive(FOLDER, name, FETCH, options.data))
    return single_graph_set(f"roads/{name}", graph, seed=options.seed, count=options.count)


def read_roads(path: Path) -> Graph:
    """Read the road network in a file."""
    arrays = read_arrays(path, REQUIRED, LABELS)
    coordinates, edges = arrays["coords"], arrays["edge_index"]
    geographic = str(arrays["crs"]).startswith("lon,lat")
    labels = next((arrays[key] for key in LABELS if key in arrays), None)
    try:
        graph = Graph.from_edges(
            len(coordinates),
            edges.T,
            weights=arrays["edge_length"],
            labels=None if labels is None else [str(label) for label in labels.tolist()],
            coordinates=coordinates,
            geographic=geographic,
        )
        features = np.column_stack([project(coordinates, geographic), np.diff(graph.indptr)])
        return graph.with_features(
            features, ("x", "y", "degree"), GROUPS, edge_features=road_edge_features(graph)
        )
    except (ValueError, TypeError) as error:
        raise InputError(f"{path}: {error}; download the file again") from error


def roads_info(name: str, data: Path | None) -> SetInfo:
    """Information about a road network, without opening it."""
    return archive_info(
        f"roads/{name}",
        find_archive(FOLDER, name, data),
        REQUIRED,
        SPLIT_COUNTS,
        lambda headers: (1, rows(headers, "coords")),
        data,
    )


def _is_road(path: Path) -> bool:
    try:
        return read_headers(path).keys() >= set(REQUIRED)
    except InputError:
        return False


SOURCE = ProblemSource(
    "roads",
    members=road_names,
    open=open_roads,
    info=roads_info,
    downloader="phil.problems.download.graphs",
)
