"""node2vec:k: an embedding of k numbers per node, similar for nodes that co-occur on random walks.

Walks start at every node as in Grover and Leskovec (2016), with return parameter p = 1 and in-out
parameter q = 1/2, which favours moving away. Skip-gram with negative sampling (Mikolov et al. 2013)
learns from each walk as it is generated, on one thread, in a fixed order, from a fixed seed. Walks
ignore direction and weights (weights are costs, not similarities). A node without edges gets zeros.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel, primitive
from phil.graphs.features.feature import Columns, Feature, undirected_adjacency
from phil.graphs.graph import FeatureGroup, Graph

WALKS = 5  # per node
LENGTH = 20  # nodes per walk
WINDOW = 5  # context size on each side
NEGATIVES = 3  # negative samples per positive pair
FIRST_RATE, LAST_RATE = 0.05, 0.0005  # learning rate
OUTWARDS = 2.0  # 1 / q: preference for nodes that are not adjacent to the previous one
SEED = 0
NUMBERS = 4  # vector entries updated in the time a search takes to visit an edge


@primitive
def _draw(random: NDArray[np.uint64]) -> float:
    """The next number in [0, 1) from SplitMix64."""
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    value = random[0]
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    value = value ^ (value >> np.uint64(31))
    return np.float64(value >> np.uint64(11)) * 2.0**-53


@primitive
def _has_edge(indptr: NDArray[np.int64], indices: NDArray[np.int32], node: int, other: int) -> bool:
    """Whether a node has an edge to another (binary search in sorted neighbours)."""
    low = indptr[node]
    high = indptr[node + 1]
    while low < high:
        middle = (low + high) // 2
        if indices[middle] < other:
            low = middle + 1
        else:
            high = middle
    return low < indptr[node + 1] and indices[low] == other


@primitive
def _walk(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    start: int,
    random: NDArray[np.uint64],
    walk: NDArray[np.int32],
) -> None:
    walk[0] = start
    for place in range(1, walk.size):
        here = walk[place - 1]
        while True:
            degree = indptr[here + 1] - indptr[here]
            there = indices[indptr[here] + int(_draw(random) * degree)]
            if place == 1:
                break
            # Rejection sampling needs no table of transition probabilities.
            last = walk[place - 2]
            near = there == last or _has_edge(indptr, indices, last, there)
            if not near or _draw(random) * OUTWARDS < 1.0:
                break
        walk[place] = there


@primitive
def _learn(
    vector: NDArray[np.float32],
    context: NDArray[np.float32],
    met: float,
    rate: float,
    step: NDArray[np.float32],
) -> None:
    """One update: of a node's vector (accumulated in `step`) and a context vector (in place)."""
    product = np.float32(0.0)
    for column in range(vector.size):
        product += vector[column] * context[column]
    gain = np.float32(rate * (met - 1.0 / (1.0 + np.exp(-np.float64(product)))))
    for column in range(vector.size):
        step[column] += gain * context[column]
        context[column] += gain * vector[column]


@kernel
def _train(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    order: NDArray[np.int64],
    noise: NDArray[np.int32],
    random: NDArray[np.uint64],
    walk: NDArray[np.int32],
    step: NDArray[np.float32],
    vectors: NDArray[np.float32],
    contexts: NDArray[np.float32],
) -> None:
    total = WALKS * order.size
    for number in range(total):
        start = order[number % order.size]
        rate = max(LAST_RATE, FIRST_RATE * (1.0 - number / total))
        _walk(indptr, indices, start, random, walk)
        for place in range(walk.size):
            vector = vectors[walk[place]]
            first = max(0, place - WINDOW)
            for other in range(first, min(walk.size, place + WINDOW + 1)):
                if other == place:
                    continue
                step[:] = 0.0
                _learn(vector, contexts[walk[other]], 1.0, rate, step)
                for _ in range(NEGATIVES):
                    drawn = noise[int(_draw(random) * noise.size)]
                    if drawn != walk[other]:
                        _learn(vector, contexts[drawn], 0.0, rate, step)
                for column in range(step.size):
                    vector[column] += step[column]


def embedding(graph: Graph, k: int) -> NDArray[np.float32]:
    """The embedding vectors of all nodes."""
    adjacency = undirected_adjacency(graph)
    degree = np.diff(adjacency.indptr)
    random = np.random.default_rng(SEED)
    vectors = (random.random((graph.num_nodes, k), np.float32) - np.float32(0.5)) / np.float32(k)
    vectors[degree == 0] = 0.0
    order = random.permutation(np.flatnonzero(degree))
    if order.size:
        # Negatives are sampled in proportion to degree^(3/4), as in word2vec.
        often = np.ceil(degree**0.75).astype(np.int64)
        _train(
            adjacency.indptr.astype(np.int64),
            adjacency.indices.astype(np.int32),
            order,
            np.repeat(np.arange(graph.num_nodes, dtype=np.int32), often),
            np.array([SEED], np.uint64),
            np.empty(LENGTH, np.int32),
            np.empty(k, np.float32),
            vectors,
            np.zeros_like(vectors),
        )
    return vectors


def _columns(graph: Graph, k: int) -> Columns:
    names = tuple(f"node2vec {number}" for number in range(k))
    return Columns(names, (FeatureGroup("node2vec", k, alike=True),))


def _operations(graph: Graph, k: int) -> float:
    pairs = graph.num_nodes * WALKS * LENGTH * 2 * WINDOW * (1 + NEGATIVES)
    return pairs * max(1.0, k / NUMBERS)


NODE2VEC = Feature(
    name="node2vec",
    default=16,
    instead="degree and a few landmarks, such as degree,landmarks:2",
    columns=_columns,
    operations=_operations,
    compute=embedding,
    kept=True,
)
