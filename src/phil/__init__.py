"""PHIL: learn search heuristics from example graphs, and search with them.

The public API is `__all__` and the modules documented in docs/api. To keep `import phil` fast, a
name is imported on first use: a new one is added to the imports for type checkers, to `__all__` and
to `_HOMES`.

>>> import phil
>>> grid = phil.GridGraph([[True, True, True], [True, False, True], [True, True, True]])
>>> phil.search(grid, (2, 0), (0, 2), phil.load("euclidean")).expansions
4
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from phil import networkx
    from phil.errors import InputError
    from phil.evaluation import evaluate
    from phil.graphs import Graph, GridGraph, ImplicitGraph
    from phil.graphs.distances import oracle_distances
    from phil.graphs.features import add_features
    from phil.graphs.formats import Format, read_graph, read_map, register_format, write_graph
    from phil.heuristics.phil import PhilHeuristic
    from phil.heuristics.registry import load_heuristic as load
    from phil.heuristics.registry import register_heuristic
    from phil.learning import train
    from phil.problems import Domain, Problem, ProblemSet, open_set, register_problem_set, write_set
    from phil.search import (
        ASTAR,
        BFS,
        GREEDY,
        Key,
        Limits,
        Outcome,
        Result,
        anytime,
        search,
        search_bidirectional,
        search_hedge,
        search_many,
        search_mha,
        search_stream,
        smooth,
    )
    from phil.search.registry import register_search
    from phil.view import plot
    from phil.workers import Workers, open_workers

    __version__: str

__all__ = [
    "ASTAR",
    "BFS",
    "GREEDY",
    "Domain",
    "Format",
    "Graph",
    "GridGraph",
    "ImplicitGraph",
    "InputError",
    "Key",
    "Limits",
    "Outcome",
    "PhilHeuristic",
    "Problem",
    "ProblemSet",
    "Result",
    "Workers",
    "add_features",
    "anytime",
    "evaluate",
    "load",
    "networkx",
    "open_set",
    "open_workers",
    "oracle_distances",
    "plot",
    "read_graph",
    "read_map",
    "register_format",
    "register_heuristic",
    "register_problem_set",
    "register_search",
    "search",
    "search_bidirectional",
    "search_hedge",
    "search_many",
    "search_mha",
    "search_stream",
    "smooth",
    "train",
    "write_graph",
    "write_set",
]

# The module that each public name is imported from on first use.
_HOMES = {
    "ASTAR": "phil.search",
    "BFS": "phil.search",
    "GREEDY": "phil.search",
    "Domain": "phil.problems",
    "Format": "phil.graphs.formats",
    "Graph": "phil.graphs",
    "GridGraph": "phil.graphs",
    "ImplicitGraph": "phil.graphs",
    "InputError": "phil.errors",
    "Key": "phil.search",
    "Limits": "phil.search",
    "Outcome": "phil.search",
    "PhilHeuristic": "phil.heuristics.phil",
    "Problem": "phil.problems",
    "ProblemSet": "phil.problems",
    "Result": "phil.search",
    "Workers": "phil.workers",
    "add_features": "phil.graphs.features",
    "anytime": "phil.search",
    "evaluate": "phil.evaluation",
    "load": "phil.heuristics.registry:load_heuristic",
    "open_set": "phil.problems",
    "open_workers": "phil.workers",
    "oracle_distances": "phil.graphs.distances",
    "plot": "phil.view",
    "read_graph": "phil.graphs.formats",
    "read_map": "phil.graphs.formats",
    "register_format": "phil.graphs.formats",
    "register_heuristic": "phil.heuristics.registry",
    "register_problem_set": "phil.problems",
    "register_search": "phil.search.registry",
    "search": "phil.search",
    "search_bidirectional": "phil.search",
    "search_hedge": "phil.search",
    "search_many": "phil.search",
    "search_mha": "phil.search",
    "search_stream": "phil.search",
    "smooth": "phil.search",
    "train": "phil.learning",
    "write_graph": "phil.graphs.formats",
    "write_set": "phil.problems",
}
# Modules that are attributes of the package without an import of their own; `search` is not among
# them, because `phil.search` is the function.
_MODULES = (
    *("compiled", "errors", "evaluation", "files", "graphs", "heuristics"),
    *("learning", "memory", "networkx", "problems", "view", "workers"),
)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        module, _, original = _HOMES[name].partition(":")
        value = getattr(import_module(module), original or name)
    elif name in _MODULES:
        value = import_module(f"phil.{name}")
    elif name == "__version__":
        from importlib.metadata import version

        value = version("phil-search")
    else:
        raise AttributeError(f"module 'phil' has no attribute '{name}'")
    globals()[name] = value  # found without this function from now on
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES, *_MODULES, "__version__"})


class _Package(ModuleType):
    """The type of this package: importing `phil.search...` leaves `phil.search` the function."""

    def __setattr__(self, name: str, value: object) -> None:
        if name != "search" or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
