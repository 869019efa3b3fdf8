"""A summary of a graph: size, weights, features, components and diameter."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.graphs import AnyGraph
from phil.graphs.distances import components, diameter_estimate, directed_components
from phil.graphs.graph import Graph

MOST_NAMES = 20  # feature names listed


def summarise(graph: AnyGraph) -> dict[str, Any]:
    """Summarise a graph or map as plain values; the diameter is an estimate, in moves.

    The components of a directed graph are the strongly connected ones.

    >>> summarise(Graph.from_edges(4, [(0, 1), (1, 2)], weights=[2.0, 4.0]))["weights"]
    {'least': 2.0, 'mean': 3.0, 'largest': 4.0}
    """
    if not graph.is_grid:
        return {**_graph(graph), **_connections(graph)}
    return {
        "kind": "map",
        "shape": list(graph.shape),
        "nodes": graph.num_nodes,
        "connectivity": graph.connectivity,
        "corners": graph.corners,
        **_connections(graph),
    }


def _graph(graph: Graph) -> dict[str, Any]:
    names = list(graph.feature_names)
    return {
        "kind": "graph",
        "nodes": graph.num_nodes,
        "edges": graph.num_edges,
        "directed": graph.directed,
        "self_loops": graph.num_self_loops,
        "degree": _spread(np.diff(graph.indptr)),
        "weights": None
        if graph.weights is None or not graph.weights.size
        else _spread(graph.weights),
        "features": len(names),
        "feature_names": names if len(names) <= MOST_NAMES else [*names[:MOST_NAMES], "..."],
        "edge_features": graph.edge_features.shape[1],
        "labels": None if graph.labels is None else f"{graph.label(0)!r}, ...",
        "coordinates": _places(graph),
    }


def _places(graph: Graph) -> dict[str, Any] | None:
    if graph.coordinates is None:
        return None
    return {
        "dimensions": graph.coordinates.shape[1],
        "geographic": graph.geographic,
        "least": graph.coordinates.min(axis=0).tolist(),
        "largest": graph.coordinates.max(axis=0).tolist(),
    }


def _spread(values: NDArray[Any]) -> dict[str, float]:
    return {
        "least": values.min().item(),
        "mean": float(values.mean()),
        "largest": values.max().item(),
    }


def _connections(graph: AnyGraph) -> dict[str, Any]:
    number = directed_components(graph, "strong") if graph.directed else components(graph)
    sizes = np.bincount(number[number >= 0])
    if not sizes.size:  # a map without a free cell
        return {"components": 0, "largest_component": 0, "diameter_estimate": None}
    largest = int(np.argmax(sizes))
    inside = int(np.argmax(number == largest))
    return {
        "strongly_connected_components" if graph.directed else "components": sizes.size,
        "largest_component": int(sizes[largest]),
        "diameter_estimate": diameter_estimate(graph, inside),
    }
