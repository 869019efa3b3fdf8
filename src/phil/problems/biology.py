"""`biology/<name>`: molecules, proteins and protein interactions, many graphs each.

`molhiv` are molecules (OGBG-molhiv; atoms and bonds with 9 and 3 features), `ppi` the protein
interactions of 24 tissues (GraphSAGE; 50 gene sets as features, self-loops dropped), `proteins` and
`enzymes` the TUDataset collections (29 and 18 attributes of a secondary structure element). Edges
are undirected and of weight 1.

molhiv and ppi have splits of their own. The graphs of the others are ordered by the SHA-256 of
their name and number: the first tenth is test, the next validation, the rest train.

A problem is a start and a goal in one graph, connected by a path; they depend only on the seed and
the graph's number. Graphs take turns in a random order that depends on the seed, so if there are
fewer problems than graphs, each problem has its own graph. In training, four problems on a graph of
ppi share a goal, since one table of exact distances serves them all.

A file `<name>.npz` (also in a folder `graphs`) numbers the nodes of all graphs consecutively: graph
g owns the nodes `ptr[g]:ptr[g + 1]` and the edges `edge_index[:, edge_ptr[g]:edge_ptr[g + 1]]`,
each edge once; `x` are the features, `edge_attr` those of edges, and `split` or `graph_split` is 0
for train, 1 for validation and 2 for test.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import FeatureGroup, Graph
from phil.problems.data_files import (
    Arrays,
    fetch_hint,
    find_archive,
    need_archive,
    read_arrays,
    rows,
)
from phil.problems.pairs import STARTS, Pair, PairDraw, seeded
from phil.problems.problem import SPLITS, Problem, ProblemSet, split_counts
from phil.problems.source import ProblemSource, SetInfo, SetOptions, archive_info

FOLDER = "graphs"
REQUIRED = ("edge_index", "edge_ptr", "ptr", "x")
SPLIT_KEYS = ("split", "graph_split")
OPTIONAL = (*SPLIT_KEYS, "edge_attr", "feature_name")
ATOM = (
    *("atomic_number", "chirality", "degree", "formal_charge", "hydrogens"),
    *("radical_electrons", "hybridization", "aromatic", "in_ring"),
)


@dataclass(frozen=True)
class CollectionTraits:
    """The name of a collection's feature group, and the number of problems per split."""

    features: str
    counts: dict[str, int]
    shared_goals: bool = False  # in training, with four starts each


SMALL = {"train": 2000, "validation": 500, "test": 500}
COLLECTIONS = {
    "molhiv": CollectionTraits("atom", SMALL),
    "ppi": CollectionTraits(
        "genes", {"train": 640, "validation": 100, "test": 100}, shared_goals=True
    ),
    "proteins": CollectionTraits("attributes", SMALL),
    "enzymes": CollectionTraits("attributes", SMALL),
}


def open_biology(name: str, options: SetOptions) -> ProblemSet:
    """Random problems on the graphs of a collection."""
    full_name = f"biology/{name}"
    collection = Collection(name, need_archive(FOLDER, name, fetch_hint(full_name), options.data))
    counts = split_counts(COLLECTIONS[name].counts, options.count)
    return ProblemSet(
        full_name,
        **{
            split: tuple(islice(collection.problems(split, options.seed), counts[split]))
            for split in SPLITS
        },
    )


def biology_info(name: str, data: Path | None) -> SetInfo:
    """Information about a collection, without opening it."""
    return archive_info(
        f"biology/{name}",
        find_archive(FOLDER, name, data),
        REQUIRED,
        COLLECTIONS[name].counts,
        lambda headers: (rows(headers, "ptr") - 1, rows(headers, "x")),
        data,
    )


SOURCE = ProblemSource(
    "biology",
    members=lambda data: tuple(COLLECTIONS),
    open=open_biology,
    info=biology_info,
    downloader="phil.problems.download.graphs",
)


class Collection:
    """The graphs of one file; each is built when a problem first needs it."""

    def __init__(self, name: str, path: Path) -> None:
        self._name = name
        self._path = path
        self._traits = COLLECTIONS[name]
        self._arrays = read_arrays(path, REQUIRED, OPTIONAL)
        _check_ranges(self._arrays, path)
        self.size = self._arrays["ptr"].size - 1
        self.splits = self._split_graphs()
        self._graph = cache(self.graph)

    def graph(self, number: int) -> Graph:
        """One graph of the collection."""
        arrays = self._arrays
        first, last = (int(arrays["ptr"][number + k]) for k in (0, 1))
        entries = slice(*(int(arrays["edge_ptr"][number + k]) for k in (0, 1)))
        edges = arrays["edge_index"][:, entries].T.astype(np.int64) - first
        kept = edges[:, 0] != edges[:, 1]
        bonds = arrays.get("edge_attr")
        features = arrays["x"][first:last]
        try:
            return Graph.from_edges(
                last - first,
                edges[kept],
                features,
                feature_names=self._feature_names(),
                feature_groups=[FeatureGroup(self._traits.features, features.shape[1])],
                edge_features=None if bonds is None else bonds[entries][kept],
            )
        except InputError as error:
            raise InputError(f"{self._path}, graph {number}: {error}") from error

    def problems(self, split: str, seed: int) -> Iterator[Problem]:
        """An endless stream of problems of a split, from each graph in turn."""
        order = seeded(seed, split).permutation(self.splits[split])
        shared = self._traits.shared_goals and split == "train"
        pairs = {int(number): self._pairs(int(number), seed, shared) for number in order}
        drawn = dict.fromkeys(pairs, 0)
        while pairs:
            for number in list(pairs):
                together = next(pairs[number], None)
                if together is None:
                    del pairs[number]
                    continue
                for pair in together:
                    name = f"biology/{self._name}/{split}/{number}/{drawn[number]}"
                    drawn[number] += 1
                    yield Problem(self._graph(number), *pair, name)

    def _pairs(self, number: int, seed: int, shared_goals: bool) -> Iterator[list[Pair]]:
        """An endless stream of lists of pairs that share a goal; empty if no path exists."""
        random = seeded(seed, number)
        graph = self._graph(number)
        try:
            draw = PairDraw(graph, f"graph {number}")
        except InputError:
            return
        while True:
            start, goal = draw.pair(random)
            starts = draw.starts(goal, STARTS, random) if shared_goals else [start]
            yield [(one, goal) for one in starts]

    def _split_graphs(self) -> dict[str, NDArray[np.int64]]:
        given = next((self._arrays[key] for key in SPLIT_KEYS if key in self._arrays), None)
        if given is None:
            given = _hashed_split(self._name, self.size)
        elif given.shape != (self.size,):
            raise InputError(
                f"{self._path}: the split of {self.size} graphs has shape {given.shape}"
            )
        return {split: np.flatnonzero(given == code) for code, split in enumerate(SPLITS)}

    def _feature_names(self) -> list[str] | None:
        if "feature_name" in self._arrays:
            return [str(name) for name in np.atleast_1d(self._arrays["feature_name"])]
        if self._name == "molhiv" and self._arrays["x"].shape[1] == len(ATOM):
            return list(ATOM)
        return None


def _check_ranges(arrays: Arrays, path: Path) -> None:
    edges = arrays["edge_index"].shape[1]
    for key, length in (("x", None), ("edge_attr", edges)):
        shape = arrays[key].shape if key in arrays else (edges, 0)
        if len(shape) != 2 or length not in (None, shape[0]):
            raise InputError(
                f"{path}: {key} must be a table with a row for every node or edge, not {shape}"
            )
    for key, owned in (("ptr", len(arrays["x"])), ("edge_ptr", edges)):
        limits = arrays[key]
        if (
            limits.dtype.kind not in "iu"
            or limits.shape != arrays["ptr"].shape
            or limits.ndim != 1
            or limits.size < 2
            or (limits[0], limits[-1]) != (0, owned)
            or (np.diff(limits.astype(np.int64)) < 0).any()
        ):
            raise InputError(
                f"{path}: {key} must increase from 0 to {owned}, with one entry more than there "
                "are graphs; download the file again"
            )


def _hashed_split(name: str, size: int) -> NDArray[np.int64]:
    """0 for train, 1 for validation, 2 for test: a tenth each of the last two."""
    order = sorted(
        range(size), key=lambda number: hashlib.sha256(f"{name}/{number}".encode()).digest()
    )
    tenth = round(size / 10)
    codes = np.zeros(size, np.int64)
    codes[order[:tenth]] = 2
    codes[order[tenth : 2 * tenth]] = 1
    return codes
