"""A networkx graph as the engine's, converted once for all searches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx

from phil.graphs import Graph
from phil.graphs.convert import from_networkx
from phil.graphs.convert.networkx import Coordinates, Weight

CACHE = "phil"


@dataclass(frozen=True)
class Conversion:
    """A converted graph, and which of networkx's nodes has which id there.

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


def convert(
    G: Any,
    *,
    weight: Weight = "weight",
    features: Sequence[str] | None = None,
    coordinates: Coordinates = None,
) -> Conversion:
    """Convert a networkx graph, once for all searches.

    The conversion is kept in the graph's own cache, which networkx clears when nodes or edges are
    added, removed or given other attributes by methods of the graph. It does not see an attribute
    that is changed in place (`G[u][v]["weight"] = 2`): clear the cache after that, with
    `G.__networkx_cache__.clear()`. Views of other graphs, and costs that a function gives, are
    converted every time.

    Parameters
    ----------
    G : networkx graph
        The graph to convert.
    weight, features, coordinates
        What is read (see `phil.Graph.from_networkx`).

    Returns
    -------
    Conversion

    Raises
    ------
    InputError
        If a weight is negative or no number, or if an attribute is missing.

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
    """Where conversions of a graph are kept; None if they must not be."""
    cache = getattr(G, "__networkx_cache__", None)
    if cache is None or not nx.config.cache_converted_graphs:
        return None
    # A view has a cache of its own, which is not cleared when the graph that it shows changes.
    if hasattr(G, "_graph"):
        return None
    kept: dict[Any, Conversion] = cache.setdefault(CACHE, {})
    return kept
