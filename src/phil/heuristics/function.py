"""Functions of two nodes as heuristics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.arguments import is_real
from phil.errors import LONGEST, InputError, one_line, quoted
from phil.graphs import GridGraph, SearchedGraph
from phil.search.guide import Expansion, Traits
from phil.text import cut, visible


class FunctionHeuristic:
    """A function h(node, goal) of the user's own nodes, the estimated cost between them.

    It is called once for every node that a search generates: with cells on a grid, labels on a
    labelled graph, networkx's nodes on a graph converted from networkx, and otherwise ids.

    >>> import phil
    >>> grid = phil.GridGraph([[True] * 5] * 5)
    >>> columns = FunctionHeuristic(lambda cell, goal: abs(cell[1] - goal[1]), name="columns")
    >>> columns
    FunctionHeuristic(columns)
    >>> phil.search(grid, (0, 0), (0, 4), columns).expansions
    5
    """

    traits = Traits("a function of yours")

    def __init__(self, function: Callable[[Any, Any], Any], name: str | None = None) -> None:
        self.name = _name_of(function) if name is None else name
        self._function = function

    def __repr__(self) -> str:
        return f"FunctionHeuristic({cut(visible(self.name), LONGEST)})"

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> FunctionGuide:
        """A guide for one search."""
        return FunctionGuide(self._function, user_nodes(graph), goal)


class Cells(Sequence[Any]):
    """The cells of a grid, by id."""

    def __init__(self, grid: GridGraph) -> None:
        self._grid = grid

    def __len__(self) -> int:
        return self._grid.size

    def __getitem__(self, node: Any) -> Any:
        return self._grid.cell(node)


def user_nodes(graph: SearchedGraph) -> Sequence[Any]:
    """What `graph.user_node` returns for every id."""
    if not graph.is_known:
        return graph.nodes
    if graph.is_grid:
        return Cells(graph)
    return graph.own_nodes or graph.labels or range(graph.size)


def forgiving(function: Callable[[Any, Any], Any]) -> FunctionHeuristic:
    """A user's function as a heuristic; what it raises, or returns wrongly, is an `InputError`."""
    name = _name_of(function)

    def told(node: Any, goal: Any) -> float:
        try:
            given = function(node, goal)
        except Exception as error:
            raise InputError(
                f"the heuristic {name}({quoted(node)}, {quoted(goal)}) raised "
                f"{type(error).__name__}: {one_line(error)}; it must be a function of a node and "
                "the goal"
            ) from error
        if not is_real(given):
            raise InputError(
                f"the heuristic {name}({quoted(node)}, {quoted(goal)}) returned {quoted(given)}; "
                "it must return a number, the estimated cost to the goal"
            )
        return float(given)

    return FunctionHeuristic(told, name)


def _name_of(function: Callable[..., Any]) -> str:
    return str(getattr(function, "__name__", type(function).__name__))


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
