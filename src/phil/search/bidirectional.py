"""Bidirectional search: from the start and, against the edges, from the goal, until they meet."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.arguments import FLAG, takes
from phil.compiled import direct
from phil.errors import InputError
from phil.graphs import AnyGraph, ImplicitGraph, SearchedGraph
from phil.graphs.checks import SEARCHED
from phil.graphs.lower_bound import NO_BOUND, cheapest_edge
from phil.problems.problem import Problem
from phil.search.ends import (
    BACKWARD,
    BEST,
    FORWARD,
    MEETING,
    TURN,
    begin_both,
    have_met,
    run_by_levels,
    take_turn,
)
from phil.search.ends_astar import expand_node, insert_nodes, is_worthwhile, next_node
from phil.search.expand import insert_new, next_new
from phil.search.guide import (
    AnyHeuristic,
    CompiledGuide,
    Expansion,
    Guide,
    Heuristic,
    LazyGuide,
    traits_of,
)
from phil.search.known_path import FROM_BOTH_ENDS
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
from phil.search.method import (
    NamedSearch,
    ShownByText,
    all_moves_cost_the_same,
    no_better_paths,
)
from phil.search.result import Limits, Result
from phil.search.state import (
    ASTAR,
    BFS,
    CLOSED,
    EVALUATIONS,
    EXPANDED,
    EXPANSIONS,
    FOUND,
    GENERATED,
    GREEDY,
    NEIGHBOR_CALLS,
    NO_TRACE,
    NO_TWIN,
    NONE,
    NOT_A_NUMBER,
    PART,
    PAUSED,
    PLAIN,
    ROUNDING,
    SEARCH,
    STAGES,
    TWIN_CLOSED,
    Key,
    make_room_for_entries,
)


@takes(graph=SEARCHED, heuristic=HEURISTIC, key=KEY, limits=LIMITS, trace=FLAG)
def search_bidirectional(
    graph: AnyGraph | Any,
    start: Hashable,
    goal: Hashable,
    heuristic: AnyHeuristic,
    *,
    key: Key = GREEDY,
    limits: Limits | None = None,
    trace: bool = False,
) -> Result:
    """Search for a path from both ends at once.

    One half of the search starts from the start and is guided to the goal; the other starts from
    the goal, follows edges backwards, and is guided to the start.

    Parameters
    ----------
    graph
        A `Graph` or a `GridGraph`. The edges of an `ImplicitGraph` cannot be followed backwards.
    start, goal
        As for `search`.
    heuristic
        The heuristic that guides both halves; `BFS` ignores it.
    key : Key
        `GREEDY`: each half expands its node of lowest value, in turn, until one of them discovers a
        node that the other has discovered. This gives no guarantee on the path cost.
        `ASTAR`: the path is optimal if the heuristic is admissible and consistent; with the
        heuristic `zero`, this is Dijkstra's algorithm from both ends.
        `BFS`: breadth-first search, always of the smaller half; the path has the fewest moves.
    limits : Limits, optional
        When to give up.
    trace : bool
        Whether to record the nodes expanded by either half, in order, as `result.trace`.

    Returns
    -------
    Result
        The result. Its counts are those of both halves together. `expansions` counts the nodes
        moved to either closed list until the path is found: start and goal only if they were
        expanded. No node is expanded by both halves.

    Raises
    ------
    InputError
        If a node does not exist, the heuristic does not fit the graph, the graph is implicit, or
        the key is another.

    Examples
    --------
    >>> import phil
    >>> grid = phil.GridGraph([[True] * 40] * 40)
    >>> ends, zero = ((39, 0), (0, 39)), phil.load("zero")
    >>> phil.search(grid, *ends, zero, key=phil.BFS).expansions
    1522
    >>> phil.search_bidirectional(grid, *ends, zero, key=phil.BFS).expansions
    723
    """
    if isinstance(graph, ImplicitGraph):
        raise InputError(
            "a bidirectional search follows edges backwards from the goal, but an ImplicitGraph "
            "can only be asked where edges lead to; build a Graph with graph.explored(start, "
            "most=...), or use a search from the start, such as phil.search"
        )
    loop = LOOPS.get(key)
    if loop is None:
        raise InputError("a bidirectional search takes the key GREEDY, ASTAR or BFS")
    searched, source, target = graph.between(start, goal)
    with loop(searched, source, target, heuristic, limits=limits or Limits(), trace=trace) as run:
        return named(graph, searched, run.result(run.run()))


class _FromGoal:
    """A heuristic for the half of a search that starts from the goal."""

    def __init__(self, inner: Heuristic) -> None:
        self.name = inner.name
        self._inner = inner

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> Guide:
        """A guide from the goal to the start, against the edges."""
        assert graph.is_known
        return self._inner.begin(graph.reversed(), goal, start)


class BidirectionalLoop(SearchLoop):
    """A search with two states, one for each end."""

    def __init__(
        self,
        graph: AnyGraph,
        start: int,
        goal: int,
        heuristics: Sequence[Heuristic],
        *,
        key: Key,
        limits: Limits,
        trace: bool,
        greedy: bool = False,
    ) -> None:
        super().__init__(
            graph,
            start,
            goal,
            heuristics,
            key=key,
            limits=limits,
            trace=trace,
            lower=NO_BOUND,
            greedy=greedy,
        )
        if greedy and graph.directed:
            self._seen = FROM_BOTH_ENDS
        self._start = start
        self._graphs = graph, graph.reversed()
        other = take_state(self._graphs[BACKWARD])
        self._counters_of_other = other.counters
        other.weights[:] = self.state.weights
        other.bounds[PART] = PLAIN
        self._states = self.state, other
        self._ends = begin_both(graph, start, goal, self._states, cheapest_edge(graph))

    def __exit__(self, *_: object) -> None:
        other = self._states[BACKWARD]
        self._counters_of_other[SEARCH] = other.counters[SEARCH]
        other.counters, other.trace = self._counters_of_other, NO_TRACE
        give_back(other)
        self.state.twin = NO_TWIN
        super().__exit__()

    @abstractmethod
    def _search(self, budget: int) -> int:
        """`_step` if start and goal differ."""

    def _step(self, budget: int) -> int:
        if self._start == self._goal:
            return next_new(self.state, self._graph.arrays, self._goal, budget, False)
        return self._search(budget)

    def path(self) -> NDArray[np.int64]:
        """The path through the node where the two halves met."""
        node = int(self._ends.marks[MEETING])
        halves = [self._path_in(state, node) for state in self._states]
        return np.concatenate([halves[FORWARD], halves[BACKWARD][-2::-1]])

    def _cheapest(self, path: NDArray[np.int64]) -> Path:
        counters = self.state.counters
        self.state.twin = self._states[BACKWARD].nodes
        counters[TWIN_CLOSED] = STAGES * counters[SEARCH] + CLOSED
        return super()._cheapest(path)

    def _make_room_for_entries(self) -> None:
        make_room_for_entries(self._states[self._ends.marks[TURN]])

    def _discovered_at(self, side: int, count: int) -> Expansion:
        """The last expansion, which discovered `count` nodes from this end."""
        state = self._states[side]
        new = state.new[:count].copy()
        known = state.nodes[new]
        number, node = int(state.counters[EXPANSIONS]), int(state.counters[EXPANDED])
        return Expansion(node, new, known["g"], known["depth"], number)

    def _neighbors_read(self) -> int:
        counters = self.state.counters
        if not self._looks_ahead:
            # Each end looks ahead lazily for itself, but both share their counters.
            lazily = sum(getattr(guide, "calls_ahead", 0) for guide in self._guides)
            return int(counters[NEIGHBOR_CALLS]) + lazily
        expanded = sum(
            int(state.nodes[node]["stamp"]) % STAGES == CLOSED
            for state, node in zip(self._states, (self._start, self._goal), strict=True)
        )
        return int(counters[GENERATED]) - 2 + expanded  # at every node but these

    def _next_pace(self, pace: int, seconds: float) -> int:
        # Records do not hold the calls ahead of both ends.
        return 1 if self._looks_lazily else super()._next_pace(pace, seconds)

    def _lower_bound(self) -> float:
        return 0.0


class ByLevels(BidirectionalLoop):
    """Breadth-first search from both ends."""

    _has_values = False

    def __init__(
        self,
        graph: AnyGraph,
        start: int,
        goal: int,
        heuristic: Heuristic,
        *,
        limits: Limits,
        trace: bool,
    ) -> None:
        super().__init__(graph, start, goal, [], key=BFS, limits=limits, trace=trace)
        self._patience = CHUNK

    def _search(self, budget: int) -> int:
        return run_by_levels(self._ends, budget)


class ByValue(BidirectionalLoop):
    """Greedy best-first search from both ends."""

    def __init__(
        self,
        graph: AnyGraph,
        start: int,
        goal: int,
        heuristic: Heuristic,
        *,
        limits: Limits,
        trace: bool,
    ) -> None:
        both = heuristic, _FromGoal(heuristic)
        super().__init__(
            graph, start, goal, both, key=GREEDY, limits=limits, trace=trace, greedy=True
        )
        # Not `isinstance`, which takes longer than a short search for a protocol.
        guides: list[Any] = self._guides
        self._compiled: list[CompiledGuide | None] = [
            guide if hasattr(guide, "run") else None for guide in guides
        ]

    def _search(self, budget: int) -> int:
        ends, counters = self._ends, self.state.counters
        while True:
            side = direct(take_turn)(ends)
            if side < 0:
                return side
            before = int(counters[EXPANSIONS])
            if before >= budget:
                return PAUSED
            code = self._expand(side, before + 1)
            if counters[EXPANSIONS] == before or code == NOT_A_NUMBER:
                return code
            if direct(have_met)(ends, side):
                return FOUND

    def _expand(self, side: int, budget: int) -> int:
        """Expand one node from an end; the code that says why it stopped."""
        state, compiled = self._states[side], self._compiled[side]
        if compiled is not None:
            return compiled.run(state, budget)
        arrays, guide = self._graphs[side].arrays, self._guides[side]
        code = guide.settle(state, budget) if isinstance(guide, LazyGuide) else 0
        if code < 0:
            return code
        count = next_new(state, arrays, NONE, budget, self._looks_ahead)
        if count < 0:
            return count
        state.values[:count] = scores(self._guides[side], self._discovered_at(side, count))
        insert_new(state, arrays, count)
        return PAUSED


class ByCost(BidirectionalLoop):
    """A* from both ends."""

    def __init__(
        self,
        graph: AnyGraph,
        start: int,
        goal: int,
        heuristic: Heuristic,
        *,
        limits: Limits,
        trace: bool,
    ) -> None:
        # A node is expanded once, from one end: with a consistent heuristic, its path is optimal.
        key = Key(g=1.0, h=ROUNDING, reopen=False)
        both = heuristic, _FromGoal(heuristic)
        super().__init__(graph, start, goal, both, key=key, limits=limits, trace=trace)
        one, other = self._guides
        share = getattr(one, "share_ends", None)
        self._run: Callable[[Any, int], int] | None = share and share(other)
        if self._run is not None:
            self._patience = CHUNK

    def _search(self, budget: int) -> int:
        if self._run is not None:
            return self._run(self._ends, budget)
        ends = self._ends
        while True:
            node = next_node(ends)
            if node < 0:
                return node
            side = int(ends.marks[TURN])
            if ends.costs[BEST] < inf and not is_worthwhile(ends, node, self._value(node, side)):
                continue
            count = expand_node(ends, node, budget)
            if count < 0:
                return count
            values = scores(self._guides[side], self._discovered_at(side, count))
            self._states[side].values[:count] = values
            insert_nodes(ends, count)

    def _value(self, node: int, side: int) -> float:
        """The value at the other end of a node that this end is about to expand."""
        known = self._states[side].nodes[[node]]
        number = int(self.state.counters[EXPANSIONS])
        new = np.array([node], np.int32)
        shown = Expansion(int(known["parent"][0]), new, known["g"], known["depth"], number)
        self.state.counters[EVALUATIONS] += 1
        return float(scores(self._guides[1 - side], shown)[0])


LOOPS: dict[Key, Callable[..., BidirectionalLoop]] = {
    GREEDY: ByValue,
    ASTAR: ByCost,
    BFS: ByLevels,
}


@dataclass(frozen=True, repr=False)
class BidirectionalMethod(ShownByText):
    """A bidirectional search with its heuristic.

    Parameters
    ----------
    text
        Its name in tables.
    key
        `GREEDY`, `ASTAR` or `BFS` (see `search_bidirectional`).
    heuristic
        The heuristic that guides both halves.
    """

    text: str
    key: Key
    heuristic: Heuristic
    bound: None = None

    @property
    def heuristics(self) -> tuple[Heuristic, ...]:
        """Its one heuristic."""
        return (self.heuristic,)

    def promise(self, graphs: Iterable[AnyGraph]) -> float:
        """1 if its path is optimal: by BFS where all moves cost the same, or by A*."""
        if self.key == BFS:
            return 1.0 if all(all_moves_cost_the_same(graph) for graph in graphs) else inf
        admissible = traits_of(self.heuristic).admissible
        if self.key == ASTAR:
            return 1.0 if all(admissible(graph) for graph in graphs) else inf
        return inf

    def search(
        self, problem: Problem, limits: Limits | None = None, *, trace: bool = False
    ) -> Result:
        """Search one problem."""
        return search_bidirectional(
            problem.graph,
            problem.start,
            problem.goal,
            self.heuristic,
            key=self.key,
            limits=limits,
            trace=trace,
        )

    def anytime(
        self, problem: Problem, limits: Limits | None = None, *, trace: bool = False
    ) -> Iterator[Result]:
        """Not supported."""
        raise no_better_paths(self.text)

    def with_bound(self, bound: float) -> BidirectionalMethod:
        """Not supported."""
        raise InputError(
            f"the method '{self.text}' takes no bound; use a search from the start with one "
            "heuristic, such as greedy(euclidean)"
        )


def _by_key(key: Key) -> Callable[[str, Sequence[Heuristic], Sequence[float]], BidirectionalMethod]:
    return lambda text, heuristics, numbers: BidirectionalMethod(text, key, heuristics[0])


BIDIRECTIONAL = (
    NamedSearch(
        "bidirectional",
        "bidirectional(euclidean)",
        "greedy from both ends until they meet; without H, bidijkstra",
        _by_key(GREEDY),
        bare="bidijkstra",
    ),
    NamedSearch(
        "bibfs",
        "bibfs",
        "breadth-first search from both ends",
        _by_key(BFS),
        ("zero",),
        most=0,
    ),
    NamedSearch(
        "bidijkstra",
        "bidijkstra",
        "Dijkstra's algorithm from both ends",
        _by_key(ASTAR),
        ("zero",),
        most=0,
    ),
    NamedSearch(
        "biastar", "biastar(euclidean)", "A* from both ends", _by_key(ASTAR), ("euclidean",)
    ),
)
