"""The five convolutions' aggregation of a node's neighbours, compiled."""

from __future__ import annotations

import numpy as np

from phil.compiled import primitive
from phil.graphs.arrays import GraphArrays
from phil.heuristics.phil.cache import Cache
from phil.heuristics.phil.layers import affine
from phil.heuristics.phil.weights import GAT, MAX, POWER, SOFTMAX, SUM, Weights

ATTENTION_LEAK = np.float32(0.2)
EPSILON = np.float32(1e-7)
POWER_MIN = np.float32(1e-4)
POWER_MAX = np.float32(100.0)


@primitive
def aggregate(weights: Weights, cache: Cache, graph: GraphArrays, row: int, count: int) -> None:
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
