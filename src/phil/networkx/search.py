"""Searches between nodes of a networkx graph, guided by any heuristic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import networkx as nx

from phil.arguments import takes
from phil.errors import InputError
from phil.graphs.convert.networkx import NETWORK, Coordinates, Weight
from phil.heuristics.classical import euclidean, manhattan
from phil.heuristics.function import FunctionHeuristic
from phil.heuristics.registry import load_heuristic
from phil.networkx.conversion import Conversion, convert
from phil.networkx.units import check_edges, check_function
from phil.search import GREEDY, Key, Limits, Result, search
from phil.search.guide import Heuristic
from phil.search.loop import KEY

AnyHeuristic: TypeAlias = str | Path | Heuristic | Callable[[Any, Any], Any] | None


def heuristic_path(
    G: Any,
    source: Any,
    target: Any,
    heuristic: AnyHeuristic = "euclidean",
    weight: Weight = "weight",
    *,
    features: Sequence[str] | None = None,
    coordinates: Coordinates = None,
    key: Key = GREEDY,
    bound: float | None = None,
) -> list[Any]:
    """Find a path from source to target with a heuristic search.

    By default the search is greedy, so the path is not necessarily the cheapest: see `bound` and
    `key`.

    Parameters
    ----------
    G : networkx graph
        Any kind of graph. It is converted once (see `phil.networkx.convert`).
    source, target : node
        The ends of the path.
    heuristic : str, Path, Heuristic or callable, optional
        A name or file (see `phil.load`), a loaded heuristic, or a function of two nodes as in
        `networkx.astar_path`. None means no heuristic.
    weight : str, callable or None, optional
        The cost of an edge (see `phil.Graph.from_networkx`).
    features, coordinates : optional
        The node attributes that heuristics use (see `phil.Graph.from_networkx`).
    key : Key, optional
        The order of expansion: with `phil.ASTAR` and an admissible heuristic, the path is the
        cheapest.
    bound : float, optional
        With `bound=1.5`, the path costs at most 1.5 times the optimum.

    Returns
    -------
    list of nodes

    Warns
    -----
    NotALowerBound
        If the heuristic exceeds the costs, such as metres and `weight="travel_time"`, and no bound
        was given.

    Raises
    ------
    networkx.NodeNotFound
        If source or target is not in the graph.
    networkx.NetworkXNoPath
        If there is no path.
    InputError
        If the heuristic cannot be used on this graph.

    Examples
    --------
    >>> G = nx.grid_2d_graph(5, 5)
    >>> for node in G:
    ...     G.nodes[node]["pos"] = node
    >>> heuristic_path(G, (0, 0), (1, 2))
    [(0, 0), (0, 1), (1, 1), (1, 2)]
    >>> heuristic_path(G, (0, 0), (1, 2), lambda u, v: abs(u[0] - v[0]) + abs(u[1] - v[1]))
    [(0, 0), (1, 0), (1, 1), (1, 2)]
    """
    result = heuristic_search(
        G,
        source,
        target,
        heuristic,
        weight,
        features=features,
        coordinates=coordinates,
        key=key,
        bound=bound,
    )
    if not result.solved:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return list(result.path)


@takes(key=KEY)
def heuristic_search(
    G: Any,
    source: Any,
    target: Any,
    heuristic: AnyHeuristic = "euclidean",
    weight: Weight = "weight",
    *,
    features: Sequence[str] | None = None,
    coordinates: Coordinates = None,
    key: Key = GREEDY,
    bound: float | None = None,
    limits: Limits | None = None,
    trace: bool = False,
) -> Result[tuple[Any, ...]]:
    """Run the search of `heuristic_path` and return the full result.

    Parameters
    ----------
    G, source, target, heuristic, weight, features, coordinates, key, bound
        See `heuristic_path`.
    limits, trace
        See `phil.search`.

    Returns
    -------
    Result
        Its path and trace hold the graph's own nodes. A target that cannot be reached is an
        outcome, not an error.

    Raises
    ------
    networkx.NodeNotFound
        If source or target is not in the graph.
    InputError
        If the heuristic cannot be used on this graph.

    Examples
    --------
    >>> result = heuristic_search(nx.path_graph(4), 0, 3, heuristic=None)
    >>> result.path, result.expansions, result.cost
    ((0, 1, 2, 3), 4, 3.0)
    """
    check_nodes(G, source, target)
    conversion = convert(G, weight=weight, features=features, coordinates=coordinates)
    loaded = _loaded(heuristic, conversion)
    # With a bound, the cost is proven. Greedy search pays no heed to moves that all cost the same.
    costs_matter = bound is None and (key.g > 0 or conversion.graph.is_weighted)
    if costs_matter:
        check_edges(conversion, loaded, weight)
    result = search(
        conversion,
        source,
        target,
        loaded,
        key=key,
        bound=bound,
        limits=limits,
        trace=trace,
    )
    if costs_matter and result.solved and isinstance(loaded, FunctionHeuristic):
        function: Any = heuristic
        estimate = function(source, target)
        check_function(G, weight, function, (source, target), estimate, result.cost)
    return result


def check_nodes(G: Any, source: Any, target: Any) -> None:
    """Raise networkx's exception if a node does not exist."""
    NETWORK.check(G, "G")
    for role, node in (("Source", source), ("Target", target)):
        if node not in G:
            raise nx.NodeNotFound(f"{role} {node} is not in G")


def _loaded(heuristic: AnyHeuristic, conversion: Conversion) -> Heuristic:
    given: Any = "zero" if heuristic is None else heuristic
    if isinstance(given, str | Path):
        given = load_heuristic(str(given))
    if not hasattr(given, "begin"):
        if not callable(given):
            raise InputError(
                f"{given!r} is not a heuristic; give a name, a file, a loaded heuristic or a "
                "function of two nodes"
            )
        return FunctionHeuristic(given)
    loaded: Heuristic = given
    if loaded in (euclidean, manhattan) and conversion.graph.features.shape[1] == 0:
        raise InputError(
            f"the heuristic {loaded.name} needs coordinates, but not all nodes have numeric "
            "attributes x and y, or pos; name others with coordinates= or features=, or use a "
            "function of two nodes, or None"
        )
    return loaded
