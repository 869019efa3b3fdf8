"""python-tcod: libtcod's searches on arrays, in C."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.speed.peers.peer import Built, Peer
from benchmarks.speed.peers.query import KING, OCTILE, Query

# Costs are whole numbers; 99 / 70 is the square root of 2 up to 5e-5.
STRAIGHT, DIAGONAL = 70, 99


def _pathfinder(query: Query) -> Built:
    import tcod.path

    finder = tcod.path.Pathfinder(_graph(query))

    def ask() -> Any:
        finder.clear()
        finder.add_root(query.start)
        return finder.path_to(query.goal)

    return Built(ask=ask, cells=lambda path: path.astype(np.int64))


def _graph(query: Query) -> Any:
    import tcod.path

    cost = query.free.astype(np.int8)
    straight, diagonal = (1, 1) if query.rule == KING else (STRAIGHT, DIAGONAL)
    if query.rule.corners == "allow":
        return tcod.path.SimpleGraph(cost=cost, cardinal=straight, diagonal=diagonal)
    graph = tcod.path.CustomGraph(query.shape)
    graph.add_edges(
        edge_map=[[0, straight, 0], [straight, 0, straight], [0, straight, 0]], cost=cost
    )
    for down in (-1, 1):
        for right in (-1, 1):
            both = _moved(query.free, down, 0) & _moved(query.free, 0, right)
            graph.add_edge((down, right), diagonal, cost=cost, condition=both.astype(np.int8))
    graph.set_heuristic(cardinal=straight, diagonal=diagonal)
    return graph


def _moved(free: NDArray[np.bool_], down: int, right: int) -> NDArray[np.bool_]:
    """Whether the cell one step away is free, by cell."""
    padded = np.pad(free, 1)
    rows, columns = free.shape
    return padded[1 + down : 1 + down + rows, 1 + right : 1 + right + columns]


def _astar(query: Query) -> Built:
    import tcod.path

    finder = tcod.path.AStar(query.free.astype(np.int8), diagonal=query.rule.diagonal)
    return Built(
        ask=lambda: finder.get_path(*query.start, *query.goal),
        cells=lambda path: np.array([query.start, *path]),
    )


PEERS = (
    Peer("tcod Pathfinder", "tcod", "tcod.path", "octile", _pathfinder),
    Peer(
        "tcod AStar",
        "tcod",
        "tcod.path",
        "euclidean",
        _astar,
        rules=(OCTILE.name,),
        optimal=False,
        note="ends as soon as it sees the goal: not always the least cost",
    ),
)
