"""Downloading public graphs through the libraries that publish them.

A library (PyTorch Geometric, OGB or OSMnx; the extra `data`) downloads its own files to a temporary
folder; they are then read by this package and written as one .npz file in our layout.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from phil.errors import InputError
from phil.problems.data_files import Arrays, cache_folder
from phil.problems.download.formats import (
    planetoid_arrays,
    read_gnn_benchmark,
    read_graphsage,
    read_ogb,
    read_osm,
    read_tudataset,
)
from phil.problems.download.layout import write_arrays
from phil.problems.roads import KNOWN

PLACES = {"modena": "Modena, Italy", "new_york": "New York City, New York, USA"}


def _planetoid(name: str) -> Callable[[Path], Arrays]:
    def fetch(folder: Path) -> Arrays:
        return planetoid_arrays(_library("torch_geometric.datasets").Planetoid(folder, name)[0])

    return fetch


def _coauthor(name: str, file: str) -> Callable[[Path], Arrays]:
    def fetch(folder: Path) -> Arrays:
        _library("torch_geometric.datasets").Coauthor(folder, name)
        return read_gnn_benchmark(folder / name / "raw" / file)

    return fetch


def _tudataset(name: str) -> Callable[[Path], Arrays]:
    def fetch(folder: Path) -> Arrays:
        _library("torch_geometric.datasets").TUDataset(folder, name)
        return read_tudataset(folder / name / "raw", name)

    return fetch


def _ppi(folder: Path) -> Arrays:
    _library("torch_geometric.datasets").PPI(folder)
    return read_graphsage(folder / "raw")


def _molhiv(folder: Path) -> Arrays:
    _library("ogb.graphproppred").GraphPropPredDataset("ogbg-molhiv", folder)
    return read_ogb(folder / "ogbg_molhiv")


SETS: dict[str, Callable[[Path], Arrays]] = {
    "citations/cora": _planetoid("Cora"),
    "citations/citeseer": _planetoid("CiteSeer"),
    "citations/pubmed": _planetoid("PubMed"),
    "citations/coauthor_cs": _coauthor("CS", "ms_academic_cs.npz"),
    "citations/coauthor_physics": _coauthor("Physics", "ms_academic_phy.npz"),
    "biology/molhiv": _molhiv,
    "biology/ppi": _ppi,
    "biology/proteins": _tudataset("PROTEINS_full"),
    "biology/enzymes": _tudataset("ENZYMES"),
}


def download(
    names: Sequence[str],
    folder: Path | None = None,
    *,
    place: str | None = None,
    report: Callable[[str], None] = lambda step: None,
) -> None:
    """Download sets of graphs, one after the other (see `fetch_set`)."""
    for name in names:
        fetch_set(name, folder, place=place, report=report)


def fetch_set(
    name: str,
    folder: Path | None = None,
    *,
    place: str | None = None,
    report: Callable[[str], None] = lambda step: None,
) -> Path:
    """Download a set of graphs into a data folder, by default the user's cache; return its file.

    `roads/<name>` has the drivable roads that OSMnx finds in `place`, by default the place <name>.
    """
    source, _, member = name.partition("/")
    data = cache_folder() if folder is None else folder
    if name in SETS:
        fetch, target = SETS[name], data / "graphs" / f"{member}.npz"
    elif source == "roads":
        fetch, target = _roads(member, place), data / "roads" / f"{member}.npz"
    else:
        raise InputError(
            f"{name} cannot be downloaded; available are grids, {', '.join(SETS)} and roads/NAME "
            "for any place"
        )
    report(f"downloading {name}")
    try:
        data.mkdir(parents=True, exist_ok=True)
        # Libraries print their progress; standard output is reserved for our result.
        with (
            tempfile.TemporaryDirectory(dir=data) as scratch,
            contextlib.redirect_stdout(sys.stderr),
        ):
            arrays = fetch(Path(scratch))
    except InputError:
        raise
    except (Exception, SystemExit) as error:  # libraries differ in what they raise
        raise InputError(
            f"cannot download {name}: {type(error).__name__}: {error}; check the connection"
        ) from error
    write_arrays(target, arrays)
    report(f"{name}: {target}")
    return target


def _roads(member: str, place: str | None) -> Callable[[Path], Arrays]:
    if member in KNOWN or not member.isidentifier():
        raise InputError(
            f"roads/{member} is a reserved or invalid name; choose a name of letters and digits, "
            "such as roads/modena, and the place with --place"
        )
    wanted = place or PLACES.get(member, member.replace("_", " "))

    def fetch(folder: Path) -> Arrays:
        osmnx = _library("osmnx")
        osmnx.settings.cache_folder = folder  # the default is `cache` in the working directory
        file = folder / f"{member}.graphml"
        osmnx.save_graphml(osmnx.graph_from_place(wanted, network_type="drive"), file)
        return read_osm(file)

    return fetch


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise InputError(
            f"{name.split('.')[0]} is needed for this download ({error}); install it with: "
            "pip install 'phil-search[data]'"
        ) from error
