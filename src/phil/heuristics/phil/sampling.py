"""What the convolution sees around a node: at most n neighbours, the same on every engine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import primitive
from phil.graphs.arrays import GraphArrays, neighbors

TICKETS = 2.0**53  # tickets are whole numbers below it, which a float64 holds exactly


@primitive
def _mix(value: np.uint64) -> np.uint64:
    # The finaliser of SplitMix64: every input bit changes every output bit with probability 1/2.
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@primitive
def _token(graph: GraphArrays, node: int) -> np.uint64:
    """What stands for a node: its id, or what the user's node was turned into."""
    return graph.tokens[node] if graph.tokens.size > 0 else np.uint64(node)


@primitive
def _ticket(graph: GraphArrays, seed: int, node: int, neighbor: int, number: int) -> float:
    step = np.uint64(0x9E3779B97F4A7C15)
    value = _mix(np.uint64(seed) + step)
    value = _mix(value ^ (_token(graph, node) + step))
    value = _mix(value ^ (_token(graph, neighbor) + step))
    value = _mix(value ^ (np.uint64(number) + step))
    return np.float64(value >> np.uint64(11))


@primitive
def _highest_ticket(tickets: NDArray[np.float64], count: int, most: int) -> float:
    """The least bound that at least `most` tickets do not exceed, by halving."""
    low, high = -1.0, TICKETS
    while high - low > 1.0:
        middle = np.floor((low + high) / 2)
        within = 0
        for k in range(count):
            within += tickets[k] <= middle
        if within == most:
            return middle
        if within < most:
            low = middle
        else:
            high = middle
    return high


@primitive
def _draw(
    graph: GraphArrays,
    node: int,
    count: int,
    most: int,
    seed: int,
    nodes: NDArray[np.int32],
    edges: NDArray[np.int64],
    tickets: NDArray[np.float64],
) -> int:
    """Leave at most `most` of the neighbours, in their order.

    Every neighbour has a ticket, a hash of seed, node, neighbour and its number among the node's
    (which tells parallel edges apart); the least tickets win. So each set is equally likely, and
    nothing depends on the order of calls.
    """
    if count <= most or most == 0:
        return min(count, most)
    for k in range(count):
        tickets[k] = _ticket(graph, seed, node, nodes[k], k)
    highest = _highest_ticket(tickets, count, most)
    kept = 0
    for k in range(count):
        if tickets[k] <= highest and kept < most:
            nodes[kept] = nodes[k]
            edges[kept] = edges[k]
            kept += 1
    return kept


@primitive
def look_around(
    graph: GraphArrays,
    node: int,
    most: int,
    moves: int,
    seed: int,
    nodes: NDArray[np.int32],
    edges: NDArray[np.int64],
    costs: NDArray[np.float64],
) -> tuple[int, int]:
    """Write at most `most` neighbours of a node and their edges; `costs` is working room.

    Returns how many, and, as bits, which of the first `moves` moves of a grid cannot be made.
    """
    if most == 0 and moves == 0:
        return 0, 0
    count = neighbors(graph, node, nodes, edges, costs)
    missing = (1 << moves) - 1
    if moves > 0:
        for k in range(count):
            missing &= ~(1 << edges[k])
    return _draw(graph, node, count, most, seed, nodes, edges, costs), missing
