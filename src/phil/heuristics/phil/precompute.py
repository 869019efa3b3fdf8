"""Filling the cache for all nodes of a graph at once, with large matrix products.

This pays on a static graph with many searches to the same goal: a search then computes only what
depends on its own history.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel
from phil.compiled.dense import SLOPE, Floats
from phil.graphs import AnyGraph
from phil.graphs.arrays import GraphArrays
from phil.heuristics.phil.aggregation import mix
from phil.heuristics.phil.cache import GOAL, ROW_BITS, ROWS, Cache, allocate, row_of
from phil.heuristics.phil.inputs import look_around, write_node
from phil.heuristics.phil.kernel import set_ends
from phil.heuristics.phil.weights import Weights
from phil.heuristics.scaling import Frame

BLOCK = 4096  # nodes per matrix product


def precomputed_bytes(weights: Weights, graph: AnyGraph) -> int:
    """The memory that filling the cache for a graph takes; all but the embeddings is kept."""
    columns = weights.f_bias.shape[1] + weights.message.shape[1] + weights.gates_bias.size
    return graph.num_nodes * columns * 4 + graph.size * 8


def precompute(weights: Weights, graph: AnyGraph, frame: Frame, goal: int) -> Cache:
    """A cache with complete rows of all nodes; embeddings are not kept."""
    nodes = graph.node_ids.astype(np.int32)
    cache = allocate(weights, graph.size, graph.max_degree, rows=nodes.size)
    set_ends(weights, cache, graph.arrays, frame, goal, goal)
    cache.place[nodes] = (cache.counters[GOAL] << ROW_BITS) | np.arange(nodes.size)
    cache.counters[ROWS] = nodes.size
    cache.ready[:] = 1
    for first in range(0, nodes.size, BLOCK):
        block = slice(first, first + BLOCK)
        cache.embedding[block] = _embed(weights, cache, graph, frame, nodes[block])
    cache.message[:] = cache.embedding[:, : weights.width] @ weights.message
    for first in range(0, nodes.size, BLOCK):
        block = slice(first, first + BLOCK)
        mixed = np.zeros((nodes[block].size, weights.gates.shape[0]), np.float32)
        patterns = np.zeros(nodes[block].size, np.int64)
        _mix(weights, cache, graph.arrays, frame, nodes[block], mixed, patterns)
        cache.gates[block] = mixed @ weights.gates + weights.gates_bias
        if weights.walls.shape[0]:
            cache.gates[block] += weights.walls[patterns]
    # All gates are computed, so no embedding is needed any more.
    return cache.replace(embedding=cache.embedding[:0].copy(), message=cache.message[:0].copy())


def _embed(
    weights: Weights, cache: Cache, graph: AnyGraph, frame: Frame, nodes: NDArray[np.int32]
) -> Floats:
    inputs = np.zeros((nodes.size, weights.first.shape[0]), np.float32)
    _write_nodes(graph.arrays, frame, nodes, cache.goal, weights.ends, weights.to_goal, inputs)
    x: Floats = inputs @ weights.first + cache.first_bias
    for layer, matrix in enumerate(weights.hidden, start=1):
        np.maximum(x, SLOPE * x, out=x)
        x = x[:, : weights.width] @ matrix + weights.f_bias[layer]
    return x


@kernel
def _write_nodes(
    graph: GraphArrays,
    frame: Frame,
    nodes: NDArray[np.int32],
    goal: Floats,
    ends: NDArray[np.int64],
    to_goal: bool,
    inputs: Floats,
) -> None:
    for item in range(nodes.size):
        write_node(graph, frame, nodes[item], goal, ends, to_goal, inputs[item])


@kernel
def _mix(
    weights: Weights,
    cache: Cache,
    graph: GraphArrays,
    frame: Frame,
    nodes: NDArray[np.int32],
    mixed: Floats,
    patterns: NDArray[np.int64],
) -> None:
    """Write the inputs of the gates and the walls of some nodes."""
    for item in range(nodes.size):
        seen, patterns[item] = look_around(
            graph,
            nodes[item],
            weights.neighbors,
            weights.moves,
            frame.turn,
            weights.sample_seed,
            cache.near,
            cache.edges,
            cache.costs,
        )
        for k in range(seen):
            cache.neighbor_rows[0, k] = row_of(cache, cache.near[k])
            cache.neighbor_edges[0, k] = cache.edges[k]
        cache.neighbor_counts[0] = seen
        row = row_of(cache, nodes[item])
        mix(weights, cache, graph, 0, row, mixed[item])
