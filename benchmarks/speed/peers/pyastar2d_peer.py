"""pyastar2d: A* on arrays, in C++."""

from __future__ import annotations

import numpy as np

from benchmarks.speed.peers.peer import Built, Peer
from benchmarks.speed.peers.query import KING, Query


def _astar(query: Query) -> Built:
    import pyastar2d

    weights = np.where(query.free, 1.0, np.inf).astype(np.float32)
    return Built(
        ask=lambda: pyastar2d.astar_path(weights, query.start, query.goal, allow_diagonal=True),
        cells=lambda path: path.astype(np.int64),
    )


PEERS = (
    Peer(
        "pyastar2d",
        "pyastar2d",
        "pyastar2d",
        "octile",
        _astar,
        rules=(KING.name,),
        note="its diagonal moves cost 1; its heuristic is the Chebyshev distance, octile there",
    ),
)
