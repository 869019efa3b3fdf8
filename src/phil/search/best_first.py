"""Best-first search over any graph with any heuristic: greedy, A* and BFS are keys, not copies."""

from __future__ import annotations

from typing import Any, overload

from phil.errors import InputError
from phil.graphs import AnyGraph, ImplicitGraph
from phil.graphs.callbacks import N
from phil.graphs.lower_bound import NO_BOUND, lower_bound_of
from phil.search.ends import named
from phil.search.guide import Heuristic
from phil.search.result import Limits, Result
from phil.search.running_best_first import RunningSearch
from phil.search.state import GREEDY, Key


@overload
def search(
    graph: AnyGraph,
    start: int | tuple[int, ...],
    goal: int | tuple[int, ...],
    heuristic: Heuristic,
    *,
    key: Key = GREEDY,
    bound: float | None = None,
    limits: Limits | None = None,
    trace: bool = False,
) -> Result: ...


@overload
def search(
    graph: ImplicitGraph[N],
    start: N,
    goal: N,
    heuristic: Heuristic,
    *,
    key: Key = GREEDY,
    bound: float | None = None,
    limits: Limits | None = None,
    trace: bool = False,
) -> Result[tuple[N, ...]]: ...


def search(
    graph: AnyGraph | ImplicitGraph[Any],
    start: Any,
    goal: Any,
    heuristic: Heuristic,
    *,
    key: Key = GREEDY,
    bound: float | None = None,
    limits: Limits | None = None,
    trace: bool = False,
) -> Result[Any]:
    """Search a path from start to goal, expanding the node of least key first.

    Nodes are ids, or cells of a grid: (row, column), in 3D (x, y, z); an implicit graph has its
    own. A node's value is asked for once, when it is uncovered, and never updated. With a key that
    counts path cost (A*), a better path to a known node re-orders or re-opens it.

    With a `bound`, the path costs at most that many times the least cost, whatever the heuristic
    says: when the search has met the goal, it goes on until that is proven, or a better path is
    found for which it is (`result.proven` says what was). With an infinite bound it does not go on.

    >>> import phil
    >>> grid = phil.GridGraph([[True, True, True], [False, False, True], [True, True, True]])
    >>> result = phil.search(grid, (2, 0), (0, 0), phil.load("euclidean"))
    >>> result.outcome, result.expansions, [grid.cell(node) for node in result.path]
    (<Outcome.SOLVED: 'solved'>, 5, [(2, 0), (2, 1), (1, 2), (0, 1), (0, 0)])
    >>> phil.search(grid, (2, 0), (0, 0), phil.load("euclidean"), bound=1.5).proven
    1.0
    """
    searched, source, target = graph.between(start, goal)
    with RunningSearch(
        searched,
        source,
        target,
        heuristic,
        key=key,
        limits=limits or Limits(),
        trace=trace,
        bound=None if bound is None else check_bound(bound),
        lower=NO_BOUND if bound is None else lower_bound_of(searched, target),
    ) as running:
        return named(searched, running.result(running.run()))


def check_bound(bound: float) -> float:
    """The bound, or an error: no path costs less than the least cost."""
    if not bound >= 1:
        raise InputError(f"the bound on the path's cost must be at least 1 (optimal), not {bound}")
    return float(bound)
