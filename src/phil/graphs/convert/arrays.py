"""Graphs from arrays: PyTorch Geometric data (PyTorch is not imported) and sparse matrices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError, quoted, shortened
from phil.graphs.checks import MOST_WEIGHT, Features, is_sparse
from phil.graphs.features.coordinates import project
from phil.graphs.graph import FeatureGroup, Graph
from phil.graphs.symmetry import is_symmetric


def from_pyg(data: Any) -> Graph:
    """Convert a PyTorch Geometric graph.

    Parameters
    ----------
    data : torch_geometric.data.Data
        Or any object with the same attributes: `edge_index`, `x` (features), `pos` (coordinates;
        also the features if there is no `x`), `edge_attr` (edge features), `edge_weight` and
        `num_nodes`.

    Returns
    -------
    Graph
        Undirected if every edge has a reverse edge of the same weight.

    Raises
    ------
    InputError
        If there is no `edge_index`, or if the shapes of the tensors do not match.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from_pyg(SimpleNamespace(edge_index=np.array([[0, 1], [1, 0]]), num_nodes=2))
    Graph(nodes=2, edges=1, features=0, undirected)
    """
    edge_index = _tensor(data, "edge_index")
    if edge_index is None:
        raise InputError(
            "the data has no edge_index; convert HeteroData with data.to_homogeneous() first, and "
            "pass an adjacency matrix to Graph.from_scipy"
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
    """An attribute as an array, whatever device its tensor is on."""
    values: Any = getattr(data, name, None)
    if getattr(values, "is_sparse", False):
        values = values.to_dense()
    for step in ("detach", "cpu", "numpy"):
        if hasattr(values, step):
            values = getattr(values, step)()
    return None if values is None else np.asarray(values)


def from_scipy(matrix: Any, features: Features | None = None) -> Graph:
    """Convert a sparse adjacency matrix.

    Parameters
    ----------
    matrix : scipy sparse array or matrix
        Every stored entry is an edge from its row to its column, with the value as weight. A stored
        0 is an edge of weight 0; an entry stored twice (in COO format) is two parallel edges.
    features : array_like or sparse matrix, optional
        One row of numbers per node.

    Returns
    -------
    Graph
        Undirected if the matrix is symmetric.

    Raises
    ------
    InputError
        If the matrix is not sparse or not square, or if a value is negative or not finite.

    Examples
    --------
    >>> from scipy.sparse import coo_array
    >>> from_scipy(coo_array(([2.0, 2.0], ([0, 1], [1, 0])), shape=(3, 3)))
    Graph(nodes=3, edges=1, features=0, undirected)
    """
    if not is_sparse(matrix):
        raise InputError(
            f"from_scipy needs a scipy.sparse array or matrix, not a {type(matrix).__name__}; "
            "make one with scipy.sparse.csr_array"
        )
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InputError(f"an adjacency matrix must be square, not of shape {matrix.shape}")
    entries = matrix.tocoo()
    source, target = entries.row.astype(np.int64), entries.col.astype(np.int64)
    costs, _ = read_costs(
        entries.data, lambda edge: f"entry ({source[edge]}, {target[edge]})", "its value"
    )
    return graph_of(matrix.shape[0], source, target, costs, features=features)


def graph_of(
    num_nodes: int,
    source: NDArray[np.int64],
    target: NDArray[np.int64],
    costs: NDArray[np.float64] | None,
    *,
    directed: bool | None = None,
    edge_features: NDArray[Any] | None = None,
    **described: Any,
) -> Graph:
    """Build a graph from directed edges; by default undirected if every edge has its reverse."""
    if num_nodes < 1:
        raise InputError("a graph needs at least one node")
    outside = (source < 0) | (source >= num_nodes)
    if outside.any():
        edge = int(np.argmax(outside))
        raise InputError(f"edge {edge} starts at {source[edge]}: ids must be in 0..{num_nodes - 1}")
    if edge_features is not None and len(edge_features) != source.size:
        raise InputError(f"edge features: {len(edge_features)} given for {source.size} edges")
    if costs is not None and (costs == 1).all():
        costs = None
    if directed is None:
        directed = not is_symmetric(source, target, *([] if costs is None else [costs]))
    order = np.argsort(source, kind="stable")
    return Graph(
        np.concatenate([[0], np.cumsum(np.bincount(source, minlength=num_nodes))]),
        target[order],
        weights=None if costs is None else costs[order],
        edge_features=None if edge_features is None else edge_features[order],
        directed=directed,
        **described,
    )


def read_costs(
    values: Sequence[Any] | NDArray[Any], edge: Callable[[int], str], what: str
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Edge costs, and a mask of the edges that exist (a cost of None means no edge)."""
    try:
        array = np.asarray(values)
    except ValueError:  # sequences of different lengths
        array = np.empty(len(values), object)
        array[:] = values
    there = np.ones(len(array), bool)
    if array.ndim == 1 and array.dtype.kind in "biuf":
        costs = array.astype(np.float64)
    else:
        costs = np.zeros(len(array))
        for number, value in enumerate(values):
            if value is None:
                there[number] = False
                continue
            try:
                if isinstance(value, str | bytes | complex):  # float() would accept some of them
                    raise TypeError
                costs[number] = float(value)
            except (TypeError, ValueError, OverflowError):
                raise _no_number(f"{edge(number)}: {what}", value) from None
    bad = ~((costs >= 0) & (costs <= MOST_WEIGHT))
    if bad.any():
        number = int(np.argmax(bad))
        raise InputError(
            f"{edge(number)}: {what} is {values[number]}; costs must be finite and non-negative, "
            f"and at most {MOST_WEIGHT:g}"
        )
    return costs, there


def _no_number(which: str, value: Any) -> InputError:
    if isinstance(value, str) and value.replace(".", "", 1).isdigit():
        return InputError(
            f"{which} is the text {shortened(value)}, not a number; read files of OSMnx, which "
            "hold text, with osmnx.load_graphml or phil.read_graph"
        )
    return InputError(f"{which} is {quoted(value)}, not a number")


def as_rows(array: NDArray[Any]) -> NDArray[Any]:
    """A 1D array as a single column; a 2D array unchanged."""
    return array[:, None] if array.ndim == 1 else array


def features_of(places: NDArray[Any] | None, geographic: bool = False) -> dict[str, Any]:
    """Coordinates as features, for graphs without features."""
    if places is None or places.ndim != 2:
        return {}
    width = places.shape[1]
    return {
        "features": project(places, geographic=True) if geographic else places,
        "feature_names": tuple("xyz"[:width]),
        "feature_groups": [FeatureGroup("coordinates", width, alike=True)],
    }
