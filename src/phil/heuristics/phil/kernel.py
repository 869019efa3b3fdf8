"""The compiled forward pass of PHIL and its search loop.

Sums run over the inputs in sequence and vectorise over the outputs, so a value does not depend on
how many nodes are evaluated together. f(x) does not depend on the history of the search: it is
computed once per node and goal and kept in a row of the cache, rows being given in order of
discovery.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel, primitive
from phil.graphs.arrays import GraphArrays, node_features
from phil.heuristics.phil.sampling import missing_moves, sample_neighbors
from phil.heuristics.phil.scaling import Frame
from phil.heuristics.phil.weights import GAT, MAX, POWER, SOFTMAX, SUM, Weights
from phil.search.expand import expand, insert
from phil.search.state import EXPANDED, State

Floats = NDArray[np.float32]

LEAK = np.float32(0.01)
ATTENTION_LEAK = np.float32(0.2)
EPSILON = np.float32(1e-7)
POWER_MIN = np.float32(1e-4)
POWER_MAX = np.float32(100.0)
TREND = np.float32(0.9)  # the share of the trend that a step leaves
GOAL, ROWS = 0, 1  # rows of `Cache.counters`


class Cache(NamedTuple):
    """f of the nodes met so far for one goal, and room to work in."""

    stamp: NDArray[np.int64]  # which goal a node's row belongs to
    row: NDArray[np.int32]
    embedding: Floats  # (rows, width): f(x)
    message: Floats  # (rows, width): the neighbour's half of an MPNN message
    counters: NDArray[np.int64]
    goal: Floats  # scaled features of the goal
    memory: Floats  # z
    sum: Floats  # of z_i over V_new
    gates: Floats  # memory's half of the GRU gates
    inputs: Floats
    scratch: Floats  # (6, longest vector)
    near: NDArray[np.int32]
    edges: NDArray[np.int64]
    costs: NDArray[np.float64]
    missing: NDArray[np.uint8]
    scores: Floats  # attention, one per neighbour
    trend: Floats  # (nodes, D): the decaying mean of the steps that led to a node
    trail: Floats  # (degree, 1 + 2 D): how the search came to each node of V_new


def allocate(weights: Weights, size: int, degree: int, features: int) -> Cache:
    """A cache for graphs of up to `size` node ids.

    The rows are asked for but not touched: the system gives memory as they are used.
    """
    width = weights.mix_bias.size
    memory = weights.gru_memory.shape[0]
    trails = weights.trail.shape[0] > 0
    messages = size if weights.convolution in (MAX, SUM) else 0
    return Cache(
        stamp=np.zeros(size, np.int64),
        row=np.empty(size, np.int32),
        embedding=np.empty((size, width), np.float32),
        message=np.empty((messages, width), np.float32),
        counters=np.zeros(2, np.int64),
        goal=np.empty(features, np.float32),
        memory=np.zeros(memory, np.float32),
        sum=np.zeros(memory, np.float32),
        gates=np.empty(3 * memory, np.float32),
        inputs=np.empty(2 * features + 2, np.float32),
        scratch=np.empty((6, max(width, 3 * memory, memory + features)), np.float32),
        near=np.empty(degree, np.int32),
        edges=np.empty(degree, np.int64),
        costs=np.empty(degree),
        missing=np.empty(max(0, weights.walls.shape[0].bit_length() - 1), np.uint8),
        scores=np.empty(degree, np.float32),
        trend=np.empty((size if trails else 0, features), np.float32),
        trail=np.empty((degree, weights.trail.shape[0]), np.float32),
    )


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
def affine(x: Floats, size: int, matrix: Floats, bias: Floats, out: Floats) -> None:
    """out = x[:size] @ matrix + bias."""
    outputs = bias.size
    for j in range(outputs):
        out[j] = bias[j]
    for k in range(size):
        scale = x[k]
        for j in range(outputs):
            out[j] += scale * matrix[k, j]


@primitive
def _leak(x: Floats, size: int) -> None:
    for j in range(size):
        x[j] = x[j] if x[j] >= 0 else LEAK * x[j]


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
        _leak(current, width)
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
def _aggregate(weights: Weights, cache: Cache, graph: GraphArrays, row: int, count: int) -> None:
    """Write the aggregate of the neighbours' messages to scratch row 2 (3-5 are working room)."""
    width = weights.mix_bias.size
    kind = weights.convolution
    total, lift, top, weight = (
        cache.scratch[2],
        cache.scratch[3],
        cache.scratch[4],
        cache.scratch[5],
    )
    for j in range(width):
        total[j] = 0.0
        weight[j] = 0.0
        top[j] = -np.inf
    if kind in (MAX, SUM):
        affine(cache.embedding[row], width, weights.message_node, weights.message_bias, top)
    if kind == GAT:
        _attend(weights, cache, graph, row, count)
        return
    # A softmax is taken relative to the largest message, found in a pass of its own.
    for attempt in range(2 if kind == SOFTMAX else 1):
        for k in range(count):
            other = cache.row[cache.near[k]]
            for j in range(width):
                lift[j] = 0.0
            for e in range(weights.edge.shape[0]):
                scale = graph.edge_features[cache.edges[k], e]
                for j in range(width):
                    lift[j] += scale * weights.edge[e, j]
            if kind == MAX:
                for j in range(width):
                    total[j] = max(total[j], lift[j] + cache.message[other, j] + top[j])
            elif kind == SUM:
                for j in range(width):
                    total[j] += max(lift[j] + cache.message[other, j] + top[j], np.float32(0.0))
            elif kind == POWER:
                for j in range(width):
                    m = max(lift[j] + cache.embedding[other, j], np.float32(0.0)) + EPSILON
                    m = min(max(m, POWER_MIN), POWER_MAX)
                    total[j] += m ** np.float32(weights.sharpness)
            else:
                for j in range(width):
                    m = max(lift[j] + cache.embedding[other, j], np.float32(0.0)) + EPSILON
                    if attempt == 0:
                        top[j] = max(top[j], m * np.float32(weights.sharpness))
                    else:
                        share = np.exp(m * np.float32(weights.sharpness) - top[j])
                        weight[j] += share
                        total[j] += share * m
    if kind == SOFTMAX and count > 0:
        for j in range(width):
            total[j] /= weight[j]
    if kind == POWER:
        root = np.float32(1.0) / np.float32(weights.sharpness)
        for j in range(width):
            mean = total[j] / np.float32(max(count, 1))
            total[j] = min(max(mean, POWER_MIN), POWER_MAX) ** root


@primitive
def _attend(weights: Weights, cache: Cache, graph: GraphArrays, row: int, count: int) -> None:
    width = weights.mix_bias.size
    total, score = cache.scratch[2], cache.scores
    own = np.float32(0.0)
    for j in range(width):
        own += weights.attention[0, j] * cache.embedding[row, j]
    top = np.float32(-np.inf)
    for k in range(count):
        other = cache.row[cache.near[k]]
        s = own
        for j in range(width):
            s += weights.attention[1, j] * cache.embedding[other, j]
        for e in range(weights.edge_attention.size):
            s += weights.edge_attention[e] * graph.edge_features[cache.edges[k], e]
        score[k] = s if s >= 0 else ATTENTION_LEAK * s
        top = max(top, score[k])
    mass = np.float32(0.0)
    for k in range(count):
        score[k] = np.exp(score[k] - top)
        mass += score[k]
    for k in range(count):
        other = cache.row[cache.near[k]]
        for j in range(width):
            total[j] += score[k] / mass * cache.embedding[other, j]


@primitive
def _memory_gates(weights: Weights, cache: Cache) -> None:
    affine(
        cache.memory, cache.memory.size, weights.gru_memory, weights.gru_memory_bias, cache.gates
    )


@primitive
def _sigmoid(x: np.float32) -> np.float32:
    return np.float32(1.0) / (np.float32(1.0) + np.exp(-x))


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
    _aggregate(weights, cache, graph, row, count)
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
        reset = _sigmoid(gates[j] + cache.gates[j])
        update = _sigmoid(gates[size + j] + cache.gates[size + j])
        fresh = np.tanh(gates[2 * size + j] + reset * cache.gates[2 * size + j])
        x[j] = (np.float32(1.0) - update) * fresh + update * cache.memory[j]
        cache.sum[j] += x[j]
    for k in range(cache.goal.size):
        x[size + k] = cache.goal[k]
    affine(x, size + cache.goal.size, weights.out_first, weights.out_first_bias, g)
    _leak(g, width)
    affine(g, width, weights.out_second, weights.out_second_bias, gates)
    _leak(gates, width)
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


@kernel
def score(
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
    """`evaluate` for callers that are not compiled."""
    evaluate(weights, cache, graph, frame, parent, depth, nodes, count, values)


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
    while True:
        count = expand(state, graph, goal, budget)
        if count < 0:
            return count
        node = state.counters[EXPANDED]
        depth = state.depth[node] + 1
        evaluate(weights, cache, graph, frame, node, depth, state.new, count, state.values)
        insert(state, count)
