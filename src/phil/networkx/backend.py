"""The backend "phil" of networkx: `networkx.astar_path(G, source, target, backend="phil")`.

networkx finds it by the entry points in pyproject.toml, asks `can_run`, converts graphs and calls
the function of the same name. What the engine cannot do raises NotImplementedError: then networkx
goes on to the next backend that it was told of, or to itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import networkx as nx
import numpy as np

from phil.errors import InputError
from phil.graphs import Discovery
from phil.graphs.callbacks import Callbacks
from phil.graphs.convert.networkx import Weight, cost_function
from phil.heuristics.classical import zero
from phil.networkx.astar import FunctionHeuristic, search_astar
from phil.networkx.conversion import Conversion, convert
from phil.networkx.search import check_nodes
from phil.search import Limits, Outcome, Result

Function: TypeAlias = Callable[[Any, Any], Any] | None

# When one node in so many was expanded, a function is asked for the costs of all edges at once.
FEW = 64

ASTAR_PARAMETERS = ("G", "source", "target", "heuristic", "weight")
PARAMETERS = {  # that may be given by position
    "astar_path": ASTAR_PARAMETERS,
    "astar_path_length": ASTAR_PARAMETERS,
    "shortest_path": ("G", "source", "target", "weight", "method"),
}


class Network:
    """A networkx graph that the backend searches; it is converted when it is first searched."""

    __networkx_backend__ = "phil"

    def __init__(self, network: Any) -> None:
        self.network = network


def convert_from_nx(graph: Any, **_: object) -> Network:
    """The backend's graph; what must be preserved does not matter, since all of it is kept."""
    return Network(graph)


def convert_to_nx(given: Any, **_: object) -> Any:
    """A result for networkx."""
    return given.network if isinstance(given, Network) else given


def can_run(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool | str:
    """Whether a function can run with these arguments, or why not."""
    if name != "shortest_path":
        return True
    given = _given(name, args, kwargs)
    if given.get("source") is None or given.get("target") is None:
        return "only paths from one source to one target are searched"
    if given.get("weight") is not None and given.get("method") == "bellman-ford":
        return "negative weights are not supported, so there is no Bellman-Ford"
    return True


def should_run(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool | str:
    """Whether a function gains by running here, or why not; asked if nobody named a backend."""
    given = _given(name, args, kwargs)
    if callable(given.get("weight")) or callable(given.get("heuristic")):
        return "a function in Python is asked at every step, so that networkx may be faster"
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
    # To networkx a cutoff of 0 is none.
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
    # Summed up in the user's own numbers: of integers the sum is one.
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
    if callable(weight):
        result, nodes = _search_function_costs(network, source, target, heuristic, weight, cutoff)
    else:
        try:
            conversion = convert(network, weight=weight)
        except InputError as error:  # such as a negative weight
            raise NotImplementedError(str(error)) from error
        nodes = conversion.nodes
        result = _search_conversion(conversion, source, target, heuristic, cutoff)
    if not result.solved:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return [nodes[k] for k in result.path.tolist()]


def _search_function_costs(
    network: Any,
    source: Any,
    target: Any,
    heuristic: Function,
    weight: Weight,
    cutoff: float | None,
) -> tuple[Result, Sequence[Any]]:
    """Search with costs that a function gives: of edges as they are met, then of all."""
    for limits in (Limits(expansions=len(network) // FEW), Limits()):
        graph = Discovery(FunctionCosts(network, weight), source, target)
        guide = zero if heuristic is None else FunctionHeuristic(heuristic)
        result = search_astar(graph, graph.start, graph.goal, guide, cutoff, limits)
        if result.outcome is not Outcome.LIMIT:
            break
        try:
            conversion = convert(network, weight=weight)
        except Exception:  # of an edge that the search may never come to
            continue
        result = _search_conversion(conversion, source, target, heuristic, cutoff)
        return result, conversion.nodes
    return result, graph.nodes


def _search_conversion(
    conversion: Conversion, source: Any, target: Any, heuristic: Function, cutoff: float | None
) -> Result:
    ids = conversion.ids
    guide = zero if heuristic is None else FunctionHeuristic(heuristic, conversion.nodes)
    return search_astar(conversion.graph, ids[source], ids[target], guide, cutoff, Limits())


class FunctionCosts(Callbacks[Any]):
    """A networkx graph to discover, with the costs that a function gives."""

    def __init__(self, network: Any, weight: Weight) -> None:
        super().__init__(network.neighbors)
        self._cost = cost_function(network, weight)
        self._adjacency = network.adj

    def edges(self, node: Any) -> tuple[list[Any], list[float], list[int]]:
        """A node's neighbours, and what the function says of the edges to them."""
        targets, costs = [], []
        for other, data in self._adjacency[node].items():
            cost = self._cost(node, other, data)
            if cost is None or other == node:
                continue
            if not 0 <= cost < np.inf:
                raise NotImplementedError(
                    f"the weight of edge ({node!r}, {other!r}) is {cost}; "
                    "costs must be finite and not negative"
                )
            targets.append(other)
            costs.append(float(cost))
        return targets, costs, []

    def token(self, node: Any) -> int:
        """Nothing: only heuristics that A* has no use for ask for one."""
        return 0
