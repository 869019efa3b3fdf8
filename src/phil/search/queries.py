"""Many queries in several threads, answered by compiled batches.

A thread takes a share of the queries, answers them in one call of its guide's kernel, and makes the
results while other threads run their kernels. Shares become smaller, so that threads end together.
"""

from __future__ import annotations

import time
from threading import Lock
from typing import cast

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import AnyGraph
from phil.search.batch import (
    BEGAN,
    CALLED,
    COLUMNS,
    END,
    NO_QUEUE,
    NO_ROOM,
    NOT_BEGUN,
    QUERY,
    USED,
    Batch,
    record,
)
from phil.search.best_first import BestFirst
from phil.search.guide import BatchGuide, Heuristic
from phil.search.known_path import UNSEEN
from phil.search.loop import OUTCOMES, UNLIMITED, free_way_to, seen_edges
from phil.search.result import Limits, Result
from phil.search.state import EMPTY, FOUND, NOT_A_NUMBER, Key, path_length
from phil.search.threads import in_threads

SHARES = 2  # per thread: so many shares the queries left are divided into, and one is taken
ROOM = 2**15  # nodes in a buffer of paths, which lives as long as any of its results


class Queries:
    """The queries of one call, their results, and the errors of those that failed."""

    def __init__(
        self,
        graph: AnyGraph,
        ends: NDArray[np.int64],
        heuristic: Heuristic,
        key: Key,
        budget: int | None,
    ) -> None:
        self.graph = graph
        self.heuristic = heuristic
        self.key = key
        # Guides keep what they computed for a goal, for the next query to it.
        order = np.argsort(ends[:, 1], kind="stable")
        self.positions: list[int] = order.tolist()
        self.batch = Batch(
            starts=ends[order, 0],
            goals=ends[order, 1],
            counts=np.empty((order.size, COLUMNS), np.int64),
            measures=np.empty((order.size, 2)),
            budget=UNLIMITED if budget is None else budget,
            seen=seen_edges(graph) if key.is_greedy else UNSEEN,
            paths=np.empty(0, np.int64),
            progress=np.empty(3, np.int64),
            times=np.empty(2),
        )
        self.found: dict[int, Result] = {}
        self.failed: dict[int, Exception] = {}
        self.stopped = False
        self._lock = Lock()
        self._taken = 0
        self._divisor = SHARES

    def run(self, threads: int) -> None:
        """Answer all queries."""
        self._divisor = SHARES * threads
        in_threads(threads, self._work, self._stop)

    def _work(self) -> None:
        try:
            with Worker(self) as worker:
                worker.work()
        except InputError as error:  # the heuristic does not fit the graph
            self.failed[0] = error

    def _stop(self) -> None:
        self.stopped = True

    def take_share(self) -> range:
        """The queries that a thread answers next; none if all are taken."""
        with self._lock:
            left = len(self.positions) - self._taken
            count = 0 if self.stopped else -(-left // self._divisor)
            self._taken += count
            return range(self._taken - count, self._taken)


class Worker(BestFirst):
    """What a thread answers queries with: a guide, a state and a buffer of paths."""

    def __init__(self, queries: Queries) -> None:
        super().__init__(
            queries.graph,
            int(queries.batch.starts[0]),
            int(queries.batch.goals[0]),
            queries.heuristic,
            key=queries.key,
            limits=Limits(),
            trace=False,
        )
        self._queries = queries
        self._batch_guide = cast(BatchGuide, self._guide)  # as the heuristic's traits promise
        self._batch = queries.batch.replace(
            paths=np.empty(ROOM, np.int64), progress=np.zeros(3, np.int64), times=np.zeros(2)
        )
        self.state.lower = free_way_to(self._graph, self._goal)  # aimed at every goal
        self._reported = 0  # the queries of the share before this one have their results

    def work(self) -> None:
        """Answer shares of the queries until all are taken."""
        progress = self._batch.progress
        while share := self._queries.take_share():
            progress[QUERY], progress[END] = share.start, share.stop
            self._batch.times[BEGAN] = NOT_BEGUN
            self._reported = share.start
            while progress[QUERY] < share.stop and not self._queries.stopped:
                try:
                    self._answer()
                except InputError as error:
                    self._skip(error)
            self._report()

    def _answer(self) -> None:
        """Answer queries until the kernel returns, and do what it needs to continue."""
        state, batch = self.state, self._batch
        batch.times[CALLED] = time.clock_gettime(time.CLOCK_MONOTONIC)
        code = self._batch_guide.run_batch(state, batch)
        while code in (NO_ROOM, NO_QUEUE):
            code = self._record_with_more_room(code)
        if code == NOT_A_NUMBER:
            self._refuse_nan()
        self._can_go_on(code)

    def _record_with_more_room(self, code: int) -> int:
        state, batch = self.state, self._batch
        if code == NO_QUEUE:
            self._make_room_for_entries()
            return record(batch, state, self._graph.arrays, NO_QUEUE)
        self._report()
        goal = int(batch.goals[batch.progress[QUERY]])
        batch.paths = np.empty(max(ROOM, path_length(state, goal)), np.int64)
        batch.progress[USED] = 0
        return record(batch, state, self._graph.arrays, FOUND)

    def _skip(self, error: InputError) -> None:
        """Continue after a query that failed: others may come before it."""
        self._report()
        query = int(self._batch.progress[QUERY])
        self._queries.failed[self._queries.positions[query]] = error
        self._batch.progress[QUERY] = self._reported = query + 1
        self._batch.times[BEGAN] = NOT_BEGUN

    def _report(self) -> None:
        """Make the results of the queries answered since the last time."""
        batch, queries = self._batch, self._queries
        answered = slice(self._reported, int(batch.progress[QUERY]))
        self._reported = answered.stop
        for position, counts, (cost, seconds) in zip(
            queries.positions[answered],
            batch.counts[answered].tolist(),
            batch.measures[answered].tolist(),
            strict=True,
        ):
            code, first, last, expansions, reopened, generated, evaluations, calls, ahead = counts
            if self._looks_ahead:
                ahead = generated - 1 + (calls > 0) - calls
            # Constructing a frozen dataclass takes three times as long, as long as a short search.
            result: Result = object.__new__(Result)
            vars(result).update(
                outcome=OUTCOMES[code],
                path=batch.paths[first:last],
                cost=cost,
                expansions=expansions,
                reopened=reopened,
                generated=generated,
                evaluations=evaluations,
                neighbor_calls=calls,
                lookahead_calls=ahead,
                seconds=seconds,
                trace=None,
                lower_bound=cost if code == EMPTY else 0.0,
                path_by_parents=None,
                graph=self._graph,
            )
            queries.found[position] = result
