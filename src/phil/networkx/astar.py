"""A* with the same results as networkx's, in the compiled engine; and functions as heuristics."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.graphs import AnyGraph, SearchedGraph
from phil.heuristics.node_value import NodeValueGuide, table_lookup
from phil.search import ASTAR, Limits, Result
from phil.search.best_first import BestFirst
from phil.search.guide import Expansion, Heuristic
from phil.search.state import EMPTY, EXPANDED, EXPANSIONS, PAUSED

KEY = replace(ASTAR, ties_to_goal=False)
PIECE = 16  # expansions between two checks of whether to continue compiled


def search_astar(
    graph: SearchedGraph,
    start: int,
    goal: int,
    heuristic: Heuristic,
    cutoff: float | None,
    limits: Limits,
) -> Result:
    """A* as in networkx; with integer costs, it finds exactly the same path.

    Both expand the node with the least g + h, breaking ties first-in first-out, and reopen a node
    that gets a better path. So they agree even if the heuristic is not admissible.
    """
    with RunningAstar(graph, start, goal, heuristic, cutoff, limits) as running:
        return running.result(running.run())


class RunningAstar(BestFirst):
    """A* with a cutoff: the search ends at the first node whose key exceeds it.

    A heuristic that is a Python function interrupts the engine at every expansion. Once the search
    has taken as long as evaluating the function on all nodes would take, it does so and continues
    compiled. Thus it never takes much more than twice the time of the better choice.
    """

    def __init__(
        self,
        graph: SearchedGraph,
        start: int,
        goal: int,
        heuristic: Heuristic,
        cutoff: float | None,
        limits: Limits,
    ) -> None:
        super().__init__(graph, start, goal, heuristic, key=KEY, limits=limits, trace=False)
        self._start = start
        self._cutoff = cutoff

    def _step(self, budget: int) -> int:
        if self._cutoff is not None:
            return self._step_to_cutoff(self._cutoff, budget)
        guide, graph, counters = self._guide, self._graph, self.state.counters
        if isinstance(guide, FunctionGuide) and graph.is_known:
            while self._compiled is None and guide.knows_all_nodes:
                code = super()._step(min(budget, int(counters[EXPANSIONS]) + PIECE))
                if code != PAUSED or counters[EXPANSIONS] >= budget:
                    return code
                if self._elapsed() >= guide.seconds_for_all():
                    self._go_on_compiled(guide, graph)
        return super()._step(budget)

    def _step_to_cutoff(self, cutoff: float, budget: int) -> int:
        counters = self.state.counters
        while True:
            # Compiled, there is no heuristic, so keys never decrease: occasional checks suffice.
            code = super()._step(min(budget, int(counters[EXPANSIONS]) + self._patience))
            node = int(counters[EXPANDED])
            if node != self._start:
                record = self.state.nodes[node]
                if record["g"] + record["h"] > cutoff:
                    return EMPTY
            if code != PAUSED or counters[EXPANSIONS] >= budget:
                return code

    def _go_on_compiled(self, guide: FunctionGuide, graph: AnyGraph) -> None:
        table = guide.table()
        if table is not None:
            self._compiled = NodeValueGuide(graph, self._goal, table_lookup(table))


class FunctionHeuristic:
    """A function h(u, v) of networkx nodes, the estimated cost from u to v, as a heuristic.

    It is called once for every node that a search generates.
    """

    name = "function"

    def __init__(self, function: Callable[[Any, Any], Any], nodes: Sequence[Any] = ()) -> None:
        """`nodes` maps ids to nodes; a `Discovery` has its own."""
        self._function = function
        self._nodes = nodes

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> FunctionGuide:
        """A guide for one search."""
        nodes = self._nodes if graph.is_known else graph.nodes
        return FunctionGuide(self._function, nodes, goal)


class FunctionGuide:
    """Calls the function for each new node and caches the values."""

    def __init__(
        self, function: Callable[[Any, Any], Any], nodes: Sequence[Any], goal: int
    ) -> None:
        self._function = function
        self._nodes = nodes
        self._goal = nodes[goal]
        self.knows_all_nodes = True  # until the function fails on some node
        self._known: dict[int, float] = {}  # values by id
        self._seconds = 0.0  # spent in the function

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """The function's value for each new node."""
        function, nodes, goal = self._function, self._nodes, self._goal
        new = expansion.new.tolist()
        began = time.perf_counter()
        values = [float(function(nodes[k], goal)) for k in new]
        self._seconds += time.perf_counter() - began
        self._known.update(zip(new, values, strict=True))
        return np.array(values)

    def seconds_for_all(self) -> float:
        """An estimate of the time to evaluate the function on all other nodes."""
        known = len(self._known)
        return (len(self._nodes) - known) * self._seconds / known if known else np.inf

    def table(self) -> NDArray[np.float64] | None:
        """The function's values for all nodes; None if it fails on any of them."""
        function, nodes, goal, known = self._function, self._nodes, self._goal, self._known
        try:
            values = [
                known[k] if k in known else float(function(node, goal))
                for k, node in enumerate(nodes)
            ]
        except Exception:  # for a node that the search may never reach
            self.knows_all_nodes = False
            return None
        return np.array(values)
