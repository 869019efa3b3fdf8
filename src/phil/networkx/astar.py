"""A* with the results of networkx's, in the compiled engine."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.graphs import Graph, SearchedGraph
from phil.graphs.callbacks import Callbacks
from phil.graphs.convert.networkx import Weight, cost_function
from phil.heuristics.oracle import OracleGuide
from phil.networkx.function import FunctionGuide, FunctionHeuristic
from phil.search import ASTAR, Limits, Result
from phil.search.expand import IMPROVEMENT
from phil.search.guide import Expansion, Heuristic
from phil.search.running_best_first import RunningSearch
from phil.search.state import EMPTY, EXPANDED, EXPANSIONS, FOUND, NONE, PAUSED

PIECE = 16  # expansions between two looks at whether to go on compiled


class TableGuide(OracleGuide):
    """Guides one search, compiled, by the values of all nodes."""

    def __init__(self, graph: Graph, goal: int, table: NDArray[np.float64]) -> None:
        self._arrays = graph.arrays
        self._goal = goal
        self._table = table


class RunningAstar(RunningSearch):
    """A* that finds the path that networkx finds, but for ties that rounding decides.

    Only a heuristic that overestimates makes a difference: networkx's path is made of the ways by
    which nodes were expanded. A better way to one of them, found when the goal is next, does not
    count.

    A node further than the cutoff, by its key, is not expanded: then none that is left is nearer.

    A heuristic that is a function costs a way out of the engine at every expansion. When the search
    has taken as long as asking for the values of all nodes would take, it does that and goes on
    compiled: so it never takes much more than twice the time of the better choice.
    """

    def __init__(
        self,
        graph: SearchedGraph,
        start: int,
        goal: int,
        heuristic: Heuristic,
        cutoff: float | None,
        limits: Limits,
        *,
        may_compile: bool = True,
    ) -> None:
        super().__init__(graph, start, goal, heuristic, key=ASTAR, limits=limits, trace=False)
        self._start = start
        self._cutoff = cutoff
        self._parents: dict[int, int] = {}
        self._may_compile = may_compile and cutoff is None and isinstance(graph, Graph)

    @property
    def function(self) -> FunctionGuide | None:
        """The guide that asks a function, if that is what guides."""
        return self._guide if isinstance(self._guide, FunctionGuide) else None

    def has_better_way(self) -> bool:
        """Whether the path has become better since the goal was met."""
        met = float(self.state.nodes[self._goal]["g"])
        return self.path_cost(self.path()) < IMPROVEMENT * met

    def path(self) -> NDArray[np.int64]:
        """The path to the goal; if not compiled, by the ways by which its nodes were expanded."""
        if self._compiled is not None:
            return super().path()
        path = [self._goal]
        node = self._parent(self._goal)
        while node != NONE:
            path.append(node)
            node = self._parents[node]
        return np.array(path[::-1], np.int64)

    def _step(self, budget: int) -> int:
        if self._cutoff is not None:
            return self._step_to_cutoff(self._cutoff, budget)
        counters = self.state.counters
        while self._compiled is None and self._may_compile:
            code = super()._step(min(budget, int(counters[EXPANSIONS]) + PIECE))
            if code != PAUSED or counters[EXPANSIONS] >= budget:
                return code
            self._consider_table()
        return super()._step(budget)

    def _step_to_cutoff(self, cutoff: float, budget: int) -> int:
        counters = self.state.counters
        while True:
            code = super()._step(min(budget, int(counters[EXPANSIONS]) + self._patience))
            node = int(counters[EXPANDED])
            if node != self._start:
                record = self.state.nodes[node]
                if record["g"] + record["h"] > cutoff:
                    return EMPTY
            if code != PAUSED or counters[EXPANSIONS] >= budget:
                return code

    def _consider_table(self) -> None:
        guide, graph = self.function, self._graph
        if guide is None or not guide.known or not isinstance(graph, Graph):
            return
        left = graph.size - len(guide.known)
        if time.perf_counter() - self._began < left * guide.seconds / len(guide.known):
            return
        table = guide.table()
        self._may_compile = table is not None
        if table is not None:
            self._compiled = TableGuide(graph, self._goal, table)

    def _uncovered(self, count: int) -> Expansion:
        expansion = super()._uncovered(count)
        self._parents[expansion.node] = self._parent(expansion.node)
        return expansion

    def _parent(self, node: int) -> int:
        return int(self.state.nodes[node]["parent"])


def search_astar(
    graph: SearchedGraph,
    start: int,
    goal: int,
    heuristic: Heuristic,
    cutoff: float | None,
    limits: Limits,
) -> Result:
    """A* with networkx's result."""
    with RunningAstar(graph, start, goal, heuristic, cutoff, limits) as running:
        code = running.run()
        known = None
        if code == FOUND and running.function is not None and running.has_better_way():
            known = running.function.known
        result = running.result(code)
    if known is None:
        return result
    # Which way a node was expanded by is only known if the search was not compiled. All values are
    # known by now, so no node is asked for again.
    again = FunctionHeuristic(lambda node, _: known[node], range(graph.size))
    with RunningAstar(graph, start, goal, again, cutoff, limits, may_compile=False) as running:
        return running.result(running.run())


class FunctionCosts(Callbacks[Any]):
    """A networkx graph whose costs a function gives: it is asked about the edges that are met."""

    def __init__(self, network: Any, weight: Weight) -> None:
        super().__init__(network.neighbors)
        self._cost = cost_function(network, weight)
        self._adjacency = network.adj

    def edges(self, node: Any) -> tuple[list[Any], list[float], list[int]]:
        """A node's neighbours, and what the function says of the edges to them."""
        targets, costs = [], []
        for other, data in self._adjacency[node].items():
            cost = self._cost(node, other, data)
            if cost is None or other == node:
                continue
            if not 0 <= cost < np.inf:
                raise NotImplementedError(
                    f"the weight of edge ({node!r}, {other!r}) is {cost}; "
                    "costs must be finite and not negative"
                )
            targets.append(other)
            costs.append(float(cost))
        return targets, costs, []

    def token(self, node: Any) -> int:
        """Nothing: what needs one is not used here."""
        return 0
