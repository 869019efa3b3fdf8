"""rustworkx: graphs in Rust, costs and estimates by calls of Python."""

from __future__ import annotations

from typing import Any

from benchmarks.speed.peers.peer import Built, Peer
from benchmarks.speed.peers.query import Query, edges


def _graph(query: Query) -> Any:
    import rustworkx

    pairs, costs = edges(query)
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(query.free.size))
    graph.add_edges_from(
        list(zip(pairs[:, 0].tolist(), pairs[:, 1].tolist(), costs.tolist(), strict=True))
    )
    return graph


def _astar(query: Query) -> Built:
    import rustworkx

    graph, estimate = _graph(query), query.estimate()
    start, goal = query.node(query.start), query.node(query.goal)
    return Built(
        ask=lambda: rustworkx.astar_shortest_path(graph, start, goal.__eq__, float, estimate),
        cells=lambda path: query.cells(path),
    )


def _dijkstra(query: Query) -> Built:
    import rustworkx

    graph = _graph(query)
    start, goal = query.node(query.start), query.node(query.goal)
    return Built(
        ask=lambda: rustworkx.dijkstra_shortest_paths(graph, start, goal, weight_fn=float),
        cells=lambda paths: query.cells(paths[goal]),
    )


PEERS = (
    Peer("rustworkx A*", "rustworkx", "rustworkx", "octile", _astar),
    Peer("rustworkx Dijkstra", "rustworkx", "rustworkx", "none", _dijkstra),
)
