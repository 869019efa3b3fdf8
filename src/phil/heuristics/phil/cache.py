"""What the compiled network caches for one goal, and its workspace.

f, the convolution and the input half of the GRU's gates do not depend on the history of a search:
they are computed once per node and goal and cached in a row. Rows are assigned in order of
discovery, and further searches to the same goal reuse them. On another map of the same size with
the same goal, f of a node is the same, and only the rest is computed anew.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from phil.compiled import Array1, Array2, Struct, primitive
from phil.compiled.dense import Floats
from phil.compiled.vectors import aligned_zeros, padded
from phil.graphs import SearchedGraph
from phil.heuristics.phil.weights import Weights

Scalar = TypeVar("Scalar", bound=np.generic)

GOAL, ROWS, FRESH, GOAL_NODE, START_NODE = range(5)  # rows of `Cache.counters`
NUMBER, CALLS_AHEAD = 0, 1  # rows of `Cache.search`
NO_ROW = -1
ROW_BITS = 32
NO_ROWS_LEFT = -100  # the search loop's code when the cache must grow

MOST_NEW = 16  # nodes of V_new evaluated together
MOST_FRESH = 256  # nodes embedded together: those of V_new and their neighbours
FIRST_ROWS = 1024


class Cache(Struct):
    """The rows of the nodes discovered so far for one goal, and the workspace of a search."""

    place: Array1[np.int64]  # by node: the goal's number and the row
    embedding: Array2[np.float32]  # (rows, width): f(x)
    message: Array2[np.float32]  # (rows, ...): what a convolution needs of f(x) as a neighbour
    gates: Array2[np.float32]  # (rows, 3 memory): the input half of the GRU
    ready: Array1[np.uint8]  # (rows,): whether `gates` is computed, or only f(x)
    counters: Array1[np.int64]
    # Of the goal.
    goal: Array1[np.float32]  # its scaled features
    first_bias: Array1[np.float32]  # f's first layer without the node
    out_bias: Array1[np.float32]  # the read-out's first layer without the memory
    out_last: Array1[np.float32]  # the read-out's last layer
    out_last_bias: Array1[np.float32]  # (1,)
    # Of the search.
    search: Array1[np.int64]
    memory: Array2[np.float32]  # (1, memory): z
    memory_gates: Array2[np.float32]  # (1, 3 memory)
    sum: Array1[np.float32]  # of z_i over V_new
    trend: Array2[np.float32]  # (nodes, D): the decaying mean of the steps that led to a node
    trail: Array2[np.float32]  # (degree, T): how the search came to each node of V_new
    # What the search knows of the cells of a grid (see `phil.heuristics.phil.known`).
    seen: Array1[np.int32]  # by cell
    window: Array2[np.int64]  # (cells, axes): around a node, relative to it
    reach: Array1[np.int64]  # (cells,): the same as differences of cell numbers
    again: Array1[np.int32]  # (1,): the node that is evaluated again
    # Nodes whose f is yet to be computed, and buffers for it.
    fresh: Array1[np.int32]
    inputs: Array2[np.float32]
    left: Array2[np.float32]
    right: Array2[np.float32]
    # V_new: its rows, and row, walls and neighbours of the nodes that are not ready.
    rows: Array1[np.int32]
    unready: Array1[np.int32]
    patterns: Array1[np.int32]
    neighbor_counts: Array1[np.int32]
    neighbor_rows: Array2[np.int32]
    neighbor_edges: Array2[np.int64]
    messages: Array2[np.float32]  # (n, width) of one node
    lift: Array1[np.float32]
    total: Array1[np.float32]
    mixed: Array2[np.float32]  # (batch, width or 2 width): what the gates are computed of
    mixed_gates: Array2[np.float32]
    z: Array2[np.float32]
    hidden: Array2[np.float32]
    last: Array2[np.float32]
    # Buffers for the neighbours of one node.
    near: Array1[np.int32]
    edges: Array1[np.int64]
    costs: Array1[np.float64]


# What searches to one goal can share once all rows are computed.
OF_THE_GOAL = (
    "place",
    "embedding",
    "message",
    "gates",
    "ready",
    "counters",
    "goal",
    "first_bias",
    "out_bias",
    "out_last",
    "out_last_bias",
)


def allocate(
    weights: Weights, size: int, degree: int, rows: int = FIRST_ROWS, *, cells: int = 0
) -> Cache:
    """A cache for graphs of up to `size` node ids and `cells` cells, with `rows` rows at first."""
    features, outputs = weights.out_goal.shape
    gates = weights.gates_bias.size
    memory = weights.memory.shape[0]
    most = max(1, weights.neighbors)
    batch = max(1, min(MOST_NEW, MOST_FRESH // (1 + weights.neighbors)))
    fresh = batch * (1 + weights.neighbors)

    def numbers(*shape: int) -> Floats:
        # Zeros: the padding of vectors is never written and must not be NaN.
        return aligned_zeros(*shape)

    return Cache(
        place=np.zeros(size, np.int64),
        embedding=numbers(rows, outputs),
        message=numbers(rows, weights.message.shape[1]),
        gates=numbers(rows, gates),
        ready=np.zeros(rows, np.uint8),
        counters=np.zeros(5, np.int64),
        goal=numbers(features),
        first_bias=numbers(outputs),
        out_bias=numbers(outputs),
        out_last=numbers(outputs),
        out_last_bias=np.zeros(1, np.float32),
        search=np.zeros(2, np.int64),
        memory=numbers(1, padded(memory)),
        memory_gates=numbers(1, gates),
        sum=numbers(padded(memory)),
        trend=numbers(size if weights.steps else 0, features),
        trail=numbers(degree, weights.trail.shape[0]),
        seen=np.zeros(cells if len(weights.window) else 0, np.int32),
        window=np.zeros(weights.window.shape, np.int64),
        reach=np.zeros(len(weights.window), np.int64),
        again=np.zeros(1, np.int32),
        fresh=np.empty(fresh, np.int32),
        inputs=numbers(max(2, fresh), weights.first.shape[0]),
        left=numbers(fresh, outputs),
        right=numbers(fresh, outputs),
        rows=np.empty(batch, np.int32),
        unready=np.empty(batch, np.int32),
        patterns=np.empty(batch, np.int32),
        neighbor_counts=np.empty(batch, np.int32),
        neighbor_rows=np.empty((batch, most), np.int32),
        neighbor_edges=np.empty((batch, most), np.int64),
        messages=numbers(most, outputs),
        lift=numbers(outputs),
        total=numbers(outputs),
        mixed=numbers(batch, weights.gates.shape[0]),
        mixed_gates=numbers(batch, gates),
        z=numbers(batch, padded(memory)),
        hidden=numbers(batch, outputs),
        last=numbers(batch, outputs),
        near=np.empty(degree, np.int32),
        edges=np.empty(degree, np.int64),
        costs=np.empty(degree),
    )


def map_shape(graph: SearchedGraph) -> tuple[int, ...] | None:
    """The shape of a map, which determines the features of its nodes; None for other graphs."""
    return graph.shape if graph.is_known and not graph.arrays.features.size else None


def forget_map(cache: Cache) -> None:
    """Keep f(x) of the nodes, but none of what depends on a map's walls."""
    cache.ready[: cache.counters[ROWS]] = 0


def with_rows(cache: Cache, rows: int) -> Cache:
    """The same cache with room for more rows."""
    if cache.ready.size >= rows:
        return cache
    rows = max(rows, min(2 * cache.ready.size, cache.place.size))
    return cache.replace(
        embedding=_more_rows(cache.embedding, rows),
        message=_more_rows(cache.message, rows),
        gates=_more_rows(cache.gates, rows),
        ready=_longer(cache.ready, rows),
    )


def with_nodes(cache: Cache, size: int, degree: int) -> Cache:
    """The same cache with room for more nodes, or nodes with more neighbours."""
    if cache.place.size < size:
        size = max(size, 2 * cache.place.size)
        trend = _longer(cache.trend, size) if cache.trend.shape[0] else cache.trend
        cache = cache.replace(place=_longer(cache.place, size), trend=trend)
    if cache.near.size < degree:
        degree = max(degree, 2 * cache.near.size)
        cache = cache.replace(
            trail=_longer(cache.trail, degree),
            near=np.empty(degree, np.int32),
            edges=np.empty(degree, np.int64),
            costs=np.empty(degree),
        )
    return cache


def with_cells(cache: Cache, cells: int) -> Cache:
    """The same cache with room for a grid of so many cells."""
    if len(cache.window) and cache.seen.size < cells:
        return cache.replace(seen=np.zeros(cells, np.int32))  # memory is committed as it is used
    return cache


def _longer(array: NDArray[Scalar], rows: int) -> NDArray[Scalar]:
    longer = np.zeros((rows, *array.shape[1:]), array.dtype)
    longer[: array.shape[0]] = array
    return longer


def _more_rows(array: Floats, rows: int) -> Floats:
    longer = aligned_zeros(rows, *array.shape[1:])
    longer[: array.shape[0]] = array
    return longer


@primitive
def row_of(cache: Cache, node: int) -> int:
    """The row of a node, or NO_ROW."""
    place = cache.place[node]
    if place >> ROW_BITS != cache.counters[GOAL]:
        return NO_ROW
    return place & (2**ROW_BITS - 1)


@primitive
def give_row(cache: Cache, node: int) -> int:
    """The next row, for a node that has none."""
    row = cache.counters[ROWS]
    cache.counters[ROWS] += 1
    cache.place[node] = (cache.counters[GOAL] << ROW_BITS) | row
    cache.ready[row] = 0
    return row


@primitive
def has_rows(weights: Weights, cache: Cache, count: int) -> bool:
    """Whether there are rows for `count` new nodes and all their neighbours."""
    needed = cache.counters[ROWS] + count * (1 + weights.neighbors)
    return needed <= cache.ready.size or cache.ready.size >= cache.place.size
