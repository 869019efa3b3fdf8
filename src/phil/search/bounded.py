"""Best-first search with a suboptimality bound (see `phil.search.proof`)."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from phil.arguments import is_real
from phil.errors import InputError, quoted
from phil.graphs import AnyGraph, SearchedGraph
from phil.graphs.lower_bound import NO_BOUND, LowerBound, best_lower_bound
from phil.search.best_first import BestFirst
from phil.search.expand import insert_new_unguided, prove
from phil.search.guide import Guide, Heuristic, ProvingHeuristic, traits_of
from phil.search.heap import NODE_BITS, NODE_MASK
from phil.search.known_path import EITHER_END, UNSEEN
from phil.search.loop import Path, give_back, scores, take_state
from phil.search.open import begin
from phil.search.proof import go_on, improve, lowest, room_for_pass
from phil.search.result import Limits
from phil.search.state import (
    AHEAD,
    BOUND,
    IMPROVING,
    LOWEST,
    MET,
    NEW,
    OPEN,
    PART,
    SEEKING,
    Key,
    make_room_for_waiting,
    stage_stamp,
)


def check_bound(bound: float) -> float:
    """The bound as a float; raises `InputError` if it is below 1."""
    if not is_real(bound) or not bound >= 1:
        raise InputError(
            f"the bound on the path's cost must be at least 1 (optimal), not {quoted(bound)}"
        )
    return float(bound)


class BoundedSearch(BestFirst):
    """A search whose path costs at most `bound` times the optimal cost.

    `lower` is the heuristic that this is proven with; by default, the best lower bound at hand.
    """

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
        bound: float,
        lower: Heuristic | None = None,
    ) -> None:
        bound = check_bound(bound)
        given: Heuristic | None = None  # one that must be asked
        if lower is None:
            known = best_lower_bound(graph, goal, landmarks=traits_of(heuristic).landmarks)
        else:
            known, given = _chosen(lower, graph, goal)
        super().__init__(
            graph,
            start,
            goal,
            heuristic,
            key=key,
            limits=limits,
            trace=trace,
            others=() if given is None else (given,),
            lower=known,
        )
        self._best: Path | None = None  # inside what was known when it was looked for
        self._lower_guide: Guide | None = None
        if given is not None:
            self._lower_guide = self._guides[1]
            self._compiled = None  # its loop would not ask for lower bounds
            self._patience = 1
            self._make_room_for_lower_bounds()
        self.state.bounds[PART] = SEEKING
        self.state.bounds[BOUND] = bound
        make_room_for_waiting(self.state)

    def _cheapest(self, path: NDArray[np.int64]) -> Path:
        if self._seen == UNSEEN:
            return super()._cheapest(path)
        if self._best is None:
            self._look_for_path(path)
        cost = self.path_cost(path)
        return self._best if self._best is not None and self._best[1] < cost else (path, cost)

    def _look_for_path(self, path: NDArray[np.int64]) -> None:
        """Find the cheapest path inside what is known, without changing the search's state."""
        scratch = take_state(self._graph)
        begin(scratch, int(path[0]))
        self._best = self._cheapest_in(scratch, path)
        scratch.lower = NO_BOUND
        give_back(scratch)

    def prove(self, bound: float, cost: float) -> None:
        """Continue until a path is within the bound; the best known one costs `cost`."""
        improve(self.state, self._graph.arrays, float(bound), float(cost))

    @property
    def _has_met(self) -> bool:
        """Whether the goal was reached, so that the search needs no guide any more."""
        return bool(self.state.bounds[PART] >= IMPROVING)

    def _can_go_on(self, code: int) -> bool:
        if code != MET:
            return super()._can_go_on(code)
        if not self._has_met:
            _, cost = self._cheapest(self.path())
            self.prove(self.state.bounds[BOUND], cost)
            return True
        path = self.path()
        # Over edges that lead away from closed nodes there is no better one. If the goal was
        # closed, a path was returned; better ones are returned only when it is closed again.
        unclosed = self.state.nodes[self._goal]["stamp"] == stage_stamp(self.state, OPEN)
        if self._seen == EITHER_END and unclosed:
            self._look_for_path(path)
        path, cost = self._cheapest(path)
        make_room_for_waiting(self.state, int(room_for_pass(self._graph.arrays, path)))
        go_on(self.state, self._graph.arrays, path, cost)
        return True

    def _step(self, budget: int) -> int:
        if self._has_met and self._lower_guide is None:
            return prove(self.state, self._graph.arrays, self._goal, budget)
        return super()._step(budget)

    def _insert(self, count: int) -> None:
        if self._lower_guide is not None:
            new = self.state.new[:count]
            values = scores(self._lower_guide, self._discovered(count))
            if np.isnan(values).any():
                node = self._name(new[np.isnan(values)][0])
                raise InputError(f"the lower bound that the bound is proven with is NaN at {node}")
            self.state.lower.given[new] = values
        if self._has_met:
            insert_new_unguided(self.state, self._graph.arrays, count)
        else:
            super()._insert(count)

    def _make_room_for_nodes(self) -> None:
        super()._make_room_for_nodes()
        if self._lower_guide is not None:
            self._make_room_for_lower_bounds()

    def _make_room_for_lower_bounds(self) -> None:
        known = self.state.lower.given
        if known.size < self._graph.size:
            given = np.zeros(max(self._graph.size, 2 * known.size))
            given[: known.size] = known
            self.state.lower = self.state.lower.replace(given=given)

    def _has_path(self) -> bool:
        record = self.state.nodes[self._goal]
        return bool(record["stamp"] >= stage_stamp(self.state, NEW))

    def _neighbors_read(self) -> int:
        if self._lazy is not None and self._has_met:
            # Nodes that it called may have been expanded without it: count those still open.
            waiting = self.state.waiting
            tags = waiting.tags[: waiting.size[0]]
            nodes = tags & NODE_MASK
            still = self.state.nodes["order"][nodes] == tags >> NODE_BITS
            called = self._lazy.called(nodes[still].astype(np.int32))
            self.state.counters[AHEAD] = called
        return super()._neighbors_read()

    def _lower_bound(self) -> float:
        others = max(
            float(self.state.bounds[LOWEST]), float(lowest(self.state, self._graph.arrays))
        )
        # The goal is open again if a better path than the last one was found just now.
        return min(others, float(self.state.nodes[self._goal]["g"])) if self._has_path() else others


def _chosen(
    lower: Heuristic, graph: SearchedGraph, goal: int
) -> tuple[LowerBound, Heuristic | None]:
    """The lower bound that a heuristic gives, and the heuristic itself if it must be asked."""
    # A graph that is discovered by searching has the vocabulary that admissible heuristics ask for.
    if not traits_of(lower).admissible(cast(AnyGraph, graph)):
        raise InputError(
            f"{lower.name} is not known to be a lower bound on this graph, so it proves no bound; "
            "use landmarks, on a grid octile, or a heuristic of your own whose traits say that it "
            "is admissible"
        )
    if isinstance(lower, ProvingHeuristic):
        return lower.lower_bound(graph, goal), None
    return NO_BOUND, lower
