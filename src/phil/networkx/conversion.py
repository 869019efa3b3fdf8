"""Conversion of a networkx graph, done once for all searches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx

from phil.arguments import TEXT, takes
from phil.errors import InputError, quoted
from phil.graphs import Graph
from phil.graphs.convert import from_networkx
from phil.graphs.convert.networkx import NAME, NAMES, NETWORK, Coordinates, Weight

CACHE = "phil"


@dataclass(frozen=True, repr=False)
class Conversion:
    """A converted graph, and the mapping between networkx nodes and ids.

    Attributes
    ----------
    graph : Graph
        The converted graph.
    nodes : tuple
        The nodes by id.
    ids : dict
        The id of every node.
    """

    graph: Graph
    nodes: tuple[Any, ...]
    ids: dict[Any, int]

    def __repr__(self) -> str:
        return f"Conversion({self.graph!r})"

    def between(self, start: Any, goal: Any) -> tuple[Graph, int, int]:
        """The graph that a search works on, and the ids of two networkx nodes."""
        return self.graph, self._id(start, "start"), self._id(goal, "goal")

    def _id(self, node: Any, role: str) -> int:
        try:
            return self.ids[node]
        except (KeyError, TypeError):
            raise InputError(f"{role} {quoted(node)} is not a node of the network") from None


@takes(G=NETWORK, weight=NAME, features=NAMES, coordinates=TEXT | NAMES)
def convert(
    G: Any,
    *,
    weight: Weight = "weight",
    features: Sequence[str] | None = None,
    coordinates: Coordinates = None,
) -> Conversion:
    """Convert a networkx graph, once for all searches.

    The conversion is stored in the graph's own cache, which networkx clears when methods of the
    graph add, remove or change nodes or edges. networkx does not notice an attribute that is
    changed in place (`G[u][v]["weight"] = 2`): afterwards, clear the cache with
    `G.__networkx_cache__.clear()`. Graph views, and graphs with a weight function, are converted
    every time.

    Parameters
    ----------
    G : networkx graph
        The graph to convert.
    weight, features, coordinates
        The attributes to read (see `phil.Graph.from_networkx`).

    Returns
    -------
    Conversion

    Raises
    ------
    InputError
        If a weight is negative or not a number, or if an attribute is missing.

    Examples
    --------
    >>> G = nx.path_graph(["a", "b", "c"])
    >>> conversion = convert(G)
    >>> conversion.ids["b"], conversion.nodes[1], convert(G) is conversion
    (1, 'b', True)
    >>> G.add_edge("a", "c")
    >>> convert(G) is conversion
    False
    """
    kept = _cache_of(G)
    names = coordinates if coordinates is None or isinstance(coordinates, str) else (*coordinates,)
    key = weight, None if features is None else (*features,), names
    if kept is None or callable(weight):
        return _convert(G, weight, features, coordinates)
    if key not in kept:
        kept[key] = _convert(G, weight, features, coordinates)
    conversion: Conversion = kept[key]
    return conversion


def _convert(
    G: Any, weight: Weight, features: Sequence[str] | None, coordinates: Coordinates
) -> Conversion:
    graph = from_networkx(G, weight=weight, features=features, coordinates=coordinates)
    nodes = tuple(G)
    return Conversion(graph, nodes, {node: number for number, node in enumerate(nodes)})


def _cache_of(G: Any) -> dict[Any, Conversion] | None:
    """The cache for conversions of a graph; None if they must not be cached."""
    cache = getattr(G, "__networkx_cache__", None)
    if cache is None or not nx.config.cache_converted_graphs:
        return None
    # A view has its own cache, which is not cleared when the underlying graph changes.
    if hasattr(G, "_graph"):
        return None
    kept: dict[Any, Conversion] = cache.setdefault(CACHE, {})
    return kept
