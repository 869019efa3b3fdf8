"""A* with the results of networkx's, in the compiled engine."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.graphs import SearchedGraph
from phil.graphs.callbacks import Callbacks
from phil.graphs.convert.networkx import Weight, cost_function
from phil.search import ASTAR, Limits
from phil.search.guide import Expansion, Heuristic
from phil.search.running_best_first import RunningSearch
from phil.search.state import EMPTY, EXPANDED, EXPANSIONS, NONE, PAUSED


class RunningAstar(RunningSearch):
    """A* that finds the path that networkx finds, but for ties that rounding decides.

    Only a heuristic that overestimates makes a difference: networkx's path is made of the ways by
    which nodes were expanded. A better way to one of them, found when the goal is next, does not
    count.

    A node further than the cutoff, by its key, is not expanded: then none that is left is nearer.
    """

    def __init__(
        self,
        graph: SearchedGraph,
        start: int,
        goal: int,
        heuristic: Heuristic,
        cutoff: float | None,
    ) -> None:
        super().__init__(graph, start, goal, heuristic, key=ASTAR, limits=Limits(), trace=False)
        self._start = start
        self._cutoff = cutoff
        self._parents: dict[int, int] = {}

    def path(self) -> NDArray[np.int64]:
        """The path to the goal, by the ways by which its nodes were expanded."""
        if self._compiled is not None:
            return super().path()
        path = [self._goal]
        node = self._parent(self._goal)
        while node != NONE:
            path.append(node)
            node = self._parents[node]
        return np.array(path[::-1], np.int64)

    def _step(self, budget: int) -> int:
        if self._cutoff is None:
            return super()._step(budget)
        counters = self.state.counters
        while True:
            code = super()._step(min(budget, int(counters[EXPANSIONS]) + self._patience))
            node = int(counters[EXPANDED])
            if node != self._start:
                record = self.state.nodes[node]
                if record["g"] + record["h"] > self._cutoff:
                    return EMPTY
            if code != PAUSED or counters[EXPANSIONS] >= budget:
                return code

    def _uncovered(self, count: int) -> Expansion:
        expansion = super()._uncovered(count)
        self._parents[expansion.node] = self._parent(expansion.node)
        return expansion

    def _parent(self, node: int) -> int:
        return int(self.state.nodes[node]["parent"])


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
