"""Anytime search: a first path quickly, then better ones until a suboptimality bound is met."""

from __future__ import annotations

from collections.abc import Generator, Hashable
from typing import Any, overload

from phil.arguments import FLAG, NOTHING, takes
from phil.graphs import AnyGraph, ImplicitGraph
from phil.graphs.callbacks import N
from phil.graphs.checks import SEARCHED
from phil.search.bounded import BoundedSearch, check_bound
from phil.search.guide import AnyHeuristic
from phil.search.loop import HEURISTIC, KEY, LIMITS, named
from phil.search.result import Limits, Result
from phil.search.state import FOUND, GREEDY, ROUNDING, Key


@overload
def anytime(
    graph: AnyGraph,
    start: Hashable,
    goal: Hashable,
    heuristic: AnyHeuristic,
    *,
    bound: float = 1.0,
    lower: AnyHeuristic | None = None,
    key: Key = GREEDY,
    limits: Limits | None = None,
    trace: bool = False,
) -> Generator[Result, None, None]: ...


@overload
def anytime(
    graph: ImplicitGraph[N],
    start: N,
    goal: N,
    heuristic: AnyHeuristic,
    *,
    bound: float = 1.0,
    lower: AnyHeuristic | None = None,
    key: Key = GREEDY,
    limits: Limits | None = None,
    trace: bool = False,
) -> Generator[Result[tuple[N, ...]], None, None]: ...


@overload
def anytime(
    graph: Any,
    start: Any,
    goal: Any,
    heuristic: AnyHeuristic,
    *,
    bound: float = 1.0,
    lower: AnyHeuristic | None = None,
    key: Key = GREEDY,
    limits: Limits | None = None,
    trace: bool = False,
) -> Generator[Result[Any], None, None]: ...


@takes(
    graph=SEARCHED,
    heuristic=HEURISTIC,
    lower=HEURISTIC | NOTHING,
    key=KEY,
    limits=LIMITS,
    trace=FLAG,
)
def anytime(
    graph: Any,
    start: Any,
    goal: Any,
    heuristic: Any,
    *,
    bound: float = 1.0,
    lower: Any = None,
    key: Key = GREEDY,
    limits: Limits | None = None,
    trace: bool = False,
) -> Generator[Result[Any], None, None]:
    """Find a path, then better ones, until one costs at most `bound` times the optimal cost.

    The first result is that of `search` with an infinite bound. The same search then continues and
    yields every better path as soon as it finds one. If the last path was not yet proven to be good
    enough, it is yielded once more at the end with the final `result.proven`, which exceeds `bound`
    only if a limit was reached. Counts, seconds and limits are those of the whole search. Close the
    generator (or drop it) to end the search early.

    Parameters
    ----------
    graph, start, goal, heuristic
        As for `search`.
    bound : float
        The suboptimality bound at which to stop; 1 for an optimal path.
    lower : optional
        The heuristic that the bound is proven with, as for `search`.
    key : Key
        The order of expansion until the first path is found.
    limits : Limits, optional
        When to give up.
    trace : bool
        Whether to record the expanded nodes, in order, as `result.trace`.

    Yields
    ------
    Result
        A first path, then better ones; a single unsolved result if there is no path.

    Raises
    ------
    InputError
        As `search` does, as soon as the function is called.

    Examples
    --------
    >>> import phil
    >>> grid = phil.GridGraph([[True] * 7, [True] * 3 + [False] * 3 + [True], *[[True] * 7] * 2])
    >>> deep = phil.Key(g=0.0, h=0.0, depth=-1.0)
    >>> for result in phil.anytime(grid, (0, 0), (3, 6), phil.load("zero"), key=deep):
    ...     print(result.expansions, round(result.cost, 2), round(result.proven, 2))
    9 9.24 1.28
    13 8.41 1.16
    17 8.07 1.11
    19 7.24 1.0
    """
    enough = check_bound(bound)
    searched, source, target = graph.between(start, goal)

    # Errors in the arguments are raised at once; a workspace is only taken when iteration begins.
    def results() -> Generator[Result[Any], None, None]:
        with BoundedSearch(
            searched,
            source,
            target,
            heuristic,
            key=key,
            limits=limits or Limits(),
            trace=trace,
            bound=float("inf"),
            lower=lower,
        ) as running:
            for result in _improve(running, enough):
                yield named(graph, searched, result)

    return results()


def _improve(running: BoundedSearch, bound: float) -> Generator[Result, None, None]:
    known = running.result(running.run())
    yield known
    while known.solved and known.cost > bound * known.lower_bound * ROUNDING:
        running.prove(bound, known.cost)
        code = running.run()
        before, known = known, running.result(code, known)
        if known.expansions > before.expansions:  # else the limit had already been reached
            yield known
        if code != FOUND:
            return
