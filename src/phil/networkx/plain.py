"""A* in plain Python, for heuristics that are Python functions.

The function is called for every node that the search meets, which takes longer than the search
itself. Leaving and entering compiled code each time would only add to that, and so would converting
the graph; so this loop works on networkx's own dictionaries.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any

from phil.graphs.convert.networkx import Weight, cost_function
from phil.networkx.units import check_function


def plain_astar(
    network: Any,
    source: Any,
    target: Any,
    heuristic: Callable[[Any, Any], Any],
    weight: Weight,
    cutoff: Any,
) -> list[Any] | None:
    """The path that networkx's A* finds, or None; costs have the user's own number types.

    As in networkx, ties are broken first-in first-out, a node with a better path is expanded again,
    and nodes whose key exceeds the cutoff are left out. The heuristic is called once for each node
    that is met, and never for the source.
    """
    adjacency = network._adj  # as in networkx: `network.adj` would make a view at every step
    cost_of = None if _is_attribute(network, weight) else cost_function(network, weight)
    met = {source: (0, 0)}  # path cost and value
    parents: dict[Any, Any] = {}
    queue = [(0, 0, source, 0, None)]  # key, order, node, path cost, parent
    entered = 0
    while queue:
        _, _, node, cost, parent = heappop(queue)
        if node == target:
            path = [node]
            while parent is not None:
                path.append(parent)
                parent = parents[parent]
            if len(path) > 2:
                first = path[-2]
                check_function(network, weight, heuristic, (first, node), met[first][1], cost)
            return path[::-1]
        if node in parents and (node == source or met[node][0] < cost):
            continue
        parents[node] = parent
        for other, data in adjacency[node].items():
            step = data.get(weight, 1) if cost_of is None else cost_of(node, other, data)
            if step is None:
                continue
            there = cost + step
            before = met.get(other)
            if before is None:
                value = heuristic(other, target)
            elif before[0] <= there:
                continue
            else:
                value = before[1]
            key = there + value
            if cutoff and key > cutoff:
                continue
            met[other] = there, value
            entered += 1
            heappush(queue, (key, entered, other, there, node))
    return None


def _is_attribute(network: Any, weight: Weight) -> bool:
    """Whether the cost is one attribute of one edge, which needs no function call."""
    return not callable(weight) and not network.is_multigraph()
