"""Heuristics as networkx has them: functions of two nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.graphs import Discovery, SearchedGraph
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
        nodes = graph.nodes if isinstance(graph, Discovery) else self._nodes
        return FunctionGuide(self._function, nodes, goal)


class FunctionGuide:
    """Asks the function about each new node."""

    def __init__(
        self, function: Callable[[Any, Any], Any], nodes: Sequence[Any], goal: int
    ) -> None:
        self._function = function
        self._nodes = nodes
        self._goal = nodes[goal]

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """The function's value of each new node."""
        function, nodes, goal = self._function, self._nodes, self._goal
        return np.array([float(function(nodes[k], goal)) for k in expansion.new.tolist()])
