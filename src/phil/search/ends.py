"""From the nodes of a search back to those of its user."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from phil.graphs import SearchedGraph
from phil.search.result import Result


def named(graph: SearchedGraph, result: Result) -> Result[Any]:
    """The result with the user's nodes: on graphs that are known whole those are the ids."""
    if graph.is_known:
        return result
    own: Result[Any] = result
    nodes, trace = graph.nodes, result.trace
    return replace(
        own,
        path=tuple(nodes[k] for k in result.path.tolist()),
        trace=None if trace is None else tuple(nodes[k] for k in trace.tolist()),
    )
