"""Many queries in one call of a kernel, without Python between them.

A guide's kernel answers its share of the queries one by one: it begins a query (`next_goal`), runs
its own loop, and records the result. It returns to Python for what kernels cannot do, such as
growing arrays; called again, it continues with the same query.
"""

from __future__ import annotations

import numpy as np

from phil.compiled import Array1, Array2, Struct, kernel, primitive
from phil.compiled.clock import clock
from phil.graphs.arrays import GraphArrays
from phil.graphs.lower_bound import aim
from phil.search.expand import path_cost
from phil.search.known_path import UNSEEN, find_known_path
from phil.search.open import begin
from phil.search.state import (
    AHEAD,
    EMPTY,
    EVALUATIONS,
    EXPANSIONS,
    FOUND,
    FULL,
    GENERATED,
    NEIGHBOR_CALLS,
    PAUSED,
    REOPENED,
    State,
    path_length,
    write_path,
)

# Codes that kernels return beside those of `phil.search.state`.
DONE = -200  # the share is answered, or Python should have a look after some time
NO_ROOM = -201  # the path does not fit into the buffer
NO_QUEUE = -202  # OPEN needs more room for the search for the cheapest known path

PATIENCE = 0.05  # seconds after which a kernel returns to Python

# Columns of `Batch.counts`: how the query ended, where its path is in the buffer, and counters.
CODE, FIRST, LAST, COUNTED = 0, 1, 2, 3
COUNTERS = (EXPANSIONS, REOPENED, GENERATED, EVALUATIONS, NEIGHBOR_CALLS, AHEAD)
COLUMNS = COUNTED + len(COUNTERS)

COST, SECONDS = 0, 1  # columns of `Batch.measures`
QUERY, END, USED = 0, 1, 2  # rows of `Batch.progress`
BEGAN, CALLED = 0, 1  # rows of `Batch.times`
NOT_BEGUN = -1.0


class Batch(Struct):
    """The queries, their results, and a thread's progress with its share of them."""

    starts: Array1[np.int64]
    goals: Array1[np.int64]
    counts: Array2[np.int64]
    measures: Array2[np.float64]
    budget: int  # the limit of expansions of a query
    seen: int  # the edges that a path may be made of (see `phil.search.known_path`)
    paths: Array1[np.int64]  # a buffer for paths, one after the other
    # The query at hand, the end of the share, and how much of the buffer is used.
    progress: Array1[np.int64]
    # When the query at hand began (or NOT_BEGUN), and when the kernel was called.
    times: Array1[np.float64]


@primitive
def begins(batch: Batch, state: State) -> bool:
    """Begin the query at hand; false if it has begun before."""
    if batch.times[BEGAN] != NOT_BEGUN:
        return False
    batch.times[BEGAN] = clock()
    begin(state, batch.starts[batch.progress[QUERY]])
    return True


@kernel
def record(batch: Batch, state: State, graph: GraphArrays, code: int) -> int:
    """Record the result of the query at hand if the code says that it has ended.

    Returns 0 if the next query is to be begun, else the code to be returned to Python. After
    NO_QUEUE, it continues if it is called with that code.
    """
    progress, query = batch.progress, batch.progress[QUERY]
    if code != FOUND and code != EMPTY and code != PAUSED and code != NO_QUEUE:
        return code
    counts, measures = batch.counts[query], batch.measures[query]
    if code != NO_QUEUE:
        counts[CODE], counts[FIRST], counts[LAST] = code, progress[USED], progress[USED]
        measures[COST] = np.inf
    if code == FOUND:
        if not _take_path(batch, state, graph):
            return NO_ROOM
        aim(graph, state.lower, batch.goals[query])
    if code in (FOUND, NO_QUEUE) and batch.seen != UNSEEN:
        start, goal = batch.starts[query], batch.goals[query]
        better = find_known_path(state, state, graph, start, goal, measures[COST], batch.seen)
        if better == FULL:
            return NO_QUEUE
        if better == 1 and not _take_path(batch, state, graph):
            return NO_ROOM
    for column in range(len(COUNTERS)):
        counts[COUNTED + column] = state.counters[COUNTERS[column]]
    now = clock()
    measures[SECONDS] = now - batch.times[BEGAN]
    batch.times[BEGAN] = NOT_BEGUN
    progress[QUERY], progress[USED] = query + 1, counts[LAST]
    return DONE if query + 1 == progress[END] or now > batch.times[CALLED] + PATIENCE else 0


@primitive
def _take_path(batch: Batch, state: State, graph: GraphArrays) -> bool:
    """Record the path by parents of the query at hand, and its cost, if there is room for it."""
    query = batch.progress[QUERY]
    first, goal = batch.progress[USED], batch.goals[query]
    last = first + path_length(state, goal)
    if last > batch.paths.size:
        return False
    path = batch.paths[first:last]
    write_path(state, goal, path)
    batch.counts[query, LAST] = last
    batch.measures[query, COST] = path_cost(graph, path)
    return True
