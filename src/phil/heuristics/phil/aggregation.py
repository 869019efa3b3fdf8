"""Aggregating a node's neighbours for the five convolutions, compiled.

Searches aggregate nodes one by one from the cache (`mix`), training a batch of them, with gradient
(`softmax_sum`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel, primitive, routine
from phil.compiled.dense import Floats, affine
from phil.compiled.exponential import exp32
from phil.compiled.softmax import softmax_mean
from phil.graphs.arrays import GraphArrays
from phil.heuristics.phil.cache import Cache
from phil.heuristics.phil.weights import GAT, MAX, POWER, SOFTMAX, SUM, Weights

ATTENTION_SLOPE = np.float32(0.2)  # of GAT's leaky ReLU
EPSILON = np.float32(1e-7)  # DeeperGCN: messages are positive
POWER_MIN = np.float32(1e-4)  # DeeperGCN's bounds on what is raised to a power
POWER_MAX = np.float32(100.0)
ZERO = np.float32(0.0)
ONE = np.float32(1.0)
LOWEST = np.float32(-np.inf)

Integers = NDArray[np.int64]


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


@primitive
def _message(near: Floats, edge: Floats, weight: Floats, message: Floats) -> None:
    """x_j + W e_ij."""
    for c in range(message.size):
        message[c] = near[c]
    for e in range(edge.size):
        scale, along = edge[e], weight[e]
        for c in range(message.size):
            message[c] += scale * along[c]


@kernel
def softmax_sum(
    x: Floats,
    first: int,
    node: Integers,
    neighbor: Integers,
    mask: NDArray[np.bool_],
    edge: Floats,
    weight: Floats,
    sharpness: Floats,
    buffer: Floats,
    kept: Floats,
    out: Floats,
) -> None:
    """x_i + the softmax aggregate of each node; `x` holds the rows from `first` on."""
    width, most = x.shape[1], neighbor.shape[1]
    for item in range(node.size):
        top, total, mean = kept[item, 0], kept[item, 1], kept[item, 2]
        for c in range(width):
            top[c] = LOWEST
            total[c] = ZERO
            mean[c] = ZERO
        count = 0
        for j in range(most):
            if not mask[item, j]:
                continue
            message, logit = buffer[count], buffer[most + count]
            _message(x[neighbor[item, j] - first], edge[item, j], weight, message)
            for c in range(width):
                message[c] = (message[c] if message[c] > ZERO else ZERO) + EPSILON
                logit[c] = message[c] * sharpness[0]
                top[c] = logit[c] if logit[c] > top[c] else top[c]
            count += 1
        for k in range(count):
            message, logit = buffer[k], buffer[most + k]
            for c in range(width):
                share = exp32(logit[c] - top[c])
                total[c] += share
                mean[c] += share * message[c]
        own, into = x[node[item] - first], out[item]
        for c in range(width):
            # Without neighbours the aggregate is 0.
            mean[c] = mean[c] / total[c] if count > 0 else ZERO
            into[c] = own[c] + mean[c]


@kernel
def softmax_sum_grad(
    x: Floats,
    first: int,
    node: Integers,
    neighbor: Integers,
    mask: NDArray[np.bool_],
    edge: Floats,
    weight: Floats,
    sharpness: Floats,
    buffer: Floats,
    kept: Floats,
    out_grad: Floats,
    x_grad: Floats,
    weight_grad: Floats,
    sharpness_grad: Floats,
) -> None:
    """Add the gradients of x, W and the sharpness, given those of the outputs."""
    width, most = x.shape[1], neighbor.shape[1]
    message, message_grad = buffer[0], buffer[1]
    for item in range(node.size):
        arrived, own = out_grad[item], x_grad[node[item] - first]
        top, total, mean = kept[item, 0], kept[item, 1], kept[item, 2]
        for c in range(width):
            own[c] += arrived[c]
        for j in range(most):
            if not mask[item, j]:
                continue
            _message(x[neighbor[item, j] - first], edge[item, j], weight, message)
            near = x_grad[neighbor[item, j] - first]
            for c in range(width):
                positive = (message[c] if message[c] > ZERO else ZERO) + EPSILON
                flow = arrived[c] * exp32(positive * sharpness[0] - top[c]) / total[c]
                above = positive - mean[c]
                # The weighted gaps sum to 0, so positive * above would only add rounding errors.
                sharpness_grad[c] += flow * above * above
                flow *= ONE + sharpness[0] * above
                message_grad[c] = flow if message[c] > ZERO else ZERO
                near[c] += message_grad[c]
            for e in range(weight.shape[0]):
                scale, along = edge[item, j, e], weight_grad[e]
                for c in range(width):
                    along[c] += scale * message_grad[c]
