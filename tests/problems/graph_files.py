"""Small files in the layouts of the public graphs, for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np


def save(path: Path, **arrays: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, allow_pickle=False, **arrays)
    return path


def citation_arrays(columns: int = 200) -> dict[str, Any]:
    """Six papers in a line and one alone; paper k uses the words k and 150."""
    return {
        "edge_index": np.array([[0, 1, 2, 3, 4], [1, 2, 3, 4, 5]], np.int32),
        "num_nodes": np.int32(7),
        "x_indptr": np.arange(0, 16, 2, dtype=np.int32),
        "x_indices": np.array([(k, 150) for k in range(7)], np.int16).ravel(),
        "x_shape": np.array([7, columns], np.int32),
    }


def biology_arrays(graphs: int = 20, **more: Any) -> dict[str, Any]:
    """Rings of 3, 4, 5, ... nodes; graph 0 is three nodes without edges but a self-loop."""
    sizes = 3 + np.arange(graphs)
    first = np.concatenate([[0], np.cumsum(sizes)])
    edges = [
        (int(first[g]) + k, int(first[g]) + (k + 1) % int(size))
        for g, size in enumerate(sizes)
        for k in range(size)
        if g > 0
    ]
    edges.insert(0, (0, 0))
    counts = np.where(np.arange(graphs) > 0, sizes, 1)
    return {
        "edge_index": np.sort(np.array(edges, np.int32).T, axis=0),
        "edge_ptr": np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
        "ptr": first.astype(np.int32),
        "x": np.arange(2 * first[-1], dtype=np.float32).reshape(-1, 2),
    } | more


def road_arrays(**more: Any) -> dict[str, Any]:
    """A square of about 111 m at the equator, with one diagonal."""
    return {
        "coords": np.array([(0.0, 0.0), (0.001, 0.0), (0.001, 0.001), (0.0, 0.001)]),
        "crs": np.array("lon,lat degrees"),
        "name": np.array("square"),
        "edge_index": np.array([[0, 1, 2, 0, 0], [1, 2, 3, 3, 2]], np.int32),
        "edge_length": np.array([112, 112, 112, 112, 158], np.float32),
    } | more
