"""Readers for publishers' formats, which return arrays in the layouts of our own files.

Nothing here unpickles: what a library stores as pickles is taken from the library's own objects.
"""

from __future__ import annotations

import io
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components

from phil.errors import InputError, one_line
from phil.graphs.formats.archive import sparse_matrix
from phil.graphs.formats.graphml import read_graphml
from phil.graphs.formats.npy import array_from
from phil.graphs.formats.source import read_bytes
from phil.problems.data_files import Arrays, read_arrays
from phil.problems.download.layout import (
    collection_arrays,
    compact,
    distinct_edges,
    network_arrays,
)

CSR_PARTS = ("data", "indices", "indptr", "shape")
LIMIT = 2**33  # bytes per file, decompressed
SPLIT_NAMES = ("train", "valid", "test")  # of GraphSAGE and OGB


def planetoid_arrays(data: Any) -> Arrays:
    """Cora, CiteSeer or PubMed as a graph of PyTorch Geometric's `Planetoid`.

    Their files are pickles (`ind.cora.graph`, ...), which only the library itself opens.
    """
    return network_arrays(data.edge_index.numpy(), csr_array(data.x.numpy()))


def read_gnn_benchmark(path: Path) -> Arrays:
    """A co-author network of shchur/gnn-benchmark, as downloaded by PyTorch Geometric's `Coauthor`.

    The .npz file has the adjacency and the attributes as CSR parts, `adj_*` and `attr_*`. The
    attributes are counts; unlike PyTorch Geometric, we do not set them to 1.
    """
    arrays = read_arrays(path, [f"{kind}_{part}" for kind in ("adj", "attr") for part in CSR_PARTS])
    try:
        adjacency, attributes = (_matrix(arrays, kind) for kind in ("adj", "attr"))
        if adjacency.shape != (attributes.shape[0],) * 2:
            raise InputError(f"{adjacency.shape} edges, {attributes.shape[0]} rows of attributes")
        return network_arrays(np.stack(adjacency.nonzero()), attributes)
    except (ValueError, TypeError, OverflowError) as error:
        raise InputError(f"{path}: {one_line(error)}; download the file again") from error


def read_osm(path: Path) -> Arrays:
    """A street network as OSMnx saves it (GraphML), made undirected and simple.

    Of all edges between two nodes the shortest is kept, one-way streets go both ways, and loops
    and all but the largest component are dropped, as in the other files of `roads`.
    """
    graph = read_graphml(path, "length")
    if graph.coordinates is None or not graph.geographic or graph.weights is None:
        raise InputError(
            f"{path} has no longitudes and latitudes, or no lengths; save it unprojected with OSMnx"
        )
    source = graph.sources
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


def read_tudataset(folder: Path, name: str) -> Arrays:
    """A TUDataset collection: text files in one folder, nodes and graphs numbered from 1.

    `<name>_A.txt` lists edges, `_graph_indicator` the graph of each node, `_node_attributes` their
    attributes.
    """
    edges = _read_table(folder / f"{name}_A.txt", np.int64, 2) - 1
    path = folder / f"{name}_graph_indicator.txt"
    graph_of_node = _numbered(_read_column(path), path)
    attributes = _read_table(folder / f"{name}_node_attributes.txt", np.float32)
    try:
        return collection_arrays(graph_of_node, edges.T, attributes, int(graph_of_node.max()) + 1)
    except InputError as error:
        raise InputError(f"{folder}, {name}: {error}; download the files again") from error


def read_ogb(folder: Path, kind: str = "scaffold") -> Arrays:
    """An OGB collection: the folders `raw` and `split/<kind>` with tables as `.csv.gz`.

    `edge.csv.gz` lists the edges of all graphs, each graph's nodes numbered from 0 and an
    undirected edge once; `num-node-list` and `num-edge-list` say how many belong to each graph;
    `node-feat` and `edge-feat` are features; `train`, `valid` and `test` list graph numbers.
    """
    raw = folder / "raw"
    nodes = _read_column(raw / "num-node-list.csv.gz")
    counts = _read_column(raw / "num-edge-list.csv.gz")
    local = _read_table(raw / "edge.csv.gz", np.int64, 2).T
    features = _read_table(raw / "node-feat.csv.gz", np.float32)
    edge_features = _read_table(raw / "edge-feat.csv.gz", np.float32)
    if counts.shape != nodes.shape or not (_adds_up(nodes, len(features)) and (counts >= 0).all()):
        raise InputError(
            f"{raw}: num-node-list and num-edge-list do not match; download them again"
        )
    if not _adds_up(counts, local.shape[1]) or local.shape[1] != len(edge_features):
        raise InputError(
            f"{raw}: num-edge-list does not match the number of edges; download it again"
        )
    graph_of_edge = np.repeat(np.arange(nodes.size), counts)
    if ((local < 0) | (local >= nodes[graph_of_edge])).any():
        raise InputError(f"{raw}/edge.csv.gz: an edge leads out of its graph; download it again")
    edges = local + (np.cumsum(nodes) - nodes)[graph_of_edge]
    graph_of_node = np.repeat(np.arange(nodes.size), nodes)
    try:
        arrays = collection_arrays(graph_of_node, edges, features, nodes.size)
        _, given = distinct_edges(edges, graph_of_node.size)
        arrays["edge_attr"] = compact(edge_features[given])
    except InputError as error:
        raise InputError(f"{raw}: {error}; download the files again") from error
    return arrays | {"split": _split(folder / "split" / kind, nodes.size)}


def read_graphsage(folder: Path) -> Arrays:
    """GraphSAGE's protein interactions, as downloaded by PyTorch Geometric's `PPI`.

    For each of train, valid and test: `<split>_graph.json` with the edges in `links`,
    `<split>_graph_id.npy` with the graph of each node, and `<split>_feats.npy`. Graphs are numbered
    in this order. Features are unchanged.
    """
    nodes = graphs = 0
    edges, graph_of_node, features, codes = [], [], [], []
    for code, split in enumerate(SPLIT_NAMES):
        numbers = _read_array(folder / f"{split}_graph_id.npy")
        links = _read_links(folder / f"{split}_graph.json", numbers.size)
        here = _numbered(numbers, folder / f"{split}_graph_id.npy")
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
    except (ValueError, TypeError) as error:  # of features with different shapes or types
        raise InputError(f"{folder}: {one_line(error)}; download the files again") from error
    return arrays | {"graph_split": np.concatenate(codes)}


def _numbered(graph_of_node: NDArray[Any], path: Path) -> NDArray[np.int64]:
    """The graph of every node, numbered from 0; no graph is without nodes."""
    numbers = graph_of_node
    if numbers.ndim != 1 or not numbers.size or numbers.dtype.kind not in "iu":
        raise InputError(f"{path} must hold the graph of every node")
    least = int(numbers.min())
    if int(numbers.max()) - least >= numbers.size:
        raise InputError(f"{path} numbers more graphs than there are nodes; download it again")
    counted: NDArray[np.int64] = (numbers - numbers.min()).astype(np.int64)
    return counted


def _adds_up(counts: NDArray[np.int64], total: int) -> bool:
    """Whether counts are valid and have this sum, which must not overflow."""
    return bool(((counts >= 0) & (counts <= total)).all()) and int(counts.sum()) == total


def _split(folder: Path, graphs: int) -> NDArray[np.uint8]:
    codes = np.full(graphs, len(SPLIT_NAMES), np.uint8)
    for code, split in enumerate(SPLIT_NAMES):
        numbers = _read_column(folder / f"{split}.csv.gz")
        if (numbers < 0).any() or (numbers >= graphs).any():
            raise InputError(f"{folder}/{split}.csv.gz: graphs are 0..{graphs - 1}")
        codes[numbers] = code
    return codes


def _matrix(arrays: Arrays, kind: str) -> csr_array:
    matrix = sparse_matrix(*(arrays[f"{kind}_{part}"] for part in CSR_PARTS))
    matrix.sort_indices()
    return matrix


def _largest_component(edges: NDArray[np.int64], nodes: int) -> NDArray[np.bool_]:
    ones = np.ones(edges.shape[1], bool)
    _, part = connected_components(coo_array((ones, tuple(edges)), shape=(nodes, nodes)), False)
    largest: NDArray[np.bool_] = part == np.bincount(part).argmax()
    return largest


def _numbers(labels: list[str], path: Path) -> NDArray[np.int64]:
    try:
        return np.array([int(label) for label in labels], np.int64)
    except (ValueError, OverflowError) as error:
        raise InputError(
            f"{path}: node ids must be integers, as in OSMnx ({one_line(error)})"
        ) from error


def _read_array(path: Path) -> NDArray[Any]:
    return array_from(read_bytes(path, LIMIT), str(path))


def _read_links(path: Path, nodes: int) -> NDArray[np.int64]:
    try:
        links = json.loads(read_bytes(path, LIMIT))["links"]
        ends = np.array([(link["source"], link["target"]) for link in links])
    except InputError:
        raise
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise InputError(
            f"cannot read the links in {path}: {one_line(repr(error))}; download it again"
        ) from error
    pairs = ends.astype(np.int64).T if ends.dtype.kind in "iu" else np.zeros((2, 0), np.int64)
    if len(links) != pairs.shape[1] or (len(links) and not 0 <= pairs.min() <= pairs.max() < nodes):
        raise InputError(f"{path}: every link must join two nodes of 0..{nodes - 1}")
    return pairs


def _read_table(path: Path, dtype: DTypeLike, columns: int | None = None) -> NDArray[Any]:
    """The comma-separated numbers of a file, plain or gzipped, (rows, columns); no header."""
    stream = io.BytesIO(read_bytes(path, LIMIT))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # numpy only warns about a file without numbers
            table = np.loadtxt(stream, dtype=dtype, delimiter=",", ndmin=2, comments=None)
    except (ValueError, OverflowError, UserWarning) as error:
        raise InputError(f"cannot read {path}: {one_line(error)}; download it again") from error
    if columns is not None and table.shape[1] != columns:
        raise InputError(f"{path} has {table.shape[1]} columns, not {columns}; download it again")
    return table


def _read_column(path: Path) -> NDArray[np.int64]:
    """The integers in a file, one per line."""
    column: NDArray[np.int64] = _read_table(path, np.int64, 1)[:, 0]
    return column
