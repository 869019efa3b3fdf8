"""The compiled forward pass of PHIL and its search loop."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phil.compiled import kernel, primitive, routine
from phil.compiled.dense import affine, leaky_relu
from phil.compiled.gru import gru_cell
from phil.compiled.tiles import dot
from phil.graphs.arrays import GraphArrays
from phil.heuristics.phil.aggregation import mix
from phil.heuristics.phil.cache import (
    CALLS_AHEAD,
    FRESH,
    GOAL,
    GOAL_NODE,
    NO_ROW,
    NO_ROWS_LEFT,
    NUMBER,
    ROWS,
    START_NODE,
    Cache,
    give_row,
    has_rows,
    row_of,
)
from phil.heuristics.phil.inputs import STATES, look_around, write_node, write_trail
from phil.heuristics.phil.known import (
    CALLED,
    CLOSED,
    is_called,
    note,
    set_window,
    write_known,
)
from phil.heuristics.phil.weights import Weights
from phil.heuristics.scaling import Frame, local_unit, orient, scaled_features
from phil.search.batch import QUERY, Batch, begins, record
from phil.search.expand import discover, insert, reorder, to_settle
from phil.search.state import AHEAD, EVALUATIONS, EXPANDED, NONE, PENDING, State

TWO = np.float32(2.0)
FLOOR = np.float32(0.01)  # scaled values below this are squeezed into (0, FLOOR]


@kernel
def set_ends(
    weights: Weights, cache: Cache, graph: GraphArrays, frame: Frame, start: int, goal: int
) -> None:
    """Prepare the cache for a goal: drop all rows, and compute what depends on the goal alone.

    In the frame of the goal, all depends on the start as well.
    """
    cache.counters[GOAL] += 1
    cache.counters[ROWS] = 0
    cache.counters[GOAL_NODE] = goal
    cache.counters[START_NODE] = start
    if not weights.to_goal:
        orient(frame, graph, start, goal)
    set_window(weights, cache, frame)
    scaled_features(graph, frame, goal if weights.to_goal else start, cache.goal)
    for j in range(cache.first_bias.size):
        cache.first_bias[j] = weights.f_bias[0, j]
        cache.out_bias[j] = weights.out_first_bias[j]
    for j in range(cache.out_last.size):
        cache.out_last[j] = weights.out_last[0, j]
    cache.out_last_bias[0] = weights.out_last_bias[0]
    if weights.out_last_bias.size > 1:
        unit = local_unit(frame)
        for j in range(cache.out_last.size):
            cache.out_last[j] += unit * weights.out_last[1, j]
        cache.out_last_bias[0] += unit * weights.out_last_bias[1]
    for k in range(cache.goal.size):
        for j in range(cache.first_bias.size):
            cache.first_bias[j] += cache.goal[k] * weights.first_goal[k, j]
            cache.out_bias[j] += cache.goal[k] * weights.out_goal[k, j]


@kernel
def begin(weights: Weights, cache: Cache, start: int) -> None:
    """Prepare the cache for a search: zero memory, no steps, nothing known."""
    cache.search[NUMBER] += 1
    cache.search[CALLS_AHEAD] = 0
    if cache.trend.shape[0] > 0:
        for k in range(cache.goal.size):
            cache.trend[start, k] = 0.0
    for j in range(cache.sum.size):
        cache.memory[0, j] = 0.0
    _set_memory_gates(weights, cache)


@primitive
def _set_memory_gates(weights: Weights, cache: Cache) -> None:
    depth = weights.memory.shape[0]
    affine(cache.memory, 0, 1, depth, weights.memory, weights.memory_bias, cache.memory_gates, 0)


@primitive
def _embed(weights: Weights, cache: Cache, graph: GraphArrays, frame: Frame, count: int) -> None:
    """Compute f of the first `count` nodes of `cache.fresh`, which have the last rows."""
    for k in range(count):
        write_node(
            graph, frame, cache.fresh[k], cache.goal, weights.ends, weights.to_goal, cache.inputs[k]
        )
    row = cache.counters[ROWS] - count
    width = weights.width
    layers = weights.f_bias.shape[0]
    depth = weights.first.shape[0]
    if layers == 1:
        affine(cache.inputs, 0, count, depth, weights.first, cache.first_bias, cache.embedding, row)
    else:
        x, y = cache.left, cache.right
        affine(cache.inputs, 0, count, depth, weights.first, cache.first_bias, x, 0)
        leaky_relu(x, count, width)
        for layer in range(1, layers - 1):
            affine(x, 0, count, width, weights.hidden[layer - 1], weights.f_bias[layer], y, 0)
            leaky_relu(y, count, width)
            x, y = y, x
        last = layers - 1
        bias = weights.f_bias[last]
        affine(x, 0, count, width, weights.hidden[last - 1], bias, cache.embedding, row)
    if cache.message.shape[1] > 0:
        none = weights.no_bias
        affine(cache.embedding, row, count, width, weights.message, none, cache.message, row)


@primitive
def _row(cache: Cache, node: int) -> int:
    """A node's row; if it has none, it gets one and is listed in `cache.fresh`."""
    row = row_of(cache, node)
    if row == NO_ROW:
        row = give_row(cache, node)
        cache.fresh[cache.counters[FRESH]] = node
        cache.counters[FRESH] += 1
    return row


@primitive
def _prepare(
    weights: Weights,
    cache: Cache,
    graph: GraphArrays,
    frame: Frame,
    nodes: NDArray[np.int32],
    first: int,
    count: int,
) -> None:
    """Fill the rows of some nodes with all that does not depend on the search."""
    cache.counters[FRESH] = 0
    unready = 0
    for k in range(count):
        node = nodes[first + k]
        row = _row(cache, node)
        cache.rows[k] = row
        if cache.ready[row] != 0:
            continue
        seen, pattern = look_around(
            graph,
            node,
            weights.neighbors,
            weights.moves,
            frame.turn,
            weights.sample_seed,
            cache.near,
            cache.edges,
            cache.costs,
        )
        for position in range(seen):
            cache.neighbor_rows[unready, position] = _row(cache, cache.near[position])
            cache.neighbor_edges[unready, position] = cache.edges[position]
        cache.neighbor_counts[unready] = seen
        cache.patterns[unready] = pattern
        cache.unready[unready] = row
        cache.ready[row] = 1
        unready += 1
    if cache.counters[FRESH] > 0:
        _embed(weights, cache, graph, frame, cache.counters[FRESH])
    if unready > 0:
        _convolve(weights, cache, graph, unready)


@primitive
def _convolve(weights: Weights, cache: Cache, graph: GraphArrays, count: int) -> None:
    """Compute the input half of the gates of the first `count` nodes of `cache.unready`."""
    for item in range(count):
        mix(weights, cache, graph, item, cache.unready[item], cache.mixed[item])
    depth = cache.mixed.shape[1]
    affine(cache.mixed, 0, count, depth, weights.gates, weights.gates_bias, cache.mixed_gates, 0)
    for item in range(count):
        row = cache.unready[item]
        for j in range(cache.gates.shape[1]):
            cache.gates[row, j] = cache.mixed_gates[item, j]
        if weights.walls.shape[0] > 0:
            for j in range(cache.gates.shape[1]):
                cache.gates[row, j] += weights.walls[cache.patterns[item], j]


@primitive
def _remember(weights: Weights, cache: Cache, number: int, item: int) -> None:
    """Write z_i of node `number` of V_new to a row of `cache.z`, and add it to `cache.sum`."""
    gates = cache.mixed_gates[item]
    for j in range(gates.size):
        gates[j] = cache.gates[cache.rows[item], j]
    for k in range(weights.trail.shape[0]):
        scale = cache.trail[number, k]
        if scale != 0.0:  # most of what is known of the cells around a node
            for j in range(gates.size):
                gates[j] += scale * weights.trail[k, j]
    known, memory = cache.memory_gates[0], cache.memory[0]
    gru_cell(gates, known, memory, cache.sum.size, cache.z[item], cache.sum)


@primitive
def _above_zero(value: np.float32) -> np.float32:
    """The value made positive without changing the order: only the goal is at distance 0."""
    return value if value > FLOOR else FLOOR / (TWO - value / FLOOR)


@primitive
def _read_out(
    weights: Weights,
    cache: Cache,
    frame: Frame,
    nodes: NDArray[np.int32],
    first: int,
    count: int,
    values: NDArray[np.float64],
) -> None:
    """Write the values of `count` nodes whose z is computed to `values`, from `first` on."""
    width = weights.width
    memory = weights.memory.shape[0]
    affine(cache.z, 0, count, memory, weights.out_first, cache.out_bias, cache.hidden, 0)
    leaky_relu(cache.hidden, count, width)
    second, bias = weights.out_second, weights.out_second_bias
    affine(cache.hidden, 0, count, width, second, bias, cache.last, 0)
    leaky_relu(cache.last, count, width)
    for k in range(count):
        value = dot(cache.last[k], cache.out_last) + cache.out_last_bias[0]
        if weights.goal_first:
            is_goal = nodes[first + k] == cache.counters[GOAL_NODE]
            value = np.float32(0.0) if is_goal else _above_zero(value)
        values[first + k] = value * frame.distance[0]


@routine
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
    """Compute the values of V_new, in units of path cost, and update the memory.

    V_new is the first `count` of the nodes, discovered by expanding `parent`, `depth` moves from
    the start. The cache must have rows for them (see `has_rows`).
    """
    if weights.steps:
        write_trail(
            graph, frame, parent, depth, nodes, count,
            cache.trend, cache.inputs[0], cache.inputs[1], cache.trail,
        )  # fmt: skip
    if cache.reach.size > 0:
        after = cache.trail.shape[1] - STATES * cache.reach.size
        for k in range(count):
            write_known(cache, graph, frame, nodes[k], after, cache.trail[k])
    for j in range(cache.sum.size):
        cache.sum[j] = 0.0
    batch = cache.rows.size
    for first in range(0, count, batch):
        some = min(batch, count - first)
        _prepare(weights, cache, graph, frame, nodes, first, some)
        for k in range(some):
            _remember(weights, cache, first + k, k)
        _read_out(weights, cache, frame, nodes, first, some, values)
    if weights.remember and count > 0:
        for j in range(weights.carried):
            cache.memory[0, j] = cache.sum[j] / np.float32(count)
        _set_memory_gates(weights, cache)


@primitive
def note_expanded(cache: Cache, graph: GraphArrays, frame: Frame, node: int) -> None:
    """Note what expanding a node tells of the cells around it."""
    if cache.reach.size > 0:
        note(cache, graph, frame, node, CLOSED)


@routine
def evaluate_again(
    state: State, weights: Weights, cache: Cache, graph: GraphArrays, frame: Frame, node: int
) -> float:
    """The value of a node of OPEN with what is known now, which includes its neighbours."""
    note(cache, graph, frame, node, CALLED)
    state.counters[AHEAD] = cache.search[CALLS_AHEAD]
    state.counters[EVALUATIONS] += 1
    cache.again[0] = node
    record = state.nodes[node]
    evaluate(
        weights, cache, graph, frame, record.parent, record.depth, cache.again, 1, state.values
    )
    return float(state.values[0])


@kernel
def settle(
    state: State,
    weights: Weights,
    cache: Cache,
    graph: GraphArrays,
    frame: Frame,
    goal: int,
    budget: int,
) -> int:
    """Lazy look-ahead: evaluate the best node of OPEN again until it stays the best.

    A node enters OPEN with what is known when it is discovered. When it is the best, its neighbours
    are called, which expanding it takes anyway, and it is evaluated with them. Returns 0, or a code
    if this must wait.
    """
    while True:
        node = to_settle(state, graph, goal, budget)
        if node < 0 or is_called(cache, graph, frame, node):
            state.counters[AHEAD] = cache.search[CALLS_AHEAD]
            return 0 if node >= NONE else node
        reorder(state, graph, node, evaluate_again(state, weights, cache, graph, frame, node))


@primitive
def looks_ahead(weights: Weights) -> bool:
    """Whether a node's value depends on its neighbours."""
    return weights.neighbors > 0 or weights.moves > 0


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
        if weights.lazy and state.counters[PENDING] == 0:
            code = settle(state, weights, cache, graph, frame, goal, budget)
            if code < 0:
                return code
        count = discover(state, graph, goal, budget, ahead)
        if count < 0:
            return count
        if not has_rows(weights, cache, count):
            state.counters[PENDING] = count
            return NO_ROWS_LEFT
        node = state.counters[EXPANDED]
        note_expanded(cache, graph, frame, node)
        depth = state.nodes[node].depth + 1
        evaluate(weights, cache, graph, frame, node, depth, state.new, count, state.values)
        insert(state, graph, count)


@kernel
def run_batch(
    batch: Batch, state: State, weights: Weights, cache: Cache, graph: GraphArrays, frame: Frame
) -> int:
    """Many searches, compiled (see `phil.search.guide.BatchGuide`)."""
    code = 0
    while code == 0:
        query = batch.progress[QUERY]
        goal = batch.goals[query]
        if begins(batch, state):
            start = batch.starts[query]
            same_start = weights.to_goal or start == cache.counters[START_NODE]
            if goal != cache.counters[GOAL_NODE] or not same_start:
                set_ends(weights, cache, graph, frame, start, goal)
            begin(weights, cache, start)
        ended = run(state, weights, cache, graph, frame, goal, batch.budget)
        code = record(batch, state, graph, ended)
    return code


@kernel
def score(
    weights: Weights,
    cache: Cache,
    graph: GraphArrays,
    frame: Frame,
    parent: int,
    depth: int,
    nodes: NDArray[np.int32],
    values: NDArray[np.float64],
) -> None:
    """Compute the values of V_new, discovered by expanding `parent`, outside of this loop."""
    note_expanded(cache, graph, frame, parent)
    evaluate(weights, cache, graph, frame, parent, depth, nodes, nodes.size, values)
