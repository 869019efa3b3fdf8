"""The co-author networks of shchur/gnn-benchmark: .npz files with an adjacency and an attribute
matrix as CSR parts, `adj_*` and `attr_*` (as PyTorch Geometric's `Coauthor` fetches them).

The attributes are counts; PyTorch Geometric sets them to 1, we do not.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.sparse import csr_array

from phil.errors import InputError
from phil.problems.archive import Arrays, read_arrays
from phil.problems.sources.layout import network_arrays

PARTS = ("data", "indices", "indptr", "shape")


def read_gnn_benchmark(path: Path) -> Arrays:
    """A network in our layout."""
    arrays = read_arrays(path, [f"{kind}_{part}" for kind in ("adj", "attr") for part in PARTS])
    try:
        adjacency, attributes = (_matrix(arrays, kind) for kind in ("adj", "attr"))
        if adjacency.shape != (attributes.shape[0],) * 2:
            raise InputError(f"{adjacency.shape} edges, {attributes.shape[0]} rows of attributes")
        return network_arrays(np.stack(adjacency.nonzero()), attributes)
    except (ValueError, TypeError) as error:
        raise InputError(f"{path}: {error}; fetch the file again") from error


def _matrix(arrays: Arrays, kind: str) -> csr_array:
    data, indices, indptr, shape = (arrays[f"{kind}_{part}"] for part in PARTS)
    matrix = csr_array((data, indices, indptr), shape=tuple(shape.tolist()))
    matrix.check_format(full_check=True)
    matrix.sort_indices()
    return matrix
