"""The inputs of the network for a node, the same for searches, precomputing and training.

A node's own inputs are its scaled features and their distances to the goal's. Its surroundings are
at most n neighbours with their edges, and the moves of a grid that walls block. Its trail is how
the search reached it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import primitive
from phil.graphs.arrays import GraphArrays, neighbors, node_features
from phil.heuristics.feature_distances import write_distances
from phil.heuristics.scaling import Frame, scaled_features

Floats = NDArray[np.float32]

STATES = 3  # of a cell that the search knows: blocked, free, expanded
TREND = np.float32(0.9)  # decay of the trend per step
ONE = np.float32(1.0)
TICKETS = 2.0**53  # tickets are integers below this, which a float64 represents exactly


@primitive
def write_node(
    graph: GraphArrays,
    frame: Frame,
    node: int,
    goal: Floats,
    ends: NDArray[np.int64],
    to_goal: bool,
    out: Floats,
) -> None:
    """Write the inputs of f except for the goal's scaled features, which are `goal`."""
    scaled_features(graph, frame, node, out)
    write_distances(out, goal, ends, to_goal, goal.size)


@primitive
def _mix(value: np.uint64) -> np.uint64:
    # The finalizer of SplitMix64: every input bit changes every output bit with probability 1/2.
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@primitive
def _token(graph: GraphArrays, node: int) -> np.uint64:
    """The number that identifies a node: its id, or the hash of the user's node."""
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
    """The lowest bound that at least `most` tickets do not exceed, by bisection."""
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
    """Keep at most `most` of the neighbours, in order.

    Every neighbour has a ticket, a hash of seed, node, neighbour and its position (which tells
    parallel edges apart); the lowest tickets win. So every subset is equally likely, and nothing
    depends on the order of calls.
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
    turn: NDArray[np.int64],
    seed: int,
    nodes: NDArray[np.int32],
    edges: NDArray[np.int64],
    costs: NDArray[np.float64],
) -> tuple[int, int]:
    """Write at most `most` neighbours of a node and their edges; `costs` is a buffer.

    Returns their number, and the blocked ones of the first `moves` moves of a grid, as bits. On a
    grid, edges are moves, and `turn` is what they become in the frame of the network.
    """
    if most == 0 and moves == 0:
        return 0, 0
    count = neighbors(graph, node, nodes, edges, costs)
    if turn.size > 0:
        for k in range(count):
            edges[k] = turn[edges[k]]
    missing = (1 << moves) - 1
    if moves > 0:
        for k in range(count):
            missing &= ~(1 << edges[k])
    return _draw(graph, node, count, most, seed, nodes, edges, costs), missing


@primitive
def write_trail(
    graph: GraphArrays,
    frame: Frame,
    parent: int,
    depth: int,
    nodes: NDArray[np.int32],
    count: int,
    trend: Floats,
    here: Floats,
    before: Floats,
    out: Floats,
) -> None:
    """Write how the search reached each of `count` nodes: depth, last step, trend of the steps.

    `trend` (nodes, D) is the decaying mean of the steps that led to a node, which is updated;
    `here` and `before` are buffers for the features of a node.
    """
    features = frame.step.size
    node_features(graph, parent, before)
    for k in range(count):
        node_features(graph, nodes[k], here)
        out[k, 0] = depth / frame.distance[0]
        for c in range(features):
            axis = frame.axes[c]
            step = (here[axis] - before[axis]) / frame.step[c]
            mean = TREND * trend[parent, c] + (ONE - TREND) * step
            trend[nodes[k], c] = mean
            out[k, 1 + c] = step
            out[k, 1 + features + c] = mean
