"""A search for which no heuristic is named.

The heuristics are chosen in a higher layer, which is imported on first use.
"""

from __future__ import annotations

from importlib import import_module

from phil.graphs import SearchedGraph
from phil.search.best_first import BestFirst
from phil.search.guide import Heuristic
from phil.search.hedge import HedgedSearch
from phil.search.result import Limits, Result
from phil.search.state import GREEDY

CHOICE = "phil.heuristics.default"


def search_by_default(
    graph: SearchedGraph, start: int, goal: int, limits: Limits, *, trace: bool
) -> Result:
    """Hedged search with the best shipped heuristic; if none fits, greedy search."""
    guides = import_module(CHOICE).default_heuristics(graph, start, goal)
    if len(guides) == 2:
        with HedgedSearch(graph, start, goal, *guides, limits=limits, trace=trace) as hedged:
            return hedged.result()
    with BestFirst(graph, start, goal, *guides, key=GREEDY, limits=limits, trace=trace) as plain:
        return plain.result(plain.run())


def default_fallback() -> Heuristic:
    """The heuristic of a search with another key or a bound."""
    fallback: Heuristic = import_module(CHOICE).FALLBACK
    return fallback
