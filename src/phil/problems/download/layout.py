"""Building and writing arrays in the layouts of `citations`, `biology` and `roads`."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from phil.errors import InputError
from phil.files import write_atomic
from phil.problems.data_files import Arrays


def distinct_edges(edges: ArrayLike, num_nodes: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Undirected edges (2, E), sorted, each once with its smaller end first, without self-loops.

    Also returns, for each, the index of the first given edge that it represents.

    >>> distinct_edges([[2, 0, 1, 1], [1, 0, 2, 0]], 3)[0].tolist()
    [[0, 1], [1, 2]]
    """
    ends = np.sort(np.asarray(edges, np.int64).reshape(2, -1), axis=0)
    if ends.size and (ends[0].min() < 0 or ends[1].max() >= num_nodes):
        raise InputError(f"an edge names a node that is not in 0..{num_nodes - 1}")
    given = np.flatnonzero(ends[0] != ends[1])
    _, first = np.unique(ends[0, given] * num_nodes + ends[1, given], return_index=True)
    return ends[:, given[first]], given[first]


def network_arrays(edges: ArrayLike, features: csr_array) -> Arrays:
    """One graph with sparse features, in the layout of `citations`."""
    nodes, columns = features.shape
    return {
        "edge_index": distinct_edges(edges, nodes)[0].astype(np.int32),
        "num_nodes": np.array(nodes, np.int32),
        "x_indptr": features.indptr.astype(np.int64),
        "x_indices": features.indices.astype(np.int32),
        "x_shape": np.array([nodes, columns], np.int32),
        "x_data": compact(features.data),
    }


def collection_arrays(
    graph_of_node: NDArray[np.int64], edges: ArrayLike, features: NDArray[Any], graphs: int
) -> Arrays:
    """Many graphs, in the layout of `biology`; nodes are numbered graph after graph."""
    if not graph_of_node.size or not 0 <= graph_of_node.min() <= graph_of_node.max() < graphs:
        raise InputError(f"every node must be in one of the graphs 0..{graphs - 1}")
    if (np.diff(graph_of_node) < 0).any():
        raise InputError("the nodes of a graph are not consecutive")
    if features.ndim != 2 or len(features) != graph_of_node.size:
        raise InputError(f"features of shape {features.shape} for {graph_of_node.size} nodes")
    first = np.searchsorted(graph_of_node, np.arange(graphs + 1))
    once, _ = distinct_edges(edges, graph_of_node.size)
    if not np.array_equal(graph_of_node[once[0]], graph_of_node[once[1]]):
        raise InputError("an edge joins two graphs")
    return {
        "edge_index": once.astype(np.int32),
        "edge_ptr": np.searchsorted(once[0], first).astype(np.int64),
        "ptr": first.astype(np.int64),
        "x": compact(features),
    }


def compact(values: NDArray[Any]) -> NDArray[Any]:
    """The values as uint8 if they are small integers, else as float32."""
    if values.dtype.kind not in "biuf":
        raise InputError(f"features must be numbers, not {values.dtype}")
    if values.size and values.min() >= 0 and values.max() <= 255:
        whole = values.astype(np.uint8)
        if np.array_equal(whole, values):
            return whole
    with np.errstate(over="ignore"):
        narrow = values.astype(np.float32)
    if not np.isfinite(narrow).all():
        raise InputError("features must be finite")
    return narrow


def write_arrays(path: Path, arrays: Arrays) -> None:
    """Write an .npz file atomically."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write to {path.parent}: {error.strerror or error}") from error
    write_atomic(path, buffer.getvalue())
