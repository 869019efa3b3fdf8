"""MHA*: one search guided by several heuristics, in turn or with a suboptimality bound."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any, overload

import numpy as np

from phil.arguments import FLAG, REAL, each, takes
from phil.errors import InputError
from phil.graphs import AnyGraph, ImplicitGraph, SearchedGraph
from phil.graphs.callbacks import N
from phil.graphs.checks import SEARCHED
from phil.graphs.lower_bound import NO_BOUND, lower_bound_of
from phil.problems.problem import Problem
from phil.search.guide import AnyHeuristic, Heuristic, SharedLoop
from phil.search.loop import CHUNK, HEURISTIC, LIMITS, SearchLoop, named, scores
from phil.search.method import NamedSearch, ShownByText, no_better_paths
from phil.search.mha_queues import (
    Queues,
    advance_in_turn,
    advance_within_bound,
    allocate_queues,
    are_full,
    enter_start,
    make_longer,
    make_room_for_values,
)
from phil.search.result import Limits, Result
from phil.search.state import BAD_NODE, BFS, LOWEST, Key, State

Weights = tuple[float, float]


@overload
def search_mha(
    graph: AnyGraph,
    start: Hashable,
    goal: Hashable,
    heuristics: Sequence[AnyHeuristic],
    *,
    w1: float | None = None,
    w2: float | None = None,
    limits: Limits | None = None,
    trace: bool = False,
) -> Result: ...


@overload
def search_mha(
    graph: ImplicitGraph[N],
    start: N,
    goal: N,
    heuristics: Sequence[AnyHeuristic],
    *,
    w1: float | None = None,
    w2: float | None = None,
    limits: Limits | None = None,
    trace: bool = False,
) -> Result[tuple[N, ...]]: ...


@overload
def search_mha(
    graph: Any,
    start: Any,
    goal: Any,
    heuristics: Sequence[AnyHeuristic],
    *,
    w1: float | None = None,
    w2: float | None = None,
    limits: Limits | None = None,
    trace: bool = False,
) -> Result[Any]: ...


@takes(
    graph=SEARCHED,
    heuristics=each(HEURISTIC, "a sequence of heuristics", alone=True),
    limits=LIMITS,
    trace=FLAG,
)
def search_mha(
    graph: Any,
    start: Any,
    goal: Any,
    heuristics: Sequence[Any],
    *,
    w1: float | None = None,
    w2: float | None = None,
    limits: Limits | None = None,
    trace: bool = False,
) -> Result[Any]:
    """Search for a path from start to goal with several heuristics: multi-heuristic A*.

    Every heuristic has a queue and evaluates each discovered node once. Without weights, the queues
    take turns: each expands its node of lowest value, and all share what has been discovered. This
    gives no guarantee on the path cost. With both weights, no node is expanded more than twice.

    Parameters
    ----------
    graph, start, goal
        As for `search`.
    heuristics
        One or more heuristics.
    w1, w2 : float, optional
        Both or neither, 1 or more. The path then costs at most `w1 * w2` times the optimal cost,
        whatever the heuristics' values (see `result.proven`). `w1` is the weight of values relative
        to the cost so far; with a larger `w2`, the heuristics decide more often, and the search's
        own lower bound on the cost to the goal less often.
    limits : Limits, optional
        When to give up.
    trace : bool
        Whether to record the expanded nodes, in order, as `result.trace`.

    Returns
    -------
    Result
        The result, also if there is no path or a limit was reached: see `result.outcome`.

    Raises
    ------
    InputError
        If a node does not exist, there is no heuristic, one does not fit the graph, or a weight is
        below 1.

    Examples
    --------
    >>> import phil
    >>> grid = phil.GridGraph([[True] * 7, [True] * 3 + [False] * 3 + [True], *[[True] * 7] * 2])
    >>> both = [phil.load("euclidean"), phil.load("manhattan")]
    >>> phil.search_mha(grid, (0, 0), (3, 6), both).expansions
    7
    >>> result = phil.search_mha(grid, (0, 0), (3, 6), both, w1=1.5, w2=2)
    >>> result.solved, result.proven <= 3
    (True, True)
    """
    guided = list(heuristics)
    if not guided:
        raise InputError("search_mha needs at least one heuristic")
    weights = check_weights(w1, w2)
    searched, source, target = graph.between(start, goal)
    with MultiHeuristicLoop(
        searched, source, target, guided, weights, limits=limits or Limits(), trace=trace
    ) as running:
        return named(graph, searched, running.result(running.run()))


def check_weights(w1: float | None, w2: float | None) -> Weights | None:
    """Both weights, or None if there are none; raises `InputError` if they are invalid."""
    if w1 is None and w2 is None:
        return None
    if w1 is None or w2 is None:
        raise InputError("MHA* takes both weights, w1 and w2, or none")
    for name, weight in (("w1", w1), ("w2", w2)):
        REAL.check(weight, f"{name} of MHA*")
        if not (weight >= 1 and isfinite(weight)):
            raise InputError(f"{name} of MHA* must be 1 or more, and finite, not {weight}")
    return float(w1), float(w2)


@dataclass(frozen=True, repr=False)
class MultiHeuristicMethod(ShownByText):
    """MHA* with several heuristics: in turn, or with w1 and w2 and the bound that they imply.

    Parameters
    ----------
    text
        Its name in tables.
    heuristics
        The heuristics that guide it.
    weights
        (w1, w2): the path costs at most w1 * w2 times the optimal cost. None: no guarantee.
    """

    text: str
    heuristics: tuple[Heuristic, ...]
    weights: Weights | None = None

    @property
    def bound(self) -> float | None:
        """The suboptimality bound w1 * w2."""
        return None if self.weights is None else self.weights[0] * self.weights[1]

    def promise(self, graphs: Iterable[AnyGraph]) -> float:
        """Its bound."""
        return inf if self.bound is None else self.bound

    def search(
        self, problem: Problem, limits: Limits | None = None, *, trace: bool = False
    ) -> Result:
        """Search one problem."""
        w1, w2 = self.weights or (None, None)
        return search_mha(
            problem.graph,
            problem.start,
            problem.goal,
            self.heuristics,
            w1=w1,
            w2=w2,
            limits=limits,
            trace=trace,
        )

    def anytime(
        self, problem: Problem, limits: Limits | None = None, *, trace: bool = False
    ) -> Iterator[Result]:
        """Not supported."""
        raise no_better_paths(self.text)

    def with_bound(self, bound: float) -> MultiHeuristicMethod:
        """Not supported: the bound follows from the weights."""
        raise InputError(
            f"'{self.text}' takes no separate bound: the bound of mha is the product of the "
            f"weights after its heuristics, such as mha(euclidean, manhattan, {bound:g}, 1)"
        )


def _multi(
    text: str, heuristics: Sequence[Heuristic], numbers: Sequence[float]
) -> MultiHeuristicMethod:
    weights = check_weights(*numbers) if numbers else None
    return MultiHeuristicMethod(text, tuple(heuristics), weights)


MHA = NamedSearch(
    "mha",
    "mha(euclidean, manhattan, 2, 2)",
    "several heuristics, in turn if there are no numbers; with the numbers w1 and w2, a path of at "
    "most w1 x w2 times the optimal cost; mha alone: euclidean, manhattan, obstacles",
    _multi,
    default=("euclidean", "manhattan", "obstacles"),  # as in the SaIL paper
    most=inf,
    numbers=(0, 2),
)


class MultiHeuristicLoop(SearchLoop):
    """A search with one queue per heuristic, in one compiled loop if the guides share one."""

    _has_values = False  # but in its queues

    def __init__(
        self,
        graph: SearchedGraph,
        start: int,
        goal: int,
        heuristics: Sequence[Heuristic],
        weights: Weights | None,
        *,
        limits: Limits,
        trace: bool,
    ) -> None:
        w1, w2 = weights or (0.0, 0.0)
        super().__init__(
            graph,
            start,
            goal,
            heuristics,
            # In turn, `State.open` is not used, and better paths are ignored.
            key=Key(g=1.0, h=w1) if weights else BFS,
            limits=limits,
            trace=trace,
            lower=lower_bound_of(graph, goal) if weights else NO_BOUND,
            greedy=weights is None,
        )
        self._next = advance_within_bound if weights else advance_in_turn
        self._run: Callable[[State, Queues, int], int] | None = None
        # Not `isinstance`, which takes longer than a short search for a protocol.
        share_loop = getattr(self._guides[0], "share_loop", None)
        shared: SharedLoop | None = share_loop and share_loop(self._guides)
        if shared is not None:
            self._run = shared.run_within_bound if weights else shared.run_in_turn
            self._patience = CHUNK
        state = self.state
        nodes = state.nodes.size if weights else 0
        self._queues = allocate_queues(len(heuristics), nodes, state.new.size, w2)
        enter_start(state, self._queues, start)

    def _step(self, budget: int) -> int:
        state, queues, arrays = self.state, self._queues, self._graph.arrays
        if self._run is not None:
            return self._run(state, queues, budget)
        given = 0
        while True:
            given = self._next(state, queues, arrays, self._goal, budget, self._looks_ahead, given)
            if given < 0:
                return given
            expansion = self._discovered(given)
            for row, guide in zip(queues.values, self._guides, strict=True):
                row[:given] = scores(guide, expansion)

    def _accused(self) -> str:
        place = self.state.new.tolist().index(self.state.counters[BAD_NODE] - 1)
        number = int(np.isnan(self._queues.values[:, place]).argmax())
        return f"heuristic {number + 1} of {len(self._guides)}"

    def _lower_bound(self) -> float:
        return float(self.state.bounds[LOWEST])

    def _make_room_for_entries(self) -> None:
        # Only what is full grows: the state goes back to the pool and keeps its size.
        if are_full(self.state, self._queues):
            make_longer(self._queues)
        else:
            super()._make_room_for_entries()

    def _make_room_for_nodes(self) -> None:
        super()._make_room_for_nodes()
        state = self.state
        make_room_for_values(self._queues, state.nodes.size, state.new.size)
