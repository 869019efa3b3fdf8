"""Many searches on one graph in several threads; compiled loops run in parallel."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.arguments import ITERABLE, NOTHING, WHOLE, takes
from phil.compiled.clock import HAS_CLOCK
from phil.errors import InputError, quoted
from phil.graphs import AnyGraph, ImplicitGraph
from phil.graphs.checks import GRAPH, SEARCHED
from phil.graphs.given import known_part
from phil.search.best_first import HEURISTIC_OR_METHOD, search
from phil.search.bounded import check_bound
from phil.search.guide import AnyHeuristic, traits_of
from phil.search.loop import KEY, LIMITS, named
from phil.search.method import Method, Searcher
from phil.search.queries import Queries
from phil.search.result import Limits, Result
from phil.search.state import GREEDY, Key
from phil.search.threads import in_threads, usable_cores

Node = Any  # an id, a cell of a grid, a label, or a node of a networkx graph


@takes(
    graph=SEARCHED,
    pairs=ITERABLE,
    heuristic=HEURISTIC_OR_METHOD,
    threads=WHOLE | NOTHING,
    key=KEY,
    limits=LIMITS,
)
def search_many(
    graph: AnyGraph | Any,
    pairs: Iterable[tuple[Node, Node]],
    heuristic: AnyHeuristic | Searcher,
    *,
    threads: int | None = None,
    key: Key = GREEDY,
    bound: float | None = None,
    limits: Limits | None = None,
) -> list[Result]:
    """Search for a path for every (start, goal), several at a time.

    Except for the seconds, results are those of `search`, whatever the number of threads. With
    built-in and learned heuristics, each thread answers many queries in one call of compiled code.
    Threads do not speed up heuristics written in Python, since only one thread at a time can run
    Python. Every thread has its own workspace.

    Parameters
    ----------
    graph
        A `Graph` or a `GridGraph`, or what `search` takes for one.
    pairs
        Pairs of start and goal, as for `search`.
    heuristic
        The heuristic that guides the searches, or a method by name, as for `search`.
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
    >>> results = phil.search_many(grid, pairs, "euclidean", threads=2)
    >>> [result.length for result in results]
    [8, 8, 0]
    """
    if threads is not None and threads < 1:
        raise InputError(f"threads must be at least 1, not {threads}")
    if isinstance(graph, ImplicitGraph):
        GRAPH.take(graph, "search_many: graph")
    searched = known_part(graph)
    guiding: Any = heuristic
    if isinstance(guiding, Method) and guiding.bound is None and key == GREEDY:
        guiding, key = guiding.heuristic, guiding.key  # which many queries can share
    by_method = not hasattr(guiding, "begin")
    ends = _ids(graph, list(pairs))
    if bound is not None:
        check_bound(bound)
    limits = limits or Limits()
    threads = min(threads or usable_cores(), len(ends))
    if threads == 0:
        return []
    work: Queries | _OneByOne
    batches = HAS_CLOCK and not by_method and traits_of(guiding).batches
    if batches and bound is None and limits.seconds is None:
        work = Queries(searched, ends, guiding, key, limits.expansions)
    else:

        def solve(start: int, goal: int) -> Result:
            order = None if by_method and key == GREEDY else key
            return search(searched, start, goal, guiding, key=order, bound=bound, limits=limits)

        work = _OneByOne(ends, solve)
    work.run(threads)
    if work.failed:
        position = min(work.failed)
        raise _at_pair(position, ends[position], work.failed[position])
    return [named(graph, searched, work.found[position]) for position in range(len(ends))]


def _ids(graph: AnyGraph, pairs: Sequence[tuple[Node, Node]]) -> NDArray[np.int64]:
    """The ids of starts and goals, one row per pair."""
    ids = _all_ids(graph, pairs)
    if ids is None:  # one by one, which names the first one that is wrong
        ids = np.array([_checked(graph, *given) for given in enumerate(pairs)], np.int64)
    return ids.reshape(-1, 2)


def _all_ids(graph: AnyGraph, pairs: Sequence[tuple[Node, Node]]) -> NDArray[np.int64] | None:
    """The ids of all pairs at once; None if any is wrong, or if they are of different kinds."""
    if known_part(graph) is not graph:  # their integers may be nodes of its own
        return None
    try:
        if set(map(len, pairs)) != {2}:
            return None
        given: NDArray[Any] = np.asarray(pairs)
        if given.dtype.kind not in "iu":  # such as 1.7, which would become 1
            return None
        ids: NDArray[np.int64] = given.astype(np.int64)
        if graph.is_grid and isinstance(pairs[0][0], tuple):
            ids = np.ravel_multi_index(tuple(np.moveaxis(ids, 2, 0)), graph.shape)
        elif ids.ndim != 2:
            return None
    except (TypeError, ValueError, LookupError, OverflowError):
        return None
    known = bool(((ids >= 0) & (ids < graph.size)).all())
    if not known or (graph.is_grid and not graph.free.reshape(-1)[ids].all()):
        return None
    return ids


def _checked(graph: AnyGraph, position: int, pair: tuple[Node, Node]) -> tuple[int, int]:
    try:
        start, goal = pair
    except (TypeError, ValueError):
        raise InputError(f"pairs[{position}] must be (start, goal), not {quoted(pair)}") from None
    try:
        _, source, target = graph.between(start, goal)
    except InputError as error:
        raise InputError(f"pairs[{position}]: {error}") from error
    return source, target


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
