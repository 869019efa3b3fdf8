"""What the compiled network keeps during a search.

f(x) does not depend on the history of the search: it is computed once per node and goal and kept in
a row of the cache, rows being given in order of discovery.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from phil.graphs.graph import Scalar
from phil.heuristics.phil.layers import Floats
from phil.heuristics.phil.weights import MAX, SUM, Weights

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


def grow(cache: Cache, size: int, degree: int) -> Cache:
    """The cache, with room for more node ids or more neighbours if it needs it; nothing is lost."""
    if cache.stamp.size < size:
        size = max(size, 2 * cache.stamp.size)
        cache = cache._replace(
            stamp=_longer(cache.stamp, size),
            row=_longer(cache.row, size),
            embedding=_longer(cache.embedding, size),
            message=_longer(cache.message, size),
            trend=_longer(cache.trend, size),
        )
    if cache.near.size < degree:
        degree = max(degree, 2 * cache.near.size)
        cache = cache._replace(
            near=_longer(cache.near, degree),
            edges=_longer(cache.edges, degree),
            costs=_longer(cache.costs, degree),
            scores=_longer(cache.scores, degree),
            trail=_longer(cache.trail, degree),
        )
    return cache


def _longer(array: NDArray[Scalar], rows: int) -> NDArray[Scalar]:
    """The array with more rows; one that is not used stays empty."""
    longer = np.zeros((rows if len(array) else 0, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer
