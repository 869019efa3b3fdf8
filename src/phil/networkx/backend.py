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

from phil.errors import InputError
from phil.graphs import Discovery, SearchedGraph
from phil.graphs.convert.networkx import Weight, cost_function
from phil.heuristics.geometric import Zero
from phil.networkx.astar import FunctionCosts, RunningAstar
from phil.networkx.conversion import convert
from phil.networkx.function import FunctionHeuristic
from phil.networkx.search import check_nodes

Function: TypeAlias = Callable[[Any, Any], Any] | None


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
    names = ("G", "source", "target", "weight", "method")
    given = dict(zip(names, args, strict=False)) | dict(kwargs)
    if given.get("source") is None or given.get("target") is None:
        return "only paths from one source to one target are searched"
    if given.get("weight") is not None and given.get("method") == "bellman-ford":
        return "negative weights are not supported, so there is no Bellman-Ford"
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
    return _path(G.network, source, target, heuristic, weight, cutoff)


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


def _path(
    network: Any,
    source: Any,
    target: Any,
    heuristic: Function,
    weight: Weight,
    cutoff: float | None,
) -> list[Any]:
    graph: SearchedGraph
    nodes: Sequence[Any]
    if callable(weight):
        graph = Discovery(FunctionCosts(network, weight), source, target)
        start, goal, nodes = graph.start, graph.goal, graph.nodes
    else:
        try:
            conversion = convert(network, weight=weight)
        except InputError as error:  # such as a negative weight
            raise NotImplementedError(str(error)) from error
        graph, nodes = conversion.graph, conversion.nodes
        start, goal = conversion.ids[source], conversion.ids[target]
    guide = Zero if heuristic is None else FunctionHeuristic(heuristic, nodes)
    # To networkx a cutoff of 0 is none.
    with RunningAstar(graph, start, goal, guide, cutoff or None) as running:
        result = running.result(running.run())
    if not result.solved:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return [nodes[k] for k in result.path.tolist()]
