"""PHIL's own searches."""

from __future__ import annotations

from collections.abc import Callable

import phil
from benchmarks.speed.maps import NewGrid
from benchmarks.speed.peers.peer import Built, Peer
from benchmarks.speed.peers.query import OCTILE, STRICT, Query

ASTAR = "phil A* (octile)"
GREEDY = "phil greedy (euclidean)"
LEARNED = "phil PHIL"

# Of equal keys the one nearest to the goal; the path costs at most a billionth more.
TIES_TO_GOAL = phil.Key(g=1.0, h=1.0 + 1e-9)


def _build(heuristic: str | None, key: phil.Key) -> Callable[[Query], Built]:
    def build(query: Query) -> Built:
        new = NewGrid(query.grid())
        _ = new.grid.arrays
        guide = phil.load(heuristic or query.learned)
        return Built(
            ask=lambda: phil.search(new.grid, query.start, query.goal, guide, key=key),
            cells=lambda result: query.cells(result.path),
            forget=None if heuristic else new.renew,
        )

    return build


LENGTHS = (OCTILE.name, STRICT.name)  # rules under which the straight line is a lower bound
OURS = ("phil-search", "phil")
PEERS = (
    Peer(ASTAR, *OURS, "octile", _build("octile", phil.ASTAR)),
    Peer(
        "phil A* (octile, ties to the goal)",
        *OURS,
        "octile",
        _build("octile", TIES_TO_GOAL),
        note="key g + (1 + 1e-9) h: of equal keys the one nearest to the goal",
    ),
    Peer("phil A* (euclidean)", *OURS, "euclidean", _build("euclidean", phil.ASTAR), rules=LENGTHS),
    Peer(
        GREEDY,
        *OURS,
        "euclidean",
        _build("euclidean", phil.GREEDY),
        optimal=False,
        note="greedy: not the least cost",
    ),
    Peer(
        LEARNED,
        *OURS,
        "learned",
        _build(None, phil.GREEDY),
        rules=LENGTHS,
        optimal=False,
        note="greedy: not the least cost",
    ),
)
