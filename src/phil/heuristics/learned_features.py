"""Giving a graph the features that a heuristic was learned with."""

from __future__ import annotations

from phil.errors import InputError
from phil.graphs import SearchedGraph
from phil.graphs.features import add_features
from phil.heuristics.file import Metadata


def with_learned_features(graph: SearchedGraph, metadata: Metadata, name: str) -> SearchedGraph:
    """The graph with what was added to the features of those that the heuristic learned on.

    It has the same nodes and edges, so a guide may work on it while the search runs on the other.
    """
    if not metadata.added_features:
        return graph
    if not graph.is_known or graph.is_grid:
        raise InputError(
            f"{name} was learned with the features '{metadata.added_features}', which are computed "
            "for a whole Graph before a search; this graph is of another kind"
        )
    if graph.feature_names == metadata.feature_names:
        return graph
    return add_features(graph, metadata.added_features)
