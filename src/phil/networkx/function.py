"""Heuristics as networkx has them: functions of two nodes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.graphs import SearchedGraph
from phil.search.guide import Expansion


class FunctionHeuristic:
    """A function h(u, v) of networkx's nodes: what is left to go from u to v.

    It is asked once for every node that a search uncovers.
    """

    name = "function"

    def __init__(self, function: Callable[[Any, Any], Any], nodes: Sequence[Any] = ()) -> None:
        """`nodes` by id; a graph that is met while searching knows its own."""
        self._function = function
        self._nodes = nodes

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> FunctionGuide:
        """A guide for one search."""
        nodes = self._nodes if graph.is_known else graph.nodes
        return FunctionGuide(self._function, nodes, goal)


class FunctionGuide:
    """Asks the function about each new node, and keeps what it says."""

    def __init__(
        self, function: Callable[[Any, Any], Any], nodes: Sequence[Any], goal: int
    ) -> None:
        self._function = function
        self._nodes = nodes
        self._goal = nodes[goal]
        self.knows_all_nodes = True  # until it is found that the function does not
        self._known: dict[int, float] = {}  # values by id
        self._seconds = 0.0  # that the function took

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """The function's value of each new node."""
        function, nodes, goal = self._function, self._nodes, self._goal
        new = expansion.new.tolist()
        began = time.perf_counter()
        values = [float(function(nodes[k], goal)) for k in new]
        self._seconds += time.perf_counter() - began
        self._known.update(zip(new, values, strict=True))
        return np.array(values)

    def seconds_for_all(self) -> float:
        """About how long it would take to ask about all other nodes."""
        known = len(self._known)
        return (len(self._nodes) - known) * self._seconds / known if known else np.inf

    def table(self) -> NDArray[np.float64] | None:
        """The function's values of all nodes; None if it does not know them all."""
        function, nodes, goal, known = self._function, self._nodes, self._goal, self._known
        try:
            values = [
                known[k] if k in known else float(function(node, goal))
                for k, node in enumerate(nodes)
            ]
        except Exception:  # of a node that the search may never come to
            self.knows_all_nodes = False
            return None
        return np.array(values)
