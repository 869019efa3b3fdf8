"""Graphs in the forms that users have them: arrays, networkx, SciPy, PyG and files."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from phil.arguments import is_path
from phil.errors import InputError
from phil.graphs.checks import is_sparse
from phil.graphs.grid import GridGraph
from phil.graphs.implicit import ImplicitGraph

NETWORKS = "phil.networkx.conversion"  # in a higher layer


def as_searched(given: Any) -> Any:
    """A graph to search, from any form; NotImplemented if it is none.

    Of a networkx graph, starts, goals and results are its own nodes.

    >>> as_searched(np.ones((2, 3), bool))
    GridGraph(2x3, free=6, connectivity=8, corners=allow)
    """
    if isinstance(given, np.ndarray | list | tuple):
        return GridGraph(given)
    if is_path(given):
        from phil.graphs.formats import read_graph

        return read_graph(given)
    if is_sparse(given):
        from phil.graphs.convert import from_scipy

        return from_scipy(given)
    if isinstance(given, type):
        return NotImplemented
    if hasattr(given, "between"):  # such as a conversion
        return given
    if hasattr(given, "edge_index"):
        from phil.graphs.convert import from_pyg

        return from_pyg(given)
    if hasattr(given, "adjacency") and hasattr(given, "is_directed"):
        return import_module(NETWORKS).convert(given)
    return NotImplemented


def as_graph(given: Any) -> Any:
    """Likewise, as a `Graph` or `GridGraph`; NotImplemented if it is none."""
    if isinstance(given, ImplicitGraph):
        raise InputError(
            f"{given!r} is known only where it was searched; build a Graph of a part with "
            "graph.explored(start, most=...)"
        )
    return known_part(as_searched(given))


def known_part(found: Any) -> Any:
    """The `Graph` of a converted networkx graph; other graphs unchanged."""
    return getattr(found, "graph", found)
