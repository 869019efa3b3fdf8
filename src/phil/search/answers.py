"""Answering many queries on one graph in this process, and sending the answers to another."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.compiled.clock import HAS_CLOCK
from phil.errors import InputError
from phil.graphs import AnyGraph
from phil.search.best_first import search
from phil.search.guide import traits_of
from phil.search.queries import Queries
from phil.search.result import Limits, Outcome, Result
from phil.search.state import GREEDY, Key
from phil.search.threads import in_threads

OUTCOMES = tuple(Outcome)
COUNTS = (
    *("expansions", "reopened", "generated", "evaluations"),
    *("neighbor_calls", "lookahead_calls"),
)


@dataclass(frozen=True)
class Queried:
    """What all queries of a call have in common."""

    graph: AnyGraph
    heuristic: Any  # or a method
    key: Key
    bound: float | None
    limits: Limits

    def answer(self, ends: NDArray[np.int64], threads: int, first: int = 0) -> list[Result]:
        """The results of queries, one per row of `ends`; the first one is `pairs[first]`."""
        threads = min(threads, len(ends))
        if threads == 0:
            return []
        by_method = not hasattr(self.heuristic, "begin")
        batches = HAS_CLOCK and not by_method and traits_of(self.heuristic).batches
        work: Queries | _OneByOne
        if batches and self.bound is None and self.limits.seconds is None:
            budget = self.limits.expansions
            work = Queries(self.graph, ends, self.heuristic, self.key, budget)
        else:
            key = None if by_method and self.key == GREEDY else self.key

            def solve(start: int, goal: int) -> Result:
                return search(
                    self.graph,
                    start,
                    goal,
                    self.heuristic,
                    key=key,
                    bound=self.bound,
                    limits=self.limits,
                )

            work = _OneByOne(ends, solve)
        work.run(threads)
        if work.failed:
            position = min(work.failed)
            raise _at_pair(first + position, ends[position], work.failed[position])
        return [work.found[position] for position in range(len(ends))]


@dataclass(frozen=True)
class Answers:
    """Results as a few arrays, which take a fraction of the time of objects to send."""

    counts: NDArray[np.int64]  # (n, 2 + counts): the outcome, the end of the path, and counts
    measures: NDArray[np.float64]  # (n, 3): cost, seconds, lower bound
    paths: NDArray[np.int64]  # one after the other

    @classmethod
    def of(cls, results: Sequence[Result]) -> Answers:
        """Results in the form to be sent."""
        ends = np.cumsum([len(result.path) for result in results], dtype=np.int64).tolist()
        return cls(
            np.array(
                [
                    (OUTCOMES.index(one.outcome), end, *(getattr(one, name) for name in COUNTS))
                    for one, end in zip(results, ends, strict=True)
                ],
                np.int64,
            ),
            np.array([(one.cost, one.seconds, one.lower_bound) for one in results]),
            np.concatenate([result.path for result in results]),
        )

    def results(self, graph: AnyGraph) -> list[Result]:
        """The results, on the graph that was searched."""
        found, begin = [], 0
        for (outcome, end, *counts), (cost, seconds, bound) in zip(
            self.counts.tolist(), self.measures.tolist(), strict=True
        ):
            found.append(
                Result(
                    outcome=OUTCOMES[outcome],
                    path=self.paths[begin:end],
                    cost=cost,
                    seconds=seconds,
                    lower_bound=bound,
                    graph=graph,
                    **dict(zip(COUNTS, counts, strict=True)),
                )
            )
            begin = end
        return found


def is_plain(result: Result) -> bool:
    """Whether `Answers` hold all of a result but its graph."""
    return (
        type(result) is Result
        and result.trace is None
        and result.path_by_parents is None
        and isinstance(result.path, np.ndarray)
        and result.path.dtype.kind in "iu"
    )


def _at_pair(position: int, ends: NDArray[np.int64], error: Exception) -> Exception:
    """The error of a search, which says where it was."""
    where = f"pairs[{position}], from {ends[0]} to {ends[1]}"
    if isinstance(error, InputError):
        told = InputError(f"{where}: {error}")
        told.__cause__ = error
        return told
    error.add_note(f"in {where}")
    return error


class _OneByOne:
    """Searches with Python between them."""

    def __init__(self, ends: NDArray[np.int64], solve: Callable[[int, int], Result]) -> None:
        self.found: dict[int, Result] = {}
        self.failed: dict[int, Exception] = {}
        self._waiting = deque(enumerate(ends.tolist()))  # its methods are thread-safe
        self._solve = solve

    def run(self, threads: int) -> None:
        """Search until no pair is left or a search has failed."""
        in_threads(threads, self._work, self._waiting.clear)

    def _work(self) -> None:
        while self._waiting:
            try:
                position, ends = self._waiting.popleft()
            except IndexError:  # another thread took the last one
                return
            try:
                self.found[position] = self._solve(*ends)
            except Exception as error:
                # Pairs are started in order, so all before the first failure will be searched.
                self.failed[position] = error
                self._waiting.clear()
