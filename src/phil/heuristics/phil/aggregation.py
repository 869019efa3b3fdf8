"""Aggregating a node's neighbours for the five convolutions, from the cache, compiled."""

from __future__ import annotations

import numpy as np

from phil.compiled import primitive, routine
from phil.compiled.dense import Floats, affine
from phil.compiled.messages import EPSILON
from phil.compiled.softmax import softmax_mean
from phil.graphs.arrays import GraphArrays
from phil.heuristics.phil.cache import Cache
from phil.heuristics.phil.weights import GAT, MAX, POWER, SOFTMAX, SUM, Weights

ATTENTION_SLOPE = np.float32(0.2)  # of GAT's leaky ReLU
POWER_MIN = np.float32(1e-4)  # DeeperGCN's bounds on what is raised to a power
POWER_MAX = np.float32(100.0)
ZERO = np.float32(0.0)
ONE = np.float32(1.0)


@primitive
def mix(
    weights: Weights, cache: Cache, graph: GraphArrays, item: int, row: int, out: Floats
) -> None:
    """Write what the convolution's last layer reads: the node at a row and the aggregate.

    The neighbours are those of item `item` in `cache.neighbor_rows`. DeeperGCN reads the sum of
    both, the others their concatenation.
    """
    _aggregate(weights, cache, graph, item, row)
    width = weights.width
    if weights.convolution == SOFTMAX or weights.convolution == POWER:
        for j in range(width):
            out[j] = cache.embedding[row, j] + cache.total[j]
    else:
        for j in range(width):
            out[j] = cache.embedding[row, j]
            out[width + j] = cache.total[j]


@primitive
def _aggregate(weights: Weights, cache: Cache, graph: GraphArrays, item: int, row: int) -> None:
    """Write the aggregate of the messages to `cache.total`."""
    kind = weights.convolution
    size = cache.total.size
    count = cache.neighbor_counts[item]
    for j in range(size):
        cache.total[j] = ZERO
    if count == 0:
        if kind == POWER:
            for j in range(weights.width):
                cache.total[j] = POWER_MIN ** (ONE / np.float32(weights.sharpness))
    elif kind == GAT:
        _attend(weights, cache, graph, item, row, count)
    elif kind in (MAX, SUM):
        _pass_messages(weights, cache, graph, item, row, count)
    else:
        _positive_messages(weights, cache, graph, item, count)
        if kind == SOFTMAX:
            softmax_mean(cache.messages, count, np.float32(weights.sharpness), cache.total)
        else:
            _power_mean(weights, cache, count)


@primitive
def _lift(weights: Weights, cache: Cache, graph: GraphArrays, edge: int) -> None:
    """Write W e of an edge to `cache.lift`."""
    for j in range(cache.lift.size):
        cache.lift[j] = ZERO
    for e in range(weights.edge.shape[0]):
        scale = graph.edge_features[edge, e]
        for j in range(cache.lift.size):
            cache.lift[j] += scale * weights.edge[e, j]


@primitive
def _positive_messages(
    weights: Weights, cache: Cache, graph: GraphArrays, item: int, count: int
) -> None:
    """DeeperGCN: ReLU(x_j + W e_ij) + eps."""
    for k in range(count):
        _lift(weights, cache, graph, cache.neighbor_edges[item, k])
        other = cache.neighbor_rows[item, k]
        for j in range(cache.lift.size):
            lifted = cache.lift[j] + cache.embedding[other, j]
            cache.messages[k, j] = max(lifted, ZERO) + EPSILON


@routine
def _power_mean(weights: Weights, cache: Cache, count: int) -> None:
    sharpness = np.float32(weights.sharpness)
    for k in range(count):
        for j in range(weights.width):
            bounded = min(max(cache.messages[k, j], POWER_MIN), POWER_MAX)
            cache.total[j] += bounded**sharpness
    for j in range(weights.width):
        mean = min(max(cache.total[j] / np.float32(count), POWER_MIN), POWER_MAX)
        cache.total[j] = mean ** (ONE / sharpness)


@routine
def _pass_messages(
    weights: Weights, cache: Cache, graph: GraphArrays, item: int, row: int, count: int
) -> None:
    """MPNN: the maximum or sum of ReLU(W_i x_i + W_j x_j + W e_ij)."""
    affine(
        cache.embedding,
        row,
        1,
        weights.width,
        weights.message_node,
        weights.message_bias,
        cache.messages,
        0,
    )
    for k in range(count):
        _lift(weights, cache, graph, cache.neighbor_edges[item, k])
        other = cache.neighbor_rows[item, k]
        for j in range(cache.lift.size):
            message = cache.lift[j] + cache.message[other, j] + cache.messages[0, j]
            if weights.convolution == MAX:
                cache.total[j] = max(cache.total[j], message)
            else:
                cache.total[j] += max(message, ZERO)


@routine
def _attend(
    weights: Weights, cache: Cache, graph: GraphArrays, item: int, row: int, count: int
) -> None:
    """GAT: the mean of x_j weighted by attention, LeakyReLU(a_i . x_i + a_j . x_j + a_e . e_ij)."""
    highest = np.float32(-np.inf)
    for k in range(count):
        score = cache.message[row, 0] + cache.message[cache.neighbor_rows[item, k], 1]
        edge = cache.neighbor_edges[item, k]
        for e in range(weights.edge_attention.size):
            score += weights.edge_attention[e] * graph.edge_features[edge, e]
        score = score if score >= 0 else ATTENTION_SLOPE * score
        cache.messages[k, 0] = score
        highest = max(highest, score)
    mass = ZERO
    for k in range(count):
        cache.messages[k, 0] = np.exp(cache.messages[k, 0] - highest)
        mass += cache.messages[k, 0]
    for k in range(count):
        share = cache.messages[k, 0] / mass
        other = cache.neighbor_rows[item, k]
        for j in range(cache.total.size):
            cache.total[j] += share * cache.embedding[other, j]
