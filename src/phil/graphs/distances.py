"""The oracle: exact distances from every node to a goal; components and the diameter."""

from __future__ import annotations

import heapq
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from phil.arguments import Kind, of_type, takes
from phil.compiled import allocating_kernel
from phil.errors import InputError, unknown_name
from phil.graphs import AnyGraph, Graph, ImplicitGraph
from phil.graphs.arrays import GraphArrays, neighbors
from phil.graphs.checks import GRAPH, SEARCHED, are_weights, numbers
from phil.memory import check_memory

NODE_BYTES = 24  # a distance and a queue entry
UNITS = ("cost", "moves", "mixed")
CONNECTION = Kind("'strong' or 'weak'", lambda value: str(value) in ("strong", "weak"))


def hops_to(graph: AnyGraph, goal: int) -> NDArray[np.float64]:
    """Count the moves on a shortest path from every node to a goal.

    Parameters
    ----------
    graph : Graph or GridGraph
        The graph.
    goal : int
        The id of the goal.

    Returns
    -------
    ndarray of float
        By node id; inf where there is no path.

    Examples
    --------
    >>> from phil.graphs import GridGraph
    >>> hops_to(GridGraph([[True, True, False, True]]), 0).tolist()
    [0.0, 1.0, inf, inf]
    """
    backwards = _backwards(graph, goal)
    return _breadth_first(backwards.arrays, int(goal), graph.size, backwards.max_degree)


def costs_to(graph: AnyGraph, goal: int) -> NDArray[np.float64]:
    """Compute the least path cost from every node to a goal.

    Parameters
    ----------
    graph : Graph or GridGraph
        The graph.
    goal : int
        The id of the goal.

    Returns
    -------
    ndarray of float
        By node id; inf where there is no path.

    Examples
    --------
    >>> from phil.graphs import GridGraph
    >>> costs_to(GridGraph([[True, True], [True, True]]), 0).round(3).tolist()
    [0.0, 1.0, 1.0, 1.414]
    """
    backwards = _backwards(graph, goal)
    none = np.empty(0)
    return _dijkstra(backwards.arrays, int(goal), graph.size, backwards.max_degree, none)


@takes(graph=SEARCHED)
def oracle_distances(
    graph: AnyGraph | Any, goal: Any, *, unit: Literal["cost", "moves", "mixed"] = "cost"
) -> NDArray[np.float64]:
    """The exact distance from every node to a goal: what training imitates.

    Parameters
    ----------
    graph : Graph or GridGraph
        The graph, or what `phil.search` takes for one, except an `ImplicitGraph`.
    goal
        The goal, as for `phil.search`.
    unit : {"cost", "moves", "mixed"}, optional
        Whether to sum the costs of edges, to count them, or to take the mean of both.

    Returns
    -------
    ndarray of float
        By node id, in the order of the nodes of a networkx graph; inf where there is no path. On a
        grid, `distances.reshape(grid.shape)` has one per cell.

    Raises
    ------
    InputError
        If the goal is not a node, or the graph is not known in full.

    Examples
    --------
    >>> import phil
    >>> free = np.array([[True, True], [True, False], [True, True]])
    >>> phil.oracle_distances(free, (0, 1), unit="moves").reshape(free.shape)
    array([[ 1.,  0.],
           [ 1., inf],
           [ 2.,  2.]])
    """
    if str(unit) not in UNITS:
        raise unknown_name("unit", str(unit), UNITS)
    if isinstance(graph, ImplicitGraph):
        GRAPH.take(graph, "oracle_distances: graph")
    known, node, _ = graph.between(goal, goal)
    if unit == "mixed":
        return (hops_to(known, node) + costs_to(known, node)) / 2
    return costs_to(known, node) if unit == "cost" else hops_to(known, node)


def hops_from(graph: AnyGraph, start: int) -> NDArray[np.float64]:
    """Count the moves on a shortest path from a start to every node.

    Parameters
    ----------
    graph : Graph or GridGraph
        The graph.
    start : int
        The id of the start.

    Returns
    -------
    ndarray of float
        By node id; inf where there is no path.

    Examples
    --------
    >>> from phil.graphs import Graph
    >>> hops_from(Graph.from_edges(3, [(0, 1), (1, 2)], directed=True), 1).tolist()
    [inf, 0.0, 1.0]
    """
    _check(graph, start, "start")
    return _breadth_first(graph.arrays, int(start), graph.size, graph.max_degree)


def costs_from(graph: AnyGraph, start: int) -> NDArray[np.float64]:
    """Compute the least path cost from a start to every node.

    Parameters
    ----------
    graph : Graph or GridGraph
        The graph.
    start : int
        The id of the start.

    Returns
    -------
    ndarray of float
        By node id; inf where there is no path.

    Examples
    --------
    >>> from phil.graphs import Graph
    >>> line = Graph.from_edges(3, [(0, 1), (1, 2)], weights=[2.0, 0.5], directed=True)
    >>> costs_from(line, 0).tolist()
    [0.0, 2.0, 2.5]
    """
    _check(graph, start, "start")
    return _dijkstra(graph.arrays, int(start), graph.size, graph.max_degree, np.empty(0))


def tolls_to(graph: AnyGraph, goal: int, tolls: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute the least cost to a goal if a move costs 1 plus the toll of the node it enters.

    Parameters
    ----------
    graph : Graph or GridGraph
        The graph.
    goal : int
        The id of the goal.
    tolls : ndarray of float
        One per node id, non-negative.

    Returns
    -------
    ndarray of float
        By node id; inf where there is no path.

    Examples
    --------
    >>> from phil.graphs import GridGraph
    >>> tolls_to(GridGraph([[True, True, True]]), 0, np.array([0.0, 0.5, 9.0])).tolist()
    [0.0, 1.0, 2.5]
    """
    backwards = _backwards(graph, goal)
    tolls = numbers(tolls, "tolls").astype(np.float64)
    if tolls.shape != (graph.size,) or not are_weights(tolls).all():
        raise InputError(f"there must be {graph.size} tolls, in the range of edge weights")
    return _dijkstra(backwards.arrays, int(goal), graph.size, backwards.max_degree, tolls)


@takes(graph=GRAPH)
def components(graph: AnyGraph) -> NDArray[np.int32]:
    """Number the connected components of an undirected graph.

    Parameters
    ----------
    graph : Graph or GridGraph
        The graph.

    Returns
    -------
    ndarray of int
        The component of every node id; -1 for ids that are not nodes.

    Raises
    ------
    InputError
        If the graph is directed.

    Examples
    --------
    >>> from phil.graphs import GridGraph
    >>> components(GridGraph([[True, True, False, True]])).tolist()
    [0, 0, -1, 1]
    """
    if graph.directed:
        raise InputError("components need an undirected graph; use directed_components instead")
    check_memory(NODE_BYTES * graph.size, f"the components of {graph.size} nodes")
    return _components(graph.arrays, graph.size, graph.max_degree)


@takes(graph=of_type("a Graph", Graph), connection=CONNECTION)
def directed_components(graph: Graph, connection: Literal["strong", "weak"]) -> NDArray[np.int32]:
    """Number the components of a directed graph.

    Parameters
    ----------
    graph : Graph
        The graph.
    connection : {"strong", "weak"}
        Whether nodes of a component reach each other along directed edges, or only if the
        direction of edges is ignored.

    Returns
    -------
    ndarray of int
        The component of every node.

    Examples
    --------
    >>> from phil.graphs import Graph
    >>> one_way = Graph.from_edges(3, [(0, 1), (1, 0), (1, 2)], directed=True)
    >>> len(set(directed_components(one_way, "strong").tolist()))
    2
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    ones = np.ones(graph.indices.size, np.int8)
    adjacency = csr_array((ones, graph.indices, graph.indptr), shape=(graph.num_nodes,) * 2)
    number: NDArray[np.int32] = connected_components(adjacency, connection=connection)[1]
    return number


def diameter_estimate(graph: AnyGraph, node: int) -> int:
    """Compute a lower bound on the diameter of a node's component, by a double sweep.

    Parameters
    ----------
    graph : Graph or GridGraph
        The graph.
    node : int
        A node of the component.

    Returns
    -------
    int
        The moves between the node farthest from the given one and the node farthest from that:
        exact on trees, and close on most graphs.

    Examples
    --------
    >>> from phil.graphs import GridGraph
    >>> diameter_estimate(GridGraph([[True] * 5]), 2)
    4
    """
    first = hops_to(graph, node)
    far = int(np.argmax(np.where(np.isfinite(first), first, -1)))
    second = hops_to(graph, far)
    return int(second[np.isfinite(second)].max())


def _backwards(graph: AnyGraph, goal: int) -> AnyGraph:
    _check(graph, goal, "goal")
    return graph.reversed()


def _check(graph: AnyGraph, node: int, role: str) -> None:
    GRAPH.check(graph, "graph")
    graph.check_node(node, role)
    check_memory(NODE_BYTES * graph.size, f"a table of the distances of {graph.size} nodes")


@allocating_kernel
def _breadth_first(graph: GraphArrays, goal: int, size: int, degree: int) -> NDArray[np.float64]:
    distance = np.full(size, np.inf)
    queue = np.empty(size, np.int32)
    near = np.empty(degree, np.int32)
    edges = np.empty(degree, np.int64)
    costs = np.empty(degree)
    distance[goal] = 0.0
    queue[0] = goal
    head = 0
    tail = 1
    while head < tail:
        node = queue[head]
        head += 1
        for k in range(neighbors(graph, node, near, edges, costs)):
            if distance[near[k]] == np.inf:
                distance[near[k]] = distance[node] + 1.0
                queue[tail] = near[k]
                tail += 1
    return distance


@allocating_kernel
def _components(graph: GraphArrays, size: int, degree: int) -> NDArray[np.int32]:
    number = np.full(size, -1, np.int32)
    queue = np.empty(size, np.int32)
    near = np.empty(degree, np.int32)
    edges = np.empty(degree, np.int64)
    costs = np.empty(degree)
    found = 0
    for first in range(size):
        if number[first] >= 0 or (graph.free.size > 0 and graph.free[first] == 0):
            continue
        number[first] = found
        queue[0] = first
        head = 0
        tail = 1
        while head < tail:
            node = queue[head]
            head += 1
            for k in range(neighbors(graph, node, near, edges, costs)):
                if number[near[k]] < 0:
                    number[near[k]] = found
                    queue[tail] = near[k]
                    tail += 1
        found += 1
    return number


@allocating_kernel
def _dijkstra(
    graph: GraphArrays, goal: int, size: int, degree: int, tolls: NDArray[np.float64]
) -> NDArray[np.float64]:
    """By edge costs; or, if given, by the toll of the node that a move enters."""
    distance = np.full(size, np.inf)
    near = np.empty(degree, np.int32)
    edges = np.empty(degree, np.int64)
    costs = np.empty(degree)
    distance[goal] = 0.0
    heap = [(0.0, np.int64(goal))]
    while len(heap) > 0:
        least, node = heapq.heappop(heap)
        if least > distance[node]:
            continue
        for k in range(neighbors(graph, int(node), near, edges, costs)):
            # Backwards: the move leads from the neighbour to the node.
            through = least + (costs[k] if tolls.size == 0 else 1.0 + tolls[node])
            if through < distance[near[k]]:
                distance[near[k]] = through
                heapq.heappush(heap, (through, np.int64(near[k])))
    return distance
