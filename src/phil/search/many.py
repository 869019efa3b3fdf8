"""Many searches on one graph in several threads; compiled loops run in parallel."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait

from phil.errors import InputError
from phil.graphs import AnyGraph
from phil.search.best_first import check_bound, search
from phil.search.guide import Heuristic
from phil.search.result import Limits, Result
from phil.search.state import GREEDY, Key

Node = int | tuple[int, ...]  # an id, or a cell of a grid


def search_many(
    graph: AnyGraph,
    pairs: Iterable[tuple[Node, Node]],
    heuristic: Heuristic,
    *,
    threads: int | None = None,
    key: Key = GREEDY,
    bound: float | None = None,
    limits: Limits | None = None,
) -> list[Result]:
    """Search for a path for every (start, goal), several at a time.

    Except for the seconds, results are those of `search`, whatever the number of threads. Threads
    do not speed up heuristics written in Python, since only one thread at a time can run Python.
    Every thread has its own workspace.

    Parameters
    ----------
    graph
        A `Graph` or a `GridGraph`.
    pairs
        Pairs of start and goal.
    heuristic
        The heuristic that guides the searches.
    threads : int, optional
        How many searches run at a time; by default one per core.
    key, bound, limits
        As for `search`, for each search.

    Returns
    -------
    list of Result
        In the order of the pairs.

    Raises
    ------
    InputError
        If a pair is invalid; this is checked before the first search.

    Examples
    --------
    >>> import phil
    >>> grid = phil.GridGraph([[True] * 9] * 9)
    >>> pairs = [((0, 0), (8, 8)), ((8, 0), (0, 8)), ((4, 4), (4, 4))]
    >>> results = phil.search_many(grid, pairs, phil.load("euclidean"), threads=2)
    >>> [result.length for result in results]
    [8, 8, 0]
    """
    if threads is not None and threads < 1:
        raise InputError(f"threads must be at least 1, not {threads}")
    checked = [_checked(graph, position, pair) for position, pair in enumerate(pairs)]
    if bound is not None:
        check_bound(bound)

    def solve(start: int, goal: int) -> Result:
        return search(graph, start, goal, heuristic, key=key, bound=bound, limits=limits)

    batch = _Batch(checked, solve)
    batch.run(min(threads or usable_cores(), len(checked)))
    return batch.results()


def usable_cores() -> int:
    """The number of cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        return os.cpu_count() or 1


def _checked(graph: AnyGraph, position: int, pair: tuple[Node, Node]) -> tuple[int, int]:
    try:
        start, goal = pair
    except (TypeError, ValueError):
        raise InputError(f"pairs[{position}] must be (start, goal), not {pair!r}") from None
    try:
        _, source, target = graph.between(start, goal)
    except InputError as error:
        raise InputError(f"pairs[{position}]: {error}") from error
    return source, target


class _Batch:
    """The searches of one call, and their results."""

    def __init__(self, pairs: list[tuple[int, int]], solve: Callable[[int, int], Result]) -> None:
        self._pairs = pairs
        self._solve = solve
        self._waiting = deque(range(len(pairs)))  # its methods are thread-safe
        self._done: dict[int, Result] = {}
        self._failed: dict[int, Exception] = {}

    def run(self, threads: int) -> None:
        """Search until no pair is left or a search has failed."""
        if threads <= 1:
            self._work()
            return
        with ThreadPoolExecutor(threads, "phil-search") as pool:
            try:
                wait([pool.submit(self._work) for _ in range(threads)])
            finally:
                self._waiting.clear()  # after Ctrl-C, threads finish their current search only

    def _work(self) -> None:
        while self._waiting:
            try:
                position = self._waiting.popleft()
            except IndexError:  # another thread took the last one
                return
            try:
                self._done[position] = self._solve(*self._pairs[position])
            except Exception as error:
                self._failed[position] = error
                self._waiting.clear()

    def results(self) -> list[Result]:
        """The results in order; raises the error that a single thread would have met first."""
        if self._failed:
            # Pairs are started in order, so all before the first failure have been searched.
            position = min(self._failed)
            start, goal = self._pairs[position]
            error = self._failed[position]
            where = f"pairs[{position}], from {start} to {goal}"
            if isinstance(error, InputError):
                raise InputError(f"{where}: {error}") from error
            error.add_note(f"in {where}")
            raise error
        return [self._done[position] for position in range(len(self._pairs))]
