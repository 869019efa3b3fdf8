"""networkx: graphs as dictionaries, in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.speed.peers.peer import Built, Peer
from benchmarks.speed.peers.query import Query, edges


def _graph(query: Query) -> Any:
    import networkx

    pairs, costs = edges(query)
    graph = networkx.Graph()
    # Sides of a map may be isolated cells, which no edge names.
    graph.add_nodes_from((query.node(query.start), query.node(query.goal)))
    graph.add_weighted_edges_from(
        zip(pairs[:, 0].tolist(), pairs[:, 1].tolist(), costs.tolist(), strict=True)
    )
    return graph


def _astar(query: Query) -> Built:
    import networkx

    graph, estimate = _graph(query), query.estimate()
    start, goal = query.node(query.start), query.node(query.goal)
    return Built(
        ask=lambda: networkx.astar_path(graph, start, goal, lambda node, _: estimate(node)),
        cells=lambda path: query.cells(path),
    )


def _bidirectional(query: Query) -> Built:
    import networkx

    graph = _graph(query)
    start, goal = query.node(query.start), query.node(query.goal)

    def cells(found: tuple[float, list[int]]) -> NDArray[np.int64]:
        return query.cells(found[1])

    return Built(ask=lambda: networkx.bidirectional_dijkstra(graph, start, goal), cells=cells)


MOST_CELLS = 300_000  # a graph of a million cells would need gigabytes
PEERS = (
    Peer("networkx A*", "networkx", "networkx", "octile", _astar, most_cells=MOST_CELLS),
    Peer(
        "networkx bidirectional Dijkstra",
        "networkx",
        "networkx",
        "none",
        _bidirectional,
        most_cells=MOST_CELLS,
    ),
)
