"""The backend "phil" of networkx: `networkx.astar_path(G, source, target, backend="phil")`.

networkx finds it through the entry points in pyproject.toml, calls `can_run`, converts graphs and
calls the function of the same name. Whatever the engine does not support raises
NotImplementedError, and networkx falls back to the next backend or its own implementation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import networkx as nx

from phil.errors import InputError
from phil.graphs import Discovery
from phil.graphs.callbacks import Callbacks, Edges
from phil.graphs.checks import MOST_WEIGHT
from phil.graphs.convert.networkx import Weight, cost_function
from phil.networkx.astar import search_astar
from phil.networkx.conversion import Conversion, convert
from phil.networkx.plain import plain_astar
from phil.networkx.search import check_nodes
from phil.search import Limits, Outcome, Result

Function: TypeAlias = Callable[[Any, Any], Any] | None

# Once 1 in 64 nodes has been expanded, the weight function is evaluated on all edges at once.
FEW = 64

ASTAR_PARAMETERS = ("G", "source", "target", "heuristic", "weight")
PARAMETERS = {  # that may be passed by position
    "astar_path": ASTAR_PARAMETERS,
    "astar_path_length": ASTAR_PARAMETERS,
    "shortest_path": ("G", "source", "target", "weight", "method"),
}


class Network:
    """A networkx graph that the backend searches; it is converted by its first search."""

    __networkx_backend__ = "phil"

    def __init__(self, network: Any) -> None:
        self.network = network


def convert_from_nx(graph: Any, **_: object) -> Network:
    """The backend's graph; options about what to preserve are ignored, since everything is."""
    return Network(graph)


def convert_to_nx(given: Any, **_: object) -> Any:
    """The networkx object for a backend's graph or result."""
    return given.network if isinstance(given, Network) else given


def can_run(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool | str:
    """Whether the backend supports a function with these arguments, or why not."""
    if name != "shortest_path":
        return True
    given = _given(name, args, kwargs)
    if given.get("source") is None or given.get("target") is None:
        return "only paths from one source to one target are supported"
    if given.get("weight") is not None and given.get("method") == "bellman-ford":
        return "negative weights are not supported, so there is no Bellman-Ford"
    return True


def should_run(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool | str:
    """Whether a function gains by running here, or why not; used if no backend was named."""
    given = _given(name, args, kwargs)
    if callable(given.get("weight")) or callable(given.get("heuristic")):
        return "a Python function is called at every step, so there is little to gain"
    return True


def astar_path(
    G: Network,
    source: Any,
    target: Any,
    heuristic: Function = None,
    weight: Weight = "weight",
    *,
    cutoff: float | None = None,
) -> list[Any]:
    """See `networkx.astar_path`."""
    check_nodes(G.network, source, target)
    # networkx treats a cutoff of 0 as no cutoff.
    return _path(G.network, source, target, heuristic, weight, cutoff or None)


def astar_path_length(
    G: Network,
    source: Any,
    target: Any,
    heuristic: Function = None,
    weight: Weight = "weight",
    *,
    cutoff: float | None = None,
) -> Any:
    """See `networkx.astar_path_length`."""
    path = astar_path(G, source, target, heuristic, weight, cutoff=cutoff)
    network = G.network
    cost = cost_function(network, weight)
    # Summed in the user's number type: integers give an integer.
    return sum(cost(node, other, network.adj[node][other]) for node, other in pairwise(path))


def shortest_path(
    G: Network, source: Any, target: Any, weight: Weight = None, method: str = "dijkstra"
) -> list[Any]:
    """See `networkx.shortest_path`."""
    if method not in ("dijkstra", "bellman-ford"):
        raise ValueError(f"method not supported: {method}")
    check_nodes(G.network, source, target)
    return _path(G.network, source, target, None, weight, None)


def _given(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments by name."""
    return dict(zip(PARAMETERS[name], args, strict=False)) | dict(kwargs)


def _path(
    network: Any,
    source: Any,
    target: Any,
    heuristic: Function,
    weight: Weight,
    cutoff: float | None,
) -> list[Any]:
    if heuristic is not None:
        path = plain_astar(network, source, target, heuristic, weight, cutoff)
    else:
        path = _compiled(network, source, target, weight, cutoff)
    if path is None:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return path


def _compiled(
    network: Any, source: Any, target: Any, weight: Weight, cutoff: float | None
) -> list[Any] | None:
    """The path that a search without a heuristic finds."""
    if callable(weight):
        result, nodes = _search_function_costs(network, source, target, weight, cutoff)
    else:
        try:
            conversion = convert(network, weight=weight)
        except InputError as error:  # such as a negative weight
            raise NotImplementedError(str(error)) from error
        nodes = conversion.nodes
        result = _search_conversion(conversion, source, target, cutoff)
    return [nodes[k] for k in result.path.tolist()] if result.solved else None


def _search_function_costs(
    network: Any, source: Any, target: Any, weight: Weight, cutoff: float | None
) -> tuple[Result, Sequence[Any]]:
    """Search with a weight function: first called for edges as needed, then for all edges."""
    for limits in (Limits(expansions=len(network) // FEW), Limits()):
        graph = Discovery(FunctionCosts(network, weight), source, target)
        result = search_astar(graph, graph.start, graph.goal, cutoff, limits)
        if result.outcome is not Outcome.LIMIT:
            break
        try:
            conversion = convert(network, weight=weight)
        except Exception:  # for an edge that the search may never reach
            continue
        return _search_conversion(conversion, source, target, cutoff), conversion.nodes
    return result, graph.nodes


def _search_conversion(
    conversion: Conversion, source: Any, target: Any, cutoff: float | None
) -> Result:
    ids = conversion.ids
    return search_astar(conversion.graph, ids[source], ids[target], cutoff, Limits())


class FunctionCosts(Callbacks[Any]):
    """A networkx graph discovered during a search, with costs from a function."""

    def __init__(self, network: Any, weight: Weight) -> None:
        super().__init__(network.neighbors)
        self._cost_of = cost_function(network, weight)
        self._adjacency = network.adj

    def edges(self, node: Any) -> Edges[Any]:
        """A node's neighbours and the costs of the edges to them."""
        targets, costs = [], []
        for other, data in self._adjacency[node].items():
            cost = self._cost_of(node, other, data)
            if cost is None or other == node:
                continue
            if not 0 <= cost <= MOST_WEIGHT:
                raise NotImplementedError(
                    f"the weight of edge ({node!r}, {other!r}) is {cost}; "
                    f"costs must be finite and non-negative, and at most {MOST_WEIGHT:g}"
                )
            targets.append(other)
            costs.append(float(cost))
        return targets, costs, None
