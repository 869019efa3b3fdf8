"""scipy.sparse.csgraph: Dijkstra's algorithm in C, to all nodes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from benchmarks.speed.peers.peer import Built, Peer
from benchmarks.speed.peers.query import Query, edges


def _dijkstra(query: Query) -> Built:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    pairs, costs = edges(query)
    both = np.concatenate([pairs, pairs[:, ::-1]])
    size = query.free.size
    matrix = csr_array((np.tile(costs, 2), (both[:, 0], both[:, 1])), shape=(size, size))
    start, goal = query.node(query.start), query.node(query.goal)

    def cells(found: tuple[NDArray[np.float64], NDArray[np.int32]]) -> NDArray[np.int64]:
        path = [goal]
        while path[-1] != start:
            path.append(int(found[1][path[-1]]))
        return query.cells(path[::-1])

    return Built(ask=lambda: dijkstra(matrix, indices=start, return_predecessors=True), cells=cells)


PEERS = (
    Peer(
        "scipy Dijkstra",
        "scipy",
        "scipy.sparse.csgraph",
        "none",
        _dijkstra,
        note="finds the ways to all nodes: it knows no goal",
    ),
)
