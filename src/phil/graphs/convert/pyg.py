"""Graphs of PyTorch Geometric; torch is not needed to read their arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs.convert.entries import as_rows, features_of, graph_of, read_costs
from phil.graphs.graph import Graph


def from_pyg(data: Any) -> Graph:
    """A graph of PyTorch Geometric: a `Data`, or what has the same attributes.

    Read are `edge_index`, `x` (features), `pos` (coordinates; features too if there is no `x`),
    `edge_attr` (edge features), `edge_weight` (costs) and `num_nodes`. It is undirected if every
    edge has its reverse, with the same cost.
    """
    edge_index = _tensor(data, "edge_index")
    if edge_index is None:
        raise InputError(
            "the data has no edge_index; a HeteroData has one as data.to_homogeneous(), and an "
            "adjacency matrix goes through Graph.from_scipy"
        )
    if edge_index.ndim != 2 or edge_index.shape[0] != 2 or edge_index.dtype.kind not in "iu":
        raise InputError(
            f"edge_index must be integers of shape (2, E), not {edge_index.dtype} of shape "
            f"{edge_index.shape}"
        )
    source, target = edge_index.astype(np.int64)
    weights = _tensor(data, "edge_weight")
    costs = None
    if weights is not None:
        costs, _ = read_costs(
            weights.reshape(-1), lambda edge: f"edge_index[:, {edge}]", "its edge_weight"
        )
        if costs.size != source.size:
            raise InputError(f"edge_weight: {costs.size} given for {source.size} edges")
    columns, places = _tensor(data, "x"), _tensor(data, "pos")
    edge_features = _tensor(data, "edge_attr")
    return graph_of(
        int(data.num_nodes),
        source,
        target,
        costs,
        edge_features=None if edge_features is None else as_rows(edge_features),
        coordinates=places,
        **({"features": as_rows(columns)} if columns is not None else features_of(places)),
    )


def _tensor(data: Any, name: str) -> NDArray[Any] | None:
    """An attribute of PyTorch Geometric's data as an array, wherever the tensor is."""
    values: Any = getattr(data, name, None)
    if getattr(values, "is_sparse", False):
        values = values.to_dense()
    for step in ("detach", "cpu", "numpy"):
        if hasattr(values, step):
            values = getattr(values, step)()
    return None if values is None else np.asarray(values)
