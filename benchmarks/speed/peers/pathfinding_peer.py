"""pathfinding: A* on grids, in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.speed.peers.peer import Built, Peer
from benchmarks.speed.peers.query import OCTILE, STRICT, Query


def _astar(query: Query) -> Built:
    from pathfinding.core.diagonal_movement import DiagonalMovement
    from pathfinding.core.grid import Grid
    from pathfinding.finder.a_star import AStarFinder

    strict = query.rule == STRICT
    moves = DiagonalMovement.only_when_no_obstacle if strict else DiagonalMovement.always
    finder = AStarFinder(diagonal_movement=moves)
    grid = Grid(matrix=query.free.astype(int).tolist())
    start, goal = (grid.node(column, row) for row, column in (query.start, query.goal))

    def cells(found: tuple[list[Any], int]) -> NDArray[np.int64]:
        return np.array([(node.y, node.x) for node in found[0]])

    return Built(ask=lambda: finder.find_path(start, goal, grid), cells=cells)


PEERS = (
    Peer(
        "pathfinding A*",
        "pathfinding",
        "pathfinding",
        "octile",
        _astar,
        rules=(OCTILE.name, STRICT.name),
        most_cells=300_000,
    ),
)
