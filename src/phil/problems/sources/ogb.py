"""OGB collections of graphs: the folders `raw` and `split/<kind>` with tables as `.csv.gz`.

`edge.csv.gz` lists the edges of all graphs, each graph's nodes from 0 and an undirected edge once;
`num-node-list` and `num-edge-list` say how many belong to each graph; `node-feat` and `edge-feat`
are features, and `train`, `valid` and `test` the numbers of graphs.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.problems.archive import Arrays
from phil.problems.sources.layout import collection_arrays, compact, distinct_edges
from phil.problems.sources.tables import read_column, read_table

SPLITS = ("train", "valid", "test")


def read_ogb(folder: Path, kind: str = "scaffold") -> Arrays:
    """A collection in our layout, with the split of this kind."""
    raw = folder / "raw"
    nodes = read_column(raw / "num-node-list.csv.gz")
    counts = read_column(raw / "num-edge-list.csv.gz")
    local = read_table(raw / "edge.csv.gz", np.int64, 2).T
    features = read_table(raw / "node-feat.csv.gz", np.float32)
    edge_features = read_table(raw / "edge-feat.csv.gz", np.float32)
    if counts.shape != nodes.shape or (nodes < 0).any() or (counts < 0).any():
        raise InputError(f"{raw}: num-node-list and num-edge-list do not fit; fetch them again")
    if not counts.sum() == local.shape[1] == len(edge_features):
        raise InputError(f"{raw}: num-edge-list counts other edges than there are; fetch it again")
    graph_of_edge = np.repeat(np.arange(nodes.size), counts)
    if ((local < 0) | (local >= nodes[graph_of_edge])).any():
        raise InputError(f"{raw}/edge.csv.gz: an edge leads out of its graph; fetch it again")
    edges = local + (np.cumsum(nodes) - nodes)[graph_of_edge]
    graph_of_node = np.repeat(np.arange(nodes.size), nodes)
    try:
        arrays = collection_arrays(graph_of_node, edges, features, nodes.size)
    except InputError as error:
        raise InputError(f"{raw}: {error}; fetch the files again") from error
    _, given = distinct_edges(edges, graph_of_node.size)
    return arrays | {
        "edge_attr": compact(edge_features[given]),
        "split": _split(folder / "split" / kind, nodes.size),
    }


def _split(folder: Path, graphs: int) -> NDArray[np.uint8]:
    codes = np.full(graphs, len(SPLITS), np.uint8)
    for code, split in enumerate(SPLITS):
        numbers = read_column(folder / f"{split}.csv.gz")
        if (numbers < 0).any() or (numbers >= graphs).any():
            raise InputError(f"{folder}/{split}.csv.gz: graphs are 0..{graphs - 1}")
        codes[numbers] = code
    return codes
