"""`roads/<name>`: road networks, one graph each; every file of this layout is a set.

Features are the coordinates, projected to metres where they are degrees, and the degree, as in the
paper; those of edges are their entries in the Laplacian, the modularity and the Bethe-Hessian
matrix. Roads have no direction and cost their length. Pairs are drawn as in `single_graph`.

A file `<name>.npz` (also in a folder `roads`) holds `coords` (N, 2), `crs`, which begins with
`lon,lat` if they are degrees and not x and y, `edge_index` (2, E), every road once, `edge_length`
(E,), and, if nodes have numbers of their own, `osm_id` or `dimacs_id` (N,).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from phil.errors import InputError
from phil.graphs import FeatureGroup, Graph
from phil.graphs.features.coordinates import project
from phil.graphs.features.edges import road_edge_features
from phil.problems.archive import (
    archive_info,
    find_archive,
    need_archive,
    read_arrays,
    read_headers,
    rows,
)
from phil.problems.grids import data_folders
from phil.problems.info import SetInfo
from phil.problems.problem import ProblemSet
from phil.problems.single_graph import SPLIT_COUNTS, single_graph_set

SOURCE = "roads"
FOLDER = "roads"
KNOWN = (
    "new_york_city",
    "rimini",
    "bologna",
    "boston",
    "san_francisco",
    "milwaukee",
    "oldenburg",
    "new_york_dimacs",
    "san_francisco_full",
    "rome_full",
    "moscow_full",
)
FETCH = (
    "fetch roads of a place under a name of your own, such as `phil problems --download "
    'roads/modena --place "Modena, Italy"`'
)
REQUIRED = ("coords", "crs", "edge_index", "edge_length")
LABELS = ("osm_id", "dimacs_id")
GROUPS = (FeatureGroup("coordinates", 2, alike=True), FeatureGroup("degree", 1))


def road_names(data: Path | None = None) -> tuple[str, ...]:
    """The well-known networks and all others in the data folders."""
    found = {
        file.stem
        for folder in data_folders(data)
        for place in (folder / FOLDER, folder)
        for file in place.glob("*.npz")
        if place.name == FOLDER or _is_road(file)
    }
    return (*KNOWN, *sorted(found.difference(KNOWN)))


def open_roads(
    name: str, *, data: Path | None = None, seed: int = 0, count: int | None = None
) -> ProblemSet:
    """Random problems on one road network; `count` changes how many."""
    graph = read_roads(need_archive(FOLDER, name, FETCH, data))
    return single_graph_set(f"{SOURCE}/{name}", graph, seed=seed, count=count)


def read_roads(path: Path) -> Graph:
    """The road network in a file."""
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
        raise InputError(f"{path}: {error}; fetch the file again") from error


def roads_info(name: str, data: Path | None = None) -> SetInfo:
    """What `phil problems` tells about a road network."""
    return archive_info(
        f"{SOURCE}/{name}",
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
