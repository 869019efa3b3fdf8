"""Sparse adjacency matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse

from phil.errors import InputError
from phil.graphs.checks import Features
from phil.graphs.convert.entries import graph_of, read_costs
from phil.graphs.graph import Graph


def from_scipy(matrix: Any, features: Features | None = None) -> Graph:
    """A sparse adjacency matrix: every stored value is an edge from row to column, and its cost.

    A stored 0 is an edge that costs nothing, and an entry stored twice (in COO format) two parallel
    edges. It is undirected if the matrix is symmetric.

    >>> from scipy.sparse import coo_array
    >>> from_scipy(coo_array(([2.0, 2.0], ([0, 1], [1, 0])), shape=(3, 3)))
    Graph(nodes=3, edges=1, features=0, undirected)
    """
    if not issparse(matrix):
        raise InputError(
            f"from_scipy needs a scipy.sparse array or matrix, not a {type(matrix).__name__}; "
            "make one with scipy.sparse.csr_array"
        )
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InputError(f"an adjacency matrix is square, not of shape {matrix.shape}")
    entries = matrix.tocoo()
    source, target = entries.row.astype(np.int64), entries.col.astype(np.int64)
    costs, _ = read_costs(
        entries.data, lambda edge: f"entry ({source[edge]}, {target[edge]})", "its value"
    )
    return graph_of(matrix.shape[0], source, target, costs, features=features)
