"""Best-first search on any graph with any heuristic: greedy, A* and BFS differ only in the key."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, overload

from phil.arguments import FLAG, NOTHING, REAL, Kind, later, takes
from phil.errors import InputError
from phil.graphs import AnyGraph, ImplicitGraph, SearchedGraph
from phil.graphs.callbacks import N
from phil.graphs.checks import SEARCHED
from phil.graphs.lower_bound import NO_BOUND, LowerBound
from phil.problems.problem import Problem
from phil.search.expand import insert_new, next_new, revise
from phil.search.guide import AnyHeuristic, CompiledGuide, Heuristic, LazyGuide, RevisingGuide
from phil.search.loop import CHUNK, HEURISTIC, KEY, LIMITS, SearchLoop, named, scores
from phil.search.prefetch import next_to_ask
from phil.search.result import Limits, Result
from phil.search.state import GREEDY, ROUNDING, Key

if TYPE_CHECKING:
    from phil.search.method import Searcher  # which imports this

HEURISTIC_OR_METHOD = Kind(
    f"{HEURISTIC.what}; or a method such as 'astar(octile)'",
    lambda given: hasattr(given, "begin") or (hasattr(given, "text") and hasattr(given, "search")),
    later("phil.evaluation.methods:as_heuristic_or_method"),
)


@overload
def search(
    graph: AnyGraph,
    start: Hashable,
    goal: Hashable,
    heuristic: AnyHeuristic | Searcher | None = None,
    *,
    key: Key | None = None,
    bound: float | None = None,
    lower: AnyHeuristic | None = None,
    limits: Limits | None = None,
    trace: bool = False,
) -> Result: ...


@overload
def search(
    graph: ImplicitGraph[N],
    start: N,
    goal: N,
    heuristic: AnyHeuristic | Searcher | None = None,
    *,
    key: Key | None = None,
    bound: float | None = None,
    lower: AnyHeuristic | None = None,
    limits: Limits | None = None,
    trace: bool = False,
) -> Result[tuple[N, ...]]: ...


@overload
def search(
    graph: Any,
    start: Any,
    goal: Any,
    heuristic: AnyHeuristic | Searcher | None = None,
    *,
    key: Key | None = None,
    bound: float | None = None,
    lower: AnyHeuristic | None = None,
    limits: Limits | None = None,
    trace: bool = False,
) -> Result[Any]: ...


@takes(
    graph=SEARCHED,
    heuristic=HEURISTIC_OR_METHOD | NOTHING,
    key=KEY | NOTHING,
    bound=REAL | NOTHING,
    lower=HEURISTIC | NOTHING,
    limits=LIMITS,
    trace=FLAG,
)
def search(
    graph: Any,
    start: Any,
    goal: Any,
    heuristic: Any = None,
    *,
    key: Key | None = None,
    bound: float | None = None,
    lower: Any = None,
    limits: Limits | None = None,
    trace: bool = False,
) -> Result[Any]:
    """Search for a path from start to goal, expanding the node with the lowest key first.

    A node is evaluated once, when it is discovered, and its value is never updated. With a key that
    includes the path cost (A*), a better path to a known node reorders or reopens it. A greedy
    search returns the cheapest path over the edges of the nodes that it expanded.

    Parameters
    ----------
    graph
        A `Graph`, a `GridGraph` or an `ImplicitGraph`; or a 2D or 3D array of free cells, a
        networkx graph, a SciPy sparse matrix, PyG data, or the name of a file, which are converted
        at every call (a networkx graph only once).
    start, goal
        Nodes: ids, cells of a grid as (row, column), in 3D (x, y, z), or labels. Networkx graphs
        and implicit graphs have nodes of their own.
    heuristic : optional
        The heuristic that guides the search: a name or file (see `phil.load`), a loaded heuristic,
        or a function of two nodes that estimates the cost from the first to the second (cells on a
        grid). Or a method by name, such as "astar(octile)" (see `phil.evaluation.parse_method`).
        By default, the best shipped heuristic that fits the graph, hedged (see `search_hedge`), or
        `euclidean` if none fits: `phil.evaluation.default_method` says which. With a key or a
        bound, the default is `euclidean`.
    key : Key, optional
        The order of expansion: `GREEDY` (the default), `ASTAR`, `BFS` or another.
    bound : float, optional
        The suboptimality bound: the path costs at most this many times the optimal cost, whatever
        the heuristic's values. After reaching the goal, the search continues until that is proven
        for its path or for a better one (see `result.proven`). With an infinite bound, it stops at
        the goal.
    lower : optional
        The heuristic that the bound is proven with, such as ``"landmarks"``. It must be known to be
        admissible on the graph; one of your own says so in its `traits`. By default, the best lower
        bound at hand: the cost through free cells on a grid, landmarks on a graph known in full.
    limits : Limits, optional
        When to give up. A search with a bound then returns the best path it has, if any, and what
        is proven about it.
    trace : bool
        Whether to record the expanded nodes, in order, as `result.trace`, and the path by which the
        goal was reached as `result.path_by_parents`.

    Returns
    -------
    Result
        The result, also if there is no path or a limit was reached: see `result.outcome`.

    Raises
    ------
    InputError
        If a node does not exist, the heuristic does not fit the graph, or the bound is below 1.

    Examples
    --------
    >>> import phil
    >>> grid = phil.GridGraph([[True, True, True], [False, False, True], [True, True, True]])
    >>> result = phil.search(grid, (2, 0), (0, 0), "euclidean")
    >>> result.outcome, result.expansions, result.cells
    (<Outcome.SOLVED: 'solved'>, 5, [(2, 0), (2, 1), (1, 2), (0, 1), (0, 0)])
    >>> phil.search(grid, (2, 0), (0, 0), "astar(octile)").expansions
    5
    >>> phil.search(grid, (2, 0), (0, 0), lambda cell, goal: abs(cell[0] - goal[0])).expansions
    6
    >>> phil.search(grid, (2, 0), (0, 0), "euclidean", bound=1.5).proven
    1.0
    >>> phil.search(grid, (2, 0), (0, 0)).solved
    True
    """
    if heuristic is not None and not hasattr(heuristic, "begin"):
        if lower is not None:
            raise InputError(
                f"the method '{heuristic.text}' takes no lower; name a heuristic and a bound, or "
                "write it into the method: bounded(euclidean, 1.5, lower=landmarks)"
            )
        return _search_by(heuristic, Problem(graph, start, goal), graph, key, bound, limits, trace)
    searched, source, target = graph.between(start, goal)
    if heuristic is None:
        from phil.search.default import default_fallback, search_by_default  # which import this

        if key is None and bound is None:
            found = search_by_default(searched, source, target, limits or Limits(), trace=trace)
            return named(graph, searched, found)
        heuristic = default_fallback()
    order, limits = GREEDY if key is None else key, limits or Limits()
    running: BestFirst
    if bound is not None:
        from phil.search.bounded import BoundedSearch  # which imports this

        running = BoundedSearch(
            searched,
            source,
            target,
            heuristic,
            key=order,
            limits=limits,
            trace=trace,
            bound=bound,
            lower=lower,
        )
    elif lower is None:
        running = BestFirst(
            searched, source, target, heuristic, key=order, limits=limits, trace=trace
        )
    else:
        raise InputError("lower is what a bound is proven with; give a bound too")
    with running:
        return named(graph, searched, running.result(running.run()))


def _search_by(
    method: Any,
    problem: Problem,
    given: Any,
    key: Key | None,
    bound: float | None,
    limits: Limits | None,
    trace: bool,
) -> Result[Any]:
    """Search with a method, which has a key of its own."""
    if key is not None:
        raise InputError(
            f"the method '{method.text}' has a key of its own; leave out key, or name a heuristic"
        )
    if bound is not None:
        method = method.with_bound(bound)
    return named(given, problem.graph, method.search(problem, limits, trace=trace))


class BestFirst(SearchLoop):
    """A search by one key, guided by one heuristic, in the heuristic's compiled loop if any."""

    def __init__(
        self,
        graph: SearchedGraph,
        start: int,
        goal: int,
        heuristic: Heuristic,
        *,
        key: Key,
        limits: Limits,
        trace: bool,
        others: Sequence[Heuristic] = (),
        lower: LowerBound = NO_BOUND,
    ) -> None:
        super().__init__(
            graph,
            start,
            goal,
            [heuristic, *others],
            key=key,
            limits=limits,
            trace=trace,
            lower=lower,
            greedy=key.is_greedy,
        )
        if key.ties_to_goal and key.g > 0 and key.h > 0:
            # Equal keys then differ by the values, and the lower comes first.
            self.state.weights[1] = key.h * ROUNDING
        self._guide = self._guides[0]
        # Not `isinstance`, which takes longer than a short search for a protocol.
        guide: Any = self._guide
        self._compiled: CompiledGuide | None = guide if hasattr(guide, "run") else None
        self._revising: RevisingGuide | None = guide if hasattr(guide, "revise") else None
        self._lazy: LazyGuide | None = guide if hasattr(guide, "settle") else None
        if self._compiled is not None:
            self._patience = CHUNK

    def _step(self, budget: int) -> int:
        if self._compiled is not None:
            return self._compiled.run(self.state, budget)
        state, arrays = self.state, self._graph.arrays
        while True:
            code = self._lazy.settle(state, budget) if self._lazy is not None else 0
            if code < 0:
                return code
            count = next_new(state, arrays, self._goal, budget, self._looks_ahead)
            if count < 0:
                return count
            self._insert(count)

    def _insert(self, count: int) -> None:
        """Insert V_new of the last expansion into OPEN, with the guide's values."""
        state, arrays = self.state, self._graph.arrays
        state.values[:count] = scores(self._guide, self._discovered(count))
        insert_new(state, arrays, count)
        if self._revising is not None:
            for node, value in zip(*self._revising.revise(), strict=True):
                if not 0 <= node < self._graph.size:
                    raise InputError(f"the heuristic revised node {node}, which does not exist")
                revise(state, arrays, int(node), float(value))

    def _to_ask(self, most: int) -> list[int]:
        return next_to_ask(self.state, self._graph.arrays, self._goal, most)

    def _lower_bound(self) -> float:
        return 0.0
