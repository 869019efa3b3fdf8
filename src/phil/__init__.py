"""PHIL: learn search heuristics from example graphs, and search with them.

The public API is `__all__` and the modules documented in docs/api.

>>> import phil
>>> grid = phil.GridGraph([[True, True, True], [True, False, True], [True, True, True]])
>>> phil.search(grid, (2, 0), (0, 2), phil.load("euclidean")).expansions
4
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from phil.errors import InputError
from phil.evaluation import evaluate
from phil.graphs import Graph, GridGraph, ImplicitGraph
from phil.graphs.features import add_features
from phil.graphs.formats import Format, read_graph, register_format, write_graph
from phil.heuristics.phil import PhilHeuristic
from phil.heuristics.registry import load_heuristic as load
from phil.heuristics.registry import register_heuristic
from phil.problems import Problem, ProblemSet, open_set, register_problem_set
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
    search_many,
    search_mha,
)
from phil.search.registry import register_search

if TYPE_CHECKING:
    from phil import networkx
    from phil.graphs.formats.image import read_map
    from phil.learning import train

__version__ = version("phil-search")

__all__ = [
    "ASTAR",
    "BFS",
    "GREEDY",
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
    "add_features",
    "anytime",
    "evaluate",
    "load",
    "networkx",
    "open_set",
    "read_graph",
    "read_map",
    "register_format",
    "register_heuristic",
    "register_problem_set",
    "register_search",
    "search",
    "search_many",
    "search_mha",
    "train",
    "write_graph",
]


# Imported on first use: training needs torch, and reading a picture needs Pillow.
_LATER = {
    "networkx": "phil.networkx",
    "read_map": "phil.graphs.formats.image",
    "train": "phil.learning",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'phil' has no attribute '{name}'")
    module = import_module(_LATER[name])
    return module if name == "networkx" else getattr(module, name)
