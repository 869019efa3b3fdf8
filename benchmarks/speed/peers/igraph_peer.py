"""igraph: graphs in C, estimates by calls of Python."""

from __future__ import annotations

from typing import Any

from benchmarks.speed.peers.peer import Built, Peer
from benchmarks.speed.peers.query import Query, edges

# igraph 1.0.0 crashes where a sum is rounded so that an estimate falls by more than a move costs.
BELOW = 1 - 1e-6


def _graph(query: Query) -> Any:
    import igraph

    pairs, costs = edges(query)
    graph = igraph.Graph(n=query.free.size, edges=pairs)
    graph.es["weight"] = costs
    return graph


def _astar(query: Query) -> Built:
    graph, estimate = _graph(query), query.estimate()
    start, goal = query.node(query.start), query.node(query.goal)
    return Built(
        ask=lambda: graph.get_shortest_path_astar(
            start, goal, lambda _, node, __: BELOW * estimate(node), weights="weight"
        ),
        cells=lambda path: query.cells(path),
    )


def _dijkstra(query: Query) -> Built:
    graph = _graph(query)
    start, goal = query.node(query.start), query.node(query.goal)
    return Built(
        ask=lambda: graph.get_shortest_path(start, goal, weights="weight", algorithm="dijkstra"),
        cells=lambda path: query.cells(path),
    )


PEERS = (
    Peer("igraph A*", "igraph", "igraph", "octile", _astar),
    Peer("igraph Dijkstra", "igraph", "igraph", "none", _dijkstra),
)
