"""Best-first search on any graph with any heuristic: greedy, A* and BFS differ only in the key."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from phil.arguments import FLAG, NOTHING, REAL, Kind, is_real, later, takes
from phil.errors import InputError, quoted
from phil.graphs import AnyGraph, ImplicitGraph, SearchedGraph
from phil.graphs.callbacks import N
from phil.graphs.checks import SEARCHED
from phil.graphs.lower_bound import NO_BOUND, LowerBound, lower_bound_of
from phil.problems.problem import Problem
from phil.search.expand import insert_new, next_new, revise
from phil.search.guide import AnyHeuristic, CompiledGuide, Heuristic, LazyGuide, RevisingGuide
from phil.search.known_path import UNSEEN
from phil.search.loop import (
    CHUNK,
    HEURISTIC,
    KEY,
    LIMITS,
    Path,
    SearchLoop,
    give_back,
    named,
    scores,
    take_state,
)
from phil.search.open import begin, lowest, prove
from phil.search.prefetch import next_to_ask
from phil.search.result import Limits, Result
from phil.search.state import (
    BOUND,
    GREEDY,
    LOWEST,
    MET,
    PART,
    PLAIN,
    ROUNDING,
    SEEKING,
    Key,
    make_room_for_waiting,
)

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
    limits: Limits | None = None,
    trace: bool = False,
) -> Result[Any]: ...


@takes(
    graph=SEARCHED,
    heuristic=HEURISTIC_OR_METHOD | NOTHING,
    key=KEY | NOTHING,
    bound=REAL | NOTHING,
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
    limits : Limits, optional
        When to give up.
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
        return _search_by(heuristic, Problem(graph, start, goal), graph, key, bound, limits, trace)
    searched, source, target = graph.between(start, goal)
    if heuristic is None:
        from phil.search.default import default_fallback, search_by_default  # which import this

        if key is None and bound is None:
            found = search_by_default(searched, source, target, limits or Limits(), trace=trace)
            return named(graph, searched, found)
        heuristic = default_fallback()
    with BestFirst(
        searched,
        source,
        target,
        heuristic,
        key=GREEDY if key is None else key,
        limits=limits or Limits(),
        trace=trace,
        bound=None if bound is None else check_bound(bound),
        lower=NO_BOUND if bound is None else lower_bound_of(searched, target),
    ) as running:
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


def check_bound(bound: float) -> float:
    """The bound as a float; raises `InputError` if it is below 1."""
    if not is_real(bound) or not bound >= 1:
        raise InputError(
            f"the bound on the path's cost must be at least 1 (optimal), not {quoted(bound)}"
        )
    return float(bound)


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
        bound: float | None = None,
        lower: LowerBound = NO_BOUND,
    ) -> None:
        super().__init__(
            graph,
            start,
            goal,
            [heuristic],
            key=key,
            limits=limits,
            trace=trace,
            lower=lower,
            greedy=key.is_greedy,
        )
        if key.ties_to_goal and key.g > 0 and key.h > 0:
            # Equal keys then differ by the values, and the lower comes first.
            self.state.weights[1] = key.h * ROUNDING
        self._first: Path | None = None  # with a bound: the first path
        [self._guide] = self._guides
        # Not `isinstance`, which takes longer than a short search for a protocol.
        guide: Any = self._guide
        self._compiled: CompiledGuide | None = guide if hasattr(guide, "run") else None
        self._revising: RevisingGuide | None = guide if hasattr(guide, "revise") else None
        self._lazy: LazyGuide | None = guide if hasattr(guide, "settle") else None
        if self._compiled is not None:
            self._patience = CHUNK
        if bound is not None:
            self.state.bounds[PART] = SEEKING
            self.state.bounds[BOUND] = bound
            make_room_for_waiting(self.state)

    def _cheapest(self, path: NDArray[np.int64]) -> Path:
        if self.state.bounds[PART] == PLAIN or self._seen == UNSEEN:
            return super()._cheapest(path)
        # The search may go on, so it keeps its state; while it proves, it follows better paths.
        if self._first is None:
            scratch = take_state(self._graph)
            begin(scratch, int(path[0]))
            self._first = self._cheapest_in(scratch, path)
            scratch.lower = NO_BOUND
            give_back(scratch)
        cost = self.path_cost(path)
        return self._first if self._first[1] < cost else (path, cost)

    def prove(self, bound: float, cost: float) -> None:
        """Continue until a path is within the bound; the best known one costs `cost`."""
        prove(self.state, self._graph.arrays, float(bound), float(cost))

    def _can_go_on(self, code: int) -> bool:
        if code == MET:
            _, cost = self._cheapest(self.path())
            self.prove(self.state.bounds[BOUND], cost)
            return True
        return super()._can_go_on(code)

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
        bounds = self.state.bounds
        if bounds[PART] == PLAIN:
            return 0.0
        return max(float(bounds[LOWEST]), float(lowest(self.state, self._graph.arrays)))
