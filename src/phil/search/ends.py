"""From a user's graph and nodes to those of a search, and back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from phil.errors import InputError
from phil.graphs import AnyGraph, Discovery, Graph, ImplicitGraph, SearchedGraph
from phil.search.result import Result


def ends(
    graph: AnyGraph | ImplicitGraph[Any], start: Any, goal: Any
) -> tuple[SearchedGraph, int, int]:
    """The graph that a search works on, and the ids of start and goal there."""
    if isinstance(graph, ImplicitGraph):
        discovery = graph.discover(start, goal)
        return discovery, discovery.start, discovery.goal
    source = graph.check_node(_id(graph, start), "start")
    return graph, source, graph.check_node(_id(graph, goal), "goal")


def named(graph: SearchedGraph, result: Result) -> Result[Any]:
    """The result with the user's nodes: on graphs that are known whole those are the ids."""
    if not isinstance(graph, Discovery):
        return result
    own: Result[Any] = result
    nodes, trace = graph.nodes, result.trace
    return replace(
        own,
        path=tuple(nodes[k] for k in result.path.tolist()),
        trace=None if trace is None else tuple(nodes[k] for k in trace.tolist()),
    )


def _id(graph: AnyGraph, node: int | tuple[int, ...]) -> int:
    if not isinstance(node, tuple):
        return int(node)
    if isinstance(graph, Graph):
        raise InputError(f"{node}: a cell names a node of a grid only; give a node id")
    return graph.node(*node)
