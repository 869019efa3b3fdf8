"""Differentiable A* (Yonetani et al., ICML 2021), compiled: a search and the gradient of its loss.

Each step of the search selects the node of OPEN with the least key K = G + h (see
`phil.heuristics.neural_astar.kernel`). The loss is the mean over all cells of |closed - path|,
where closed and path mark the closed cells and those of a shortest path. The gradient treats the
selection as the softmax of -K / T over OPEN ("straight through"), and differentiates K only with
respect to the node's own guidance cost. With s = d loss / d closed this is, for a node v, over the
steps t in which it was in OPEN,

    d loss / d guidance(v) = - sum_t p_t(v) (s(v) - <p_t, s>) / T,     p_t(v) = w(v) / Z_t

with w(v) = exp(-K(v) / T), Z_t = sum of w over OPEN and S_t = sum of w s. So a node needs only the
sums of 1 / Z_t and of S_t / Z_t^2 over its steps. A tree over the steps gives each of these in
O(log steps), instead of O(OPEN) per step, and only ever adds: K grows along a search, so
differences of prefix sums would cancel catastrophically.

(On one core, compared with the tests' reference, plain torch with a softmax over the map in every
step: 0.13 ms instead of 52 ms on a 32 x 32 map, 0.45 ms instead of 340 ms on 67 x 67.)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import Array1, Struct, kernel, primitive
from phil.graphs import GridGraph
from phil.graphs.arrays import GraphArrays, neighbors
from phil.heuristics.neural_astar.kernel import GuidanceWorkspace, allocate, optimistic
from phil.search.expand import IMPROVEMENT
from phil.search.heap import Heap, allocate_heap, drop, make_tag, node_of, order_of, put

LEAST_EXPONENT = -690.0  # below it, a weight would be 0 and its inverse infinite


class Stays(Struct):
    """The stays of nodes in OPEN with one key: from step `first` to before step `end`."""

    node: Array1[np.int64]
    key: Array1[np.float64]
    first: Array1[np.int64]
    end: Array1[np.int64]


class Latest(Struct):
    """The current stay of each node in OPEN, by node."""

    order: Array1[np.int64]  # of its entry in OPEN; 0 when it has none
    key: Array1[np.float64]
    since: Array1[np.int64]  # step


def search_and_gradient(
    grid: GridGraph,
    guidance: NDArray[np.float32],
    start: int,
    goal: int,
    path: NDArray[np.bool_],
    temperature: float,
) -> tuple[int, NDArray[np.float32]]:
    """Search, and return the number of wrong cells (N times the loss) and the loss's gradient.

    `guidance`, `path` and the gradient are flat, by node. There must be a path.
    """
    size, degree = grid.size, grid.max_degree
    entries = degree * size + 1  # a node gets a key at most once from each of its neighbours
    work = allocate(size, degree, start)
    latest = Latest(np.zeros(size, np.int64), np.empty(size), np.empty(size, np.int64))
    stays = Stays(
        np.empty(entries, np.int64),
        np.empty(entries),
        np.empty(entries, np.int64),
        np.empty(entries, np.int64),
    )
    steps, count = _search(
        grid.arrays, guidance, start, goal, allocate_heap(entries), work, latest, stays
    )
    slopes = (work.closed.astype(np.float64) - path) / size
    gradient = np.zeros(size)
    _differentiate(
        stays,
        count,
        slopes,
        temperature,
        np.zeros((2, 2 * steps)),
        gradient,
    )
    return int(np.count_nonzero(slopes)), gradient.astype(np.float32)


@primitive
def _end_stay(latest: Latest, stays: Stays, count: int, node: int, step: int) -> int:
    stays.node[count] = node
    stays.key[count] = latest.key[node]
    stays.first[count] = latest.since[node]
    stays.end[count] = step
    return count + 1


@kernel
def _search(
    graph: GraphArrays,
    guidance: NDArray[np.float32],
    start: int,
    goal: int,
    heap: Heap,
    work: GuidanceWorkspace,
    latest: Latest,
    stays: Stays,
) -> tuple[int, int]:
    """Search until the goal is closed; returns the number of steps and of stays recorded."""
    order = 1
    step = 0
    count = 0
    latest.order[start] = order
    latest.key[start] = optimistic(graph, start, goal)
    latest.since[start] = 0
    put(heap, latest.key[start], make_tag(order, start))
    while heap.size[0] > 0:
        tag = heap.tags[0]
        drop(heap)
        node = node_of(tag)
        if latest.order[node] != order_of(tag):
            continue
        step += 1
        count = _end_stay(latest, stays, count, node, step)
        latest.order[node] = 0
        work.closed[node] = 1
        if node == goal:
            break
        for k in range(neighbors(graph, node, work.near, work.edges, work.costs)):
            other = int(work.near[k])
            through = work.total[node] + np.float64(guidance[other])
            if work.closed[other] == 1 or through >= IMPROVEMENT * work.total[other]:
                continue
            if latest.order[other] != 0:
                count = _end_stay(latest, stays, count, other, step)
            order += 1
            work.total[other] = through
            latest.order[other] = order
            latest.key[other] = through + optimistic(graph, other, goal)
            latest.since[other] = step
            put(heap, latest.key[other], make_tag(order, other))
    for position in range(heap.size[0]):
        tag = heap.tags[position]
        node = node_of(tag)
        # Nodes that entered OPEN in the last step were not in it during any step.
        if latest.order[node] == order_of(tag) and latest.since[node] < step:
            count = _end_stay(latest, stays, count, node, step)
    return step, count


@kernel
def _differentiate(
    stays: Stays,
    count: int,
    slopes: NDArray[np.float64],
    temperature: float,
    tree: NDArray[np.float64],
    gradient: NDArray[np.float64],
) -> None:
    """Add the gradient of the loss; `tree` is a workspace of zeros, (2, 2 steps).

    A row is a binary tree over the steps: step t is leaf `steps + t`, and entry i has the children
    2 i and 2 i + 1. First an entry is a value shared by all its leaves, then the sum over them.
    """
    steps = tree.shape[1] // 2
    for k in range(count):
        weight = _weight(stays, k, temperature)
        slope = slopes[stays.node[k]]
        left, right = stays.first[k] + steps, stays.end[k] + steps
        while left < right:
            if left & 1:
                tree[0, left] += weight
                tree[1, left] += weight * slope
                left += 1
            if right & 1:
                right -= 1
                tree[0, right] += weight
                tree[1, right] += weight * slope
            left >>= 1
            right >>= 1
    for entry in range(2, 2 * steps):
        tree[0, entry] += tree[0, entry >> 1]
        tree[1, entry] += tree[1, entry >> 1]
    for leaf in range(steps, 2 * steps):
        total = tree[0, leaf]
        tree[0, leaf] = 1.0 / total
        tree[1, leaf] = tree[1, leaf] / total / total
    for entry in range(steps - 1, 0, -1):
        tree[0, entry] = tree[0, 2 * entry] + tree[0, 2 * entry + 1]
        tree[1, entry] = tree[1, 2 * entry] + tree[1, 2 * entry + 1]
    for k in range(count):
        chances = 0.0
        means = 0.0
        left, right = stays.first[k] + steps, stays.end[k] + steps
        while left < right:
            if left & 1:
                chances += tree[0, left]
                means += tree[1, left]
                left += 1
            if right & 1:
                right -= 1
                chances += tree[0, right]
                means += tree[1, right]
            left >>= 1
            right >>= 1
        node = stays.node[k]
        weight = _weight(stays, k, temperature)
        gradient[node] -= weight * (slopes[node] * chances - means) / temperature


@primitive
def _weight(stays: Stays, k: int, temperature: float) -> float:
    """The weight of a stay in the softmax, relative to that of the start (stay 0)."""
    return np.exp(max(LEAST_EXPONENT, (stays.key[0] - stays.key[k]) / temperature))
