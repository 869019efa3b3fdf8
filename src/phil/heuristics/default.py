"""The heuristics of a search for which none is named."""

from __future__ import annotations

from functools import cache

from phil.errors import InputError
from phil.graphs import SearchedGraph
from phil.heuristics.classical import euclidean
from phil.heuristics.registry import load_heuristic, shipped_names
from phil.search.guide import Heuristic, guided

# Trained for any start and goal, unlike the other shipped ones; the first that fits is used.
FOR_ANY_PROBLEM = ("phil:map", "phil:voxels")
FALLBACK = euclidean


def best_shipped(graph: SearchedGraph, start: int, goal: int) -> str | None:
    """The shipped heuristic to use on a graph for any start and goal; None if none fits.

    >>> from phil.graphs import Graph
    >>> print(best_shipped(Graph.from_edges(2, [(0, 1)]), 0, 1))
    None
    """
    if graph.is_grid:
        for heuristic in _shipped_for_any_problem():
            try:
                with guided(heuristic, graph, start, goal):
                    return heuristic.name
            except InputError:
                continue
    return None


def default_heuristics(graph: SearchedGraph, start: int, goal: int) -> tuple[Heuristic, ...]:
    """The heuristic to hedge and its fallback; the fallback alone if no shipped one fits."""
    name = best_shipped(graph, start, goal)
    return (FALLBACK,) if name is None else (load_heuristic(name), FALLBACK)


@cache
def _shipped_for_any_problem() -> tuple[Heuristic, ...]:
    shipped = shipped_names()
    return tuple(load_heuristic(name) for name in FOR_ANY_PROBLEM if name in shipped)
