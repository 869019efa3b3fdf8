"""Best-first search over any graph with any heuristic: greedy, A* and BFS are keys, not copies."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import AnyGraph
from phil.graphs.graph import Graph
from phil.search.expand import expand, insert, path_cost
from phil.search.guide import CompiledGuide, Expansion, Guide, Heuristic
from phil.search.result import Limits, Outcome, Result
from phil.search.state import (
    EMPTY,
    EVALUATIONS,
    EXPANDED,
    EXPANSIONS,
    FOUND,
    GENERATED,
    GREEDY,
    NEIGHBOR_CALLS,
    PAUSED,
    REOPENED,
    TRACED,
    Key,
    State,
    StatePool,
    begin,
)

UNLIMITED = 2**62
CHUNK = 4096  # expansions between two looks at the clock, and the room for a piece of the trace

_pool = StatePool()


def search(
    graph: AnyGraph,
    start: int | tuple[int, int],
    goal: int | tuple[int, int],
    heuristic: Heuristic,
    *,
    key: Key = GREEDY,
    limits: Limits | None = None,
    trace: bool = False,
) -> Result:
    """Search a path from start to goal, expanding the node of least key first.

    Nodes are ids, or (row, column) on a grid. A node's value is asked for once, when it is
    uncovered, and never updated. With a key that counts path cost (A*), a better path to a known
    node re-orders or re-opens it.

    >>> import phil
    >>> grid = phil.GridGraph([[True, True, True], [False, False, True], [True, True, True]])
    >>> result = phil.search(grid, (2, 0), (0, 0), phil.load("euclidean"))
    >>> result.outcome, result.expansions, [grid.cell(node) for node in result.path]
    (<Outcome.SOLVED: 'solved'>, 5, [(2, 0), (2, 1), (1, 2), (0, 1), (0, 0)])
    """
    source = graph.check_node(_node(graph, start), "start")
    target = graph.check_node(_node(graph, goal), "goal")
    limits = limits or Limits()
    state = _pool.take(graph.size, graph.max_degree)
    try:
        return _run(state, graph, source, target, heuristic, key, limits, trace)
    finally:
        _pool.give_back(state)


def _node(graph: AnyGraph, node: int | tuple[int, int]) -> int:
    if not isinstance(node, tuple):
        return int(node)
    if isinstance(graph, Graph):
        raise InputError(f"{node}: a (row, column) names a node of a grid only; give a node id")
    return graph.node(*node)


def _run(
    state: State,
    graph: AnyGraph,
    start: int,
    goal: int,
    heuristic: Heuristic,
    key: Key,
    limits: Limits,
    trace: bool,
) -> Result:
    began = time.perf_counter()
    state.weights[:] = (key.g, key.h, key.depth)
    lent = state
    if trace:
        state = state._replace(trace=np.empty(CHUNK, np.int32))
    guide = heuristic.begin(graph, start, goal)
    begin(state, start)
    most = UNLIMITED if limits.expansions is None else limits.expansions
    # An expansion with a guide in Python may take any time: look at the clock after each.
    piece = CHUNK if isinstance(guide, CompiledGuide) else 1
    if not trace and limits.seconds is None:
        piece = UNLIMITED
    pieces: list[NDArray[np.int32]] = []
    while True:
        reached = int(state.counters[EXPANSIONS])
        code = _search_on(guide, state, graph, goal, min(most, reached + piece))
        if trace:
            pieces.append(state.trace[: state.counters[TRACED]].copy())
            state.counters[TRACED] = 0
        late = limits.seconds is not None and time.perf_counter() - began >= limits.seconds
        if code != PAUSED or state.counters[EXPANSIONS] >= most or late:
            break
    outcome = {FOUND: Outcome.SOLVED, EMPTY: Outcome.UNREACHABLE, PAUSED: Outcome.LIMIT}[code]
    path = _path(lent, goal) if code == FOUND else np.zeros(0, np.int64)
    counters = state.counters
    return Result(
        outcome=outcome,
        path=path,
        cost=path_cost(lent, graph.arrays, path) if code == FOUND else float("inf"),
        expansions=int(counters[EXPANSIONS]),
        reopened=int(counters[REOPENED]),
        generated=int(counters[GENERATED]),
        evaluations=int(counters[EVALUATIONS]),
        neighbor_calls=int(counters[NEIGHBOR_CALLS]),
        seconds=time.perf_counter() - began,
        trace=np.concatenate(pieces).astype(np.int64) if trace else None,
    )


def _search_on(guide: Guide, state: State, graph: AnyGraph, goal: int, budget: int) -> int:
    if isinstance(guide, CompiledGuide):
        return guide.run(state, budget)
    arrays = graph.arrays
    while True:
        count = expand(state, arrays, goal, budget)
        if count < 0:
            return count
        state.values[:count] = _scores(guide, state, count)
        insert(state, count)


def _scores(guide: Guide, state: State, count: int) -> NDArray[np.float64]:
    new = state.new[:count].copy()
    number = int(state.counters[EXPANSIONS])
    node = int(state.counters[EXPANDED])
    values = np.asarray(
        guide.score(Expansion(node, new, state.g[new], state.depth[new], number)), np.float64
    )
    if values.shape != (count,):
        raise InputError(
            f"the heuristic gave values of shape {values.shape} for the {count} new nodes of "
            f"expansion {number} (node {node})"
        )
    if np.isnan(values).any():
        bad = int(new[np.isnan(values)][0])
        raise InputError(f"the heuristic gave NaN for node {bad} at expansion {number}")
    return values


def _path(state: State, goal: int) -> NDArray[np.int64]:
    nodes = [goal]
    while state.parent[nodes[-1]] >= 0:
        nodes.append(int(state.parent[nodes[-1]]))
    return np.array(nodes[::-1], np.int64)
