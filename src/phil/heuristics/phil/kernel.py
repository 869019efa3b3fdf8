"""The compiled forward pass of PHIL and its search loop."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel, primitive
from phil.graphs.arrays import GraphArrays, node_features
from phil.heuristics.phil.aggregation import aggregate
from phil.heuristics.phil.cache import GOAL, ROWS, Cache
from phil.heuristics.phil.layers import affine, leak, sigmoid
from phil.heuristics.phil.sampling import missing_moves, sample_neighbors
from phil.heuristics.phil.scaling import Frame
from phil.heuristics.phil.weights import POWER, SOFTMAX, Weights
from phil.search.expand import insert, uncover
from phil.search.state import EXPANDED, State

TREND = np.float32(0.9)  # the share of the trend that a step leaves


@kernel
def begin(
    weights: Weights, cache: Cache, graph: GraphArrays, frame: Frame, start: int, goal: int
) -> None:
    """Make the cache ready for a problem: no rows, memory zero, no steps made."""
    if cache.trend.shape[0] > 0:
        for k in range(cache.goal.size):
            cache.trend[start, k] = 0.0
    cache.counters[GOAL] += 1
    cache.counters[ROWS] = 0
    for j in range(cache.memory.size):
        cache.memory[j] = 0.0
    _memory_gates(weights, cache)
    node_features(graph, goal, cache.goal)
    for k in range(cache.goal.size):
        cache.goal[k] = (cache.goal[k] - frame.centre[k]) / frame.spread[k]


@primitive
def _embed(weights: Weights, cache: Cache, graph: GraphArrays, frame: Frame, node: int) -> int:
    """The row of the cache that holds f of a node; computed if it is not there."""
    if cache.stamp[node] == cache.counters[GOAL]:
        return cache.row[node]
    row = cache.counters[ROWS]
    cache.counters[ROWS] += 1
    cache.stamp[node] = cache.counters[GOAL]
    cache.row[node] = row
    x = cache.inputs
    features = cache.goal.size
    node_features(graph, node, x)
    gap = np.float32(0.0)
    inner = np.float32(0.0)
    own = np.float32(0.0)
    other = np.float32(0.0)
    for k in range(features):
        here = (x[k] - frame.centre[k]) / frame.spread[k]
        there = cache.goal[k]
        x[k] = here
        x[features + k] = there
        gap += (here - there) * (here - there)
        inner += here * there
        own += here * here
        other += there * there
    x[2 * features] = np.sqrt(gap)
    x[2 * features + 1] = np.float32(1.0) - inner / max(np.sqrt(own * other), np.float32(1e-8))
    width = weights.mix_bias.size
    layers = weights.f_bias.shape[0]
    current = cache.embedding[row]
    affine(x, 2 * features + 2, weights.first, weights.f_bias[0], current)
    for layer in range(1, layers):
        leak(current, width)
        for j in range(width):
            cache.scratch[0, j] = current[j]
        affine(cache.scratch[0], width, weights.hidden[layer - 1], weights.f_bias[layer], current)
    if cache.message.shape[0] > 0:
        for j in range(width):
            cache.scratch[1, j] = 0.0
        affine(
            current, width, weights.message_neighbor, cache.scratch[1, :width], cache.message[row]
        )
    return row


@primitive
def _memory_gates(weights: Weights, cache: Cache) -> None:
    affine(
        cache.memory, cache.memory.size, weights.gru_memory, weights.gru_memory_bias, cache.gates
    )


@primitive
def _value(
    weights: Weights, cache: Cache, graph: GraphArrays, frame: Frame, node: int, item: int
) -> np.floating[Any]:
    """The value of node number `item` of V_new; adds its z_i to `cache.sum`."""
    width = weights.mix_bias.size
    size = cache.memory.size
    row = _embed(weights, cache, graph, frame, node)
    count = 0
    if weights.neighbors > 0:
        count = sample_neighbors(
            graph,
            node,
            weights.neighbors,
            weights.sample_seed,
            cache.near,
            cache.edges,
            cache.costs,
        )
    for k in range(count):
        _embed(weights, cache, graph, frame, cache.near[k])
    aggregate(weights, cache, graph, row, count)
    g, total = cache.scratch[0], cache.scratch[2]
    own = cache.embedding[row]
    if weights.convolution == SOFTMAX or weights.convolution == POWER:
        for j in range(width):
            total[j] += own[j]
        affine(total, width, weights.mix, weights.mix_bias, g)
    else:
        affine(total, width, weights.mix, weights.mix_bias, cache.scratch[1])
        affine(own, width, weights.root, cache.scratch[1, :width], g)
    if weights.walls.shape[0] > 0:
        missing_moves(graph, node, cache.missing, cache.near, cache.edges, cache.costs)
        pattern = 0
        for k in range(cache.missing.size):
            pattern += cache.missing[k] << k
        for j in range(width):
            g[j] += weights.walls[pattern, j]
    for k in range(weights.trail.shape[0]):
        scale = cache.trail[item, k]
        for j in range(width):
            g[j] += scale * weights.trail[k, j]
    gates, x = cache.scratch[1], cache.scratch[2]
    affine(g, width, weights.gru_input, weights.gru_input_bias, gates)
    for j in range(size):
        reset = sigmoid(gates[j] + cache.gates[j])
        update = sigmoid(gates[size + j] + cache.gates[size + j])
        fresh = np.tanh(gates[2 * size + j] + reset * cache.gates[2 * size + j])
        x[j] = (np.float32(1.0) - update) * fresh + update * cache.memory[j]
        cache.sum[j] += x[j]
    for k in range(cache.goal.size):
        x[size + k] = cache.goal[k]
    affine(x, size + cache.goal.size, weights.out_first, weights.out_first_bias, g)
    leak(g, width)
    affine(g, width, weights.out_second, weights.out_second_bias, gates)
    leak(gates, width)
    value = np.float32(weights.out_last_bias)
    for j in range(width):
        value += gates[j] * weights.out_last[j]
    return value * frame.distance


@primitive
def _follow_trail(
    cache: Cache,
    graph: GraphArrays,
    frame: Frame,
    parent: int,
    depth: int,
    nodes: NDArray[np.int32],
    count: int,
) -> None:
    """Write how the search came to each node: its depth, the step from its parent, their trend."""
    features = cache.goal.size
    for k in range(count):
        node_features(graph, parent, cache.inputs)
        for c in range(features):
            cache.inputs[features + c] = cache.inputs[c]
        node_features(graph, nodes[k], cache.inputs)
        cache.trail[k, 0] = depth / frame.distance
        for c in range(features):
            step = (cache.inputs[c] - cache.inputs[features + c]) / frame.step[c]
            trend = TREND * cache.trend[parent, c] + (np.float32(1.0) - TREND) * step
            cache.trend[nodes[k], c] = trend
            cache.trail[k, 1 + c] = step
            cache.trail[k, 1 + features + c] = trend


@primitive
def evaluate(
    weights: Weights,
    cache: Cache,
    graph: GraphArrays,
    frame: Frame,
    parent: int,
    depth: int,
    nodes: NDArray[np.int32],
    count: int,
    values: NDArray[np.float64],
) -> None:
    """Values of V_new, in path-cost units; moves the memory on.

    V_new are the first `count` of the nodes, uncovered by expanding `parent` and `depth` moves
    from the start.
    """
    if weights.trail.shape[0] > 0:
        _follow_trail(cache, graph, frame, parent, depth, nodes, count)
    for j in range(cache.sum.size):
        cache.sum[j] = 0.0
    for k in range(count):
        values[k] = _value(weights, cache, graph, frame, nodes[k], k)
    if weights.remember and count > 0:
        for j in range(cache.memory.size):
            cache.memory[j] = cache.sum[j] / np.float32(count)
        _memory_gates(weights, cache)


@primitive
def looks_ahead(weights: Weights) -> bool:
    """Whether a node's value depends on its neighbours."""
    return weights.neighbors > 0 or weights.walls.shape[0] > 0


@kernel
def run(
    state: State,
    weights: Weights,
    cache: Cache,
    graph: GraphArrays,
    frame: Frame,
    goal: int,
    budget: int,
) -> int:
    """The whole search, compiled (see `phil.search.guide.CompiledGuide`)."""
    ahead = looks_ahead(weights)
    while True:
        count = uncover(state, graph, goal, budget, ahead)
        if count < 0:
            return count
        node = state.counters[EXPANDED]
        depth = state.nodes[node].depth + 1
        evaluate(weights, cache, graph, frame, node, depth, state.new, count, state.values)
        insert(state, graph, count)
