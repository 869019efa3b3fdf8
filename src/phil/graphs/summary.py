"""What can be told of a graph in a few numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from phil.graphs import AnyGraph
from phil.graphs.distances import components, diameter_estimate
from phil.graphs.graph import Graph
from phil.graphs.grid import GridGraph

FEW = 20  # names that are told one by one


def graph_summary(graph: AnyGraph) -> dict[str, Any]:
    """Sizes, weights, features, coordinates and components, fit for JSON.

    >>> summary = graph_summary(Graph.from_edges(4, [(0, 0), (0, 1), (0, 1)], weights=[1, 2, 4]))
    >>> summary["self_loops"], summary["parallel_edges"], summary["components"]
    (1, 1, 3)
    """
    own = _map_summary(graph) if isinstance(graph, GridGraph) else _graph_summary(graph)
    number = _component_numbers(graph)
    sizes = np.bincount(number[number >= 0], minlength=1)
    found: dict[str, Any] = {
        "components": int(np.count_nonzero(sizes)),
        "largest_component": int(sizes.max()),
    }
    if not graph.directed and number.max(initial=-1) >= 0:
        inside = int(np.argmax(number == np.argmax(sizes)))
        found["diameter_at_least"] = diameter_estimate(graph, inside)
    return {**own, **found}


def _map_summary(grid: GridGraph) -> dict[str, Any]:
    return {
        "kind": f"{len(grid.shape)}D map",
        "size": " x ".join(map(str, grid.shape)),
        "cells": grid.size,
        "free": grid.num_nodes,
        "connectivity": grid.connectivity,
        "corners": grid.corners,
    }


def _graph_summary(graph: Graph) -> dict[str, Any]:
    source = np.repeat(np.arange(graph.num_nodes), np.diff(graph.indptr))
    # An undirected edge stands at both ends, and a loop once.
    once = np.ones(source.size, bool) if graph.directed else source <= graph.indices
    left, right = source[once], graph.indices[once]
    distinct = np.unique(left * graph.num_nodes + right).size
    return {
        "kind": "directed graph" if graph.directed else "undirected graph",
        "nodes": graph.num_nodes,
        "edges": left.size,
        "mean_degree": graph.indices.size / graph.num_nodes,
        "self_loops": int(np.count_nonzero(left == right)),
        "parallel_edges": left.size - distinct,
        "weights": None if graph.weights is None else _spread(graph.weights),
        "labels": None if graph.labels is None else [*graph.labels[:3], "..."][: graph.num_nodes],
        "coordinates": _places(graph),
        "features": graph.features.shape[1],
        "feature_groups": {group.name: group.size for group in graph.feature_groups},
        "feature_names": list(graph.feature_names) if len(graph.feature_names) <= FEW else None,
        "edge_features": graph.edge_features.shape[1],
    }


def _spread(values: NDArray[np.float64]) -> dict[str, float] | None:
    if not values.size:
        return None
    return {
        "least": float(values.min()),
        "mean": float(values.mean()),
        "largest": float(values.max()),
    }


def _places(graph: Graph) -> dict[str, Any] | None:
    if graph.coordinates is None:
        return None
    names = ("longitude", "latitude", "z") if graph.geographic else ("x", "y", "z")
    ends = zip(graph.coordinates.min(axis=0), graph.coordinates.max(axis=0), strict=True)
    return {name: [float(low), float(high)] for name, (low, high) in zip(names, ends, strict=False)}


def _component_numbers(graph: AnyGraph) -> NDArray[np.int32]:
    """Of a directed graph: which nodes reach each other."""
    if not graph.directed:
        return components(graph)
    assert isinstance(graph, Graph), "grids have no direction"
    ones = np.ones(graph.indices.size, np.int8)
    matrix = csr_array((ones, graph.indices, graph.indptr), shape=(graph.num_nodes,) * 2)
    numbers: NDArray[np.int32] = connected_components(matrix, connection="strong")[1]
    return numbers
