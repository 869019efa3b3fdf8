"""GraphSAGE's protein interactions, as PyTorch Geometric's `PPI` fetches them.

For each of train, valid and test: `<split>_graph.json` with the edges in `links`,
`<split>_graph_id.npy` with the graph of every node, and `<split>_feats.npy`. Graphs are numbered in
this order. Features are taken as the files have them.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.problems.archive import Arrays
from phil.problems.grids import NPZ_DAMAGE
from phil.problems.sources.layout import collection_arrays

SPLITS = ("train", "valid", "test")


def read_graphsage(folder: Path) -> Arrays:
    """The collection in our layout."""
    nodes = graphs = 0
    edges, graph_of_node, features, codes = [], [], [], []
    for code, split in enumerate(SPLITS):
        numbers = _read_array(folder / f"{split}_graph_id.npy")
        links = _read_links(folder / f"{split}_graph.json", numbers.size)
        if not numbers.size or numbers.ndim != 1 or numbers.dtype.kind not in "iu":
            raise InputError(f"{folder}/{split}_graph_id.npy must hold the graph of every node")
        here = numbers.astype(np.int64) - int(numbers.min())
        edges.append(links + nodes)
        graph_of_node.append(here + graphs)
        features.append(_read_array(folder / f"{split}_feats.npy"))
        codes.append(np.full(int(here.max()) + 1, code, np.uint8))
        nodes += here.size
        graphs += codes[-1].size
    try:
        arrays = collection_arrays(
            np.concatenate(graph_of_node),
            np.concatenate(edges, axis=1),
            np.concatenate(features),
            graphs,
        )
    except ValueError as error:
        raise InputError(f"{folder}: {error}; fetch the files again") from error
    return arrays | {"graph_split": np.concatenate(codes)}


def _read_array(path: Path) -> NDArray[np.generic]:
    try:
        with open(path, "rb") as stream:
            array: NDArray[np.generic] = np.load(stream, allow_pickle=False)
            return array
    except NPZ_DAMAGE as error:
        raise InputError(f"cannot read {path}: {error}; fetch it again") from error


def _read_links(path: Path, nodes: int) -> NDArray[np.int64]:
    try:
        links = json.loads(path.read_bytes())["links"]
        ends = np.array([(link["source"], link["target"]) for link in links])
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"cannot read the links in {path}: {error!r}; fetch it again") from error
    pairs = ends.astype(np.int64).T if ends.dtype.kind in "iu" else np.zeros((2, 0), np.int64)
    if len(links) != pairs.shape[1] or (len(links) and not 0 <= pairs.min() <= pairs.max() < nodes):
        raise InputError(f"{path}: every link must join two nodes of 0..{nodes - 1}")
    return pairs
