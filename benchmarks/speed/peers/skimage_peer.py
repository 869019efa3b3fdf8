"""scikit-image: minimum cost paths on arrays, in C."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.speed.peers.peer import Built, Peer
from benchmarks.speed.peers.query import KING, OCTILE, Query


def _minimum_cost_path(query: Query) -> Built:
    from skimage.graph import MCP, MCP_Geometric

    kind = MCP if query.rule == KING else MCP_Geometric
    paths = kind(np.where(query.free, 1.0, -1.0), fully_connected=True)

    def ask() -> Any:
        paths.find_costs([query.start], [query.goal])
        return paths.traceback(query.goal)

    def cells(path: list[tuple[int, int]]) -> NDArray[np.int64]:
        return np.array(path)

    return Built(ask=ask, cells=cells)


PEERS = (
    Peer(
        "scikit-image MCP",
        "scikit-image",
        "skimage.graph",
        "none",
        _minimum_cost_path,
        rules=(KING.name, OCTILE.name),
        note="MCP_Geometric; MCP where a diagonal move costs 1",
    ),
)
