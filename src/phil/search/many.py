"""Many searches on one graph: in several threads, in processes, or on a cluster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from phil.arguments import ITERABLE, NOTHING, WHOLE, takes
from phil.errors import InputError
from phil.graphs import AnyGraph, ImplicitGraph
from phil.graphs.checks import GRAPH, SEARCHED
from phil.graphs.given import known_part
from phil.search.answers import Queried
from phil.search.best_first import HEURISTIC_OR_METHOD
from phil.search.bounded import check_bound
from phil.search.chunks import answered, in_chunks
from phil.search.guide import AnyHeuristic
from phil.search.loop import KEY, LIMITS, named
from phil.search.method import Method, Searcher
from phil.search.pairs import Node, pair_ids
from phil.search.result import Limits, Result
from phil.search.state import GREEDY, Key
from phil.workers import LOCAL, ON, Workers, open_workers
from phil.workers.choice import usable_cores


@takes(
    graph=SEARCHED,
    pairs=ITERABLE,
    heuristic=HEURISTIC_OR_METHOD,
    threads=WHOLE | NOTHING,
    key=KEY,
    limits=LIMITS,
    on=ON,
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
    on: str | Workers = LOCAL,
) -> list[Result]:
    """Search for a path for every (start, goal), several at a time.

    Except for the seconds, results are those of `search`, wherever and in however many threads they
    are found. With built-in and learned heuristics, each thread answers many queries in one call of
    compiled code. Threads do not speed up heuristics written in Python, since only one thread at a
    time can run Python; processes do. Every thread has its own workspace.

    Parameters
    ----------
    graph
        A `Graph` or a `GridGraph`, or what `search` takes for one.
    pairs
        Pairs of start and goal, as for `search`.
    heuristic
        The heuristic that guides the searches, or a method by name, as for `search`.
    threads : int, optional
        How many searches run at a time in this process; by default one per core.
    key, bound, limits
        As for `search`, for each search.
    on : str or Workers, optional
        Where to search: "local", in threads of this process; "processes" or "processes:N"; or "ray"
        (see `phil.open_workers`). The graph is sent once to each machine.

    Returns
    -------
    list of Result
        In the order of the pairs.

    Raises
    ------
    InputError
        If a pair is invalid; this is checked before the first search.

    See Also
    --------
    phil.search_stream : the same for more pairs or results than fit into memory

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
    queried = _queried(graph, heuristic, key, bound, limits, "search_many")
    ends = pair_ids(graph, list(pairs))
    found: Iterable[Result]
    with open_workers(on) as workers:
        if workers.is_here:
            found = queried.answer(ends, threads or usable_cores())
        else:
            # Guides keep what they computed for a goal, for the next query to it.
            order = np.argsort(ends[:, 1], kind="stable")
            sorted_results = list(answered(queried, workers, in_chunks(ends[order], workers.count)))
            found = [sorted_results[k] for k in np.argsort(order).tolist()]
    return [named(graph, queried.graph, result) for result in found]


@takes(
    graph=SEARCHED,
    pairs=ITERABLE,
    heuristic=HEURISTIC_OR_METHOD,
    key=KEY,
    limits=LIMITS,
    on=ON,
)
def search_stream(
    graph: AnyGraph | Any,
    pairs: Iterable[tuple[Node, Node]],
    heuristic: AnyHeuristic | Searcher,
    *,
    key: Key = GREEDY,
    bound: float | None = None,
    limits: Limits | None = None,
    on: str | Workers = LOCAL,
) -> Iterator[Result]:
    """Search for paths for any number of (start, goal), in bounded memory.

    Pairs are taken from an iterator as workers become free, and results are yielded in the order of
    the pairs. If results are taken slowly, pairs are too.

    Parameters
    ----------
    graph, pairs, heuristic, key, bound, limits, on
        As for `search_many`.

    Yields
    ------
    Result

    Raises
    ------
    InputError
        If a pair is invalid, when its turn comes.

    Examples
    --------
    >>> import itertools, phil
    >>> grid = phil.GridGraph([[True] * 9] * 9)
    >>> pairs = ((start, 80 - start) for start in itertools.cycle(range(40)))  # without an end
    >>> results = phil.search_stream(grid, pairs, "euclidean")
    >>> sum(result.length for result in itertools.islice(results, 100))
    624
    """
    queried = _queried(graph, heuristic, key, bound, limits, "search_stream")
    return _streamed(graph, pairs, queried, on)


def _streamed(
    graph: AnyGraph, pairs: Iterable[tuple[Node, Node]], queried: Queried, on: str | Workers
) -> Iterator[Result]:
    with open_workers(on) as workers:
        for result in answered(queried, workers, in_chunks(pairs, workers.count, graph)):
            yield named(graph, queried.graph, result)


def _queried(
    graph: AnyGraph,
    heuristic: Any,
    key: Key,
    bound: float | None,
    limits: Limits | None,
    caller: str,
) -> Queried:
    if isinstance(graph, ImplicitGraph):
        GRAPH.take(graph, f"{caller}: graph")
    if isinstance(heuristic, Method) and heuristic.bound is None and key == GREEDY:
        heuristic, key = heuristic.heuristic, heuristic.key  # which many queries can share
    if bound is not None:
        check_bound(bound)
    return Queried(known_part(graph), heuristic, key, bound, limits or Limits())
