"""The methods whose growth is measured."""

from __future__ import annotations

import phil
from phil.search.guide import Heuristic

# Reached by PHIL alone, whose heuristic was learned on other maps.
LIMITS = phil.Limits(expansions=2000)


LEARNED = "PHIL"
Method = tuple[Heuristic, phil.Key]


def methods() -> dict[str, Method]:
    """The methods by name."""
    euclidean = phil.load("euclidean")
    return {
        "A*": (euclidean, phil.ASTAR),
        "greedy": (euclidean, phil.GREEDY),
        LEARNED: (phil.load("phil:forest"), phil.GREEDY),
    }
