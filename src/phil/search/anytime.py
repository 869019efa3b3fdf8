"""Anytime search: a first path fast, then better ones until the best is good enough."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, overload

from phil.graphs import AnyGraph, ImplicitGraph
from phil.graphs.callbacks import N
from phil.graphs.lower_bound import lower_bound_of
from phil.search.best_first import BestFirst, check_bound
from phil.search.guide import Heuristic
from phil.search.loop import named
from phil.search.open import ROUNDING
from phil.search.result import Limits, Result
from phil.search.state import FOUND, GREEDY, Key


@overload
def anytime(
    graph: AnyGraph,
    start: int | tuple[int, ...],
    goal: int | tuple[int, ...],
    heuristic: Heuristic,
    *,
    bound: float = 1.0,
    key: Key = GREEDY,
    limits: Limits | None = None,
    trace: bool = False,
) -> Generator[Result, None, None]: ...


@overload
def anytime(
    graph: ImplicitGraph[N],
    start: N,
    goal: N,
    heuristic: Heuristic,
    *,
    bound: float = 1.0,
    key: Key = GREEDY,
    limits: Limits | None = None,
    trace: bool = False,
) -> Generator[Result[tuple[N, ...]], None, None]: ...


def anytime(
    graph: AnyGraph | ImplicitGraph[Any],
    start: Any,
    goal: Any,
    heuristic: Heuristic,
    *,
    bound: float = 1.0,
    key: Key = GREEDY,
    limits: Limits | None = None,
    trace: bool = False,
) -> Generator[Result[Any], None, None]:
    """Search a path, then better ones, until one costs at most `bound` times the least cost.

    The first result is that of `search` with an infinite bound. The same search then goes on and
    gives every better path as soon as it meets it. If the last one was not known to be good enough
    by then, it is given once more at the end, with what is proven about it (`result.proven`): more
    than `bound` only if a limit was reached. Counts, seconds and limits are those of the whole
    search. Close the generator (or drop it) to end the search early.

    Parameters
    ----------
    graph, start, goal, heuristic
        As for `search`.
    bound : float
        When a path is good enough: 1 for a path of least cost.
    key : Key
        The order of expansion until the first path is found.
    limits : Limits, optional
        When to give up.
    trace : bool
        Whether to keep the expanded nodes in order, as `result.trace`.

    Yields
    ------
    Result
        A first path, then better ones; a single unsolved result if there is none.

    Raises
    ------
    InputError
        As `search` does, at the call.

    Examples
    --------
    >>> import phil
    >>> grid = phil.GridGraph([[True] * 7, [True] * 3 + [False] * 3 + [True], *[[True] * 7] * 2])
    >>> deep = phil.Key(g=0.0, h=0.0, depth=-1.0)
    >>> for result in phil.anytime(grid, (0, 0), (3, 6), phil.load("zero"), key=deep):
    ...     print(result.expansions, round(result.cost, 2), round(result.proven, 2))
    9 10.07 1.39
    14 7.24 1.0
    """
    enough = check_bound(bound)
    searched, source, target = graph.between(start, goal)

    # What is wrong with the arguments is said at once; working room is lent only when it is used.
    def results() -> Generator[Result[Any], None, None]:
        with BestFirst(
            searched,
            source,
            target,
            heuristic,
            key=key,
            limits=limits or Limits(),
            trace=trace,
            bound=float("inf"),
            lower=lower_bound_of(searched, target),
        ) as running:
            for result in _improve(running, enough):
                yield named(searched, result)

    return results()


def _improve(running: BestFirst, bound: float) -> Generator[Result, None, None]:
    known = running.result(running.run())
    yield known
    while known.solved and known.cost > bound * known.lower_bound * ROUNDING:
        running.prove(bound, known.cost)
        code = running.run()
        before, known = known, running.result(code, known)
        if known.expansions > before.expansions:  # else the limit was reached before
            yield known
        if code != FOUND:
            return
