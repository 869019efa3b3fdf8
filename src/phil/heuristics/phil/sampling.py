"""Which neighbours the convolution sees: uniform, seeded, and the same on every engine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import primitive
from phil.graphs.arrays import GraphArrays, neighbors


@primitive
def _mix(value: np.uint64) -> np.uint64:
    # The finaliser of SplitMix64: every input bit changes every output bit with probability 1/2.
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@primitive
def _ticket(seed: int, node: int, neighbor: int, edge: int) -> np.uint64:
    step = np.uint64(0x9E3779B97F4A7C15)
    value = _mix(np.uint64(seed) + step)
    value = _mix(value ^ (np.uint64(node) + step))
    value = _mix(value ^ (np.uint64(neighbor) + step))
    return _mix(value ^ (np.uint64(edge) + step))


@primitive
def sample_neighbors(
    graph: GraphArrays,
    node: int,
    most: int,
    seed: int,
    nodes: NDArray[np.int32],
    edges: NDArray[np.int64],
    costs: NDArray[np.float64],
) -> int:
    """At most `most` neighbours of a node, drawn by a hash of seed and node, not by call order.

    Every neighbour draws a ticket and the least tickets win, so each set is equally likely.
    """
    count = neighbors(graph, node, nodes, edges, costs)
    kept = count
    while kept > most:
        # Leave out the largest ticket among the kept; there are few neighbours, so no sorting.
        worst = 0
        for k in range(1, kept):
            if _ticket(seed, node, nodes[k], edges[k]) > _ticket(
                seed, node, nodes[worst], edges[worst]
            ):
                worst = k
        kept -= 1
        for k in range(worst, kept):
            nodes[k] = nodes[k + 1]
            edges[k] = edges[k + 1]
    return kept


@primitive
def missing_moves(
    graph: GraphArrays,
    node: int,
    missing: NDArray[np.uint8],
    nodes: NDArray[np.int32],
    edges: NDArray[np.int64],
    costs: NDArray[np.float64],
) -> None:
    """Mark with 1 the moves of a grid that cannot be made from a node."""
    for move in range(missing.size):
        missing[move] = 1
    for k in range(neighbors(graph, node, nodes, edges, costs)):
        missing[edges[k]] = 0
