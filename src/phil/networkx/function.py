"""A function of two nodes, as networkx's A* takes it, as a heuristic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.graphs import SearchedGraph
from phil.search.guide import Expansion


class FunctionHeuristic:
    """A function h(u, v) of networkx nodes, the estimated cost from u to v.

    It is called once for every node that a search meets.
    """

    def __init__(self, function: Callable[[Any, Any], Any], nodes: Sequence[Any]) -> None:
        """`nodes` maps ids to nodes."""
        self.name = getattr(function, "__name__", "function")
        self._function = function
        self._nodes = nodes

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> FunctionGuide:
        """A guide for one search."""
        return FunctionGuide(self._function, self._nodes, goal)


class FunctionGuide:
    """Calls the function for each new node."""

    def __init__(
        self, function: Callable[[Any, Any], Any], nodes: Sequence[Any], goal: int
    ) -> None:
        self._function = function
        self._nodes = nodes
        self._goal = nodes[goal]

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """The function's value for each new node."""
        function, nodes, goal = self._function, self._nodes, self._goal
        return np.array([float(function(nodes[k], goal)) for k in expansion.new.tolist()])
