"""The result of a search, its outcome and its limits."""

from __future__ import annotations

from collections.abc import Iterable, Sized
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import import_module
from math import isfinite
from typing import Any, Generic, cast

import numpy as np
from numpy.typing import NDArray
from typing_extensions import TypeVar

from phil.arguments import NOTHING, REAL, WHOLE
from phil.errors import InputError

# The nodes of a path or trace: ids in an array, or a tuple of an implicit graph's own nodes.
Nodes = TypeVar("Nodes", bound=Sized, default=NDArray[np.int64])


class Outcome(StrEnum):
    """How a search ended: `SOLVED`, `UNREACHABLE` (there is no path) or `LIMIT` (it gave up)."""

    SOLVED = "solved"
    UNREACHABLE = "unreachable"  # OPEN ran empty
    LIMIT = "limit"


@dataclass(frozen=True)
class Limits:
    """When a search gives up.

    Parameters
    ----------
    expansions : int, optional
        The maximum number of expansions. The same search always stops at the same node.
    seconds : float, optional
        The maximum time. Where the search then stops depends on the machine.

    Raises
    ------
    InputError
        If a limit is negative or not a number.

    Examples
    --------
    >>> import phil
    >>> grid = phil.GridGraph([[True] * 9] * 9)
    >>> ends = (8, 0), (0, 8)
    >>> phil.search(grid, *ends, phil.load("zero"), limits=phil.Limits(expansions=5)).outcome
    <Outcome.LIMIT: 'limit'>
    """

    expansions: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        (WHOLE | NOTHING).check(self.expansions, "the limit on expansions")
        (REAL | NOTHING).check(self.seconds, "the limit on seconds")
        if self.expansions is not None and self.expansions < 0:
            raise InputError(f"the limit on expansions must not be negative: {self.expansions}")
        if self.seconds is not None and not self.seconds >= 0:
            raise InputError(f"the limit on seconds must not be negative: {self.seconds}")


@dataclass(frozen=True, repr=False)
class Result(Generic[Nodes]):
    """A finished search.

    Attributes
    ----------
    outcome : Outcome
        How it ended.
    path
        The nodes from start to goal: ids, or on an `ImplicitGraph` and a networkx graph the user's
        own nodes (see also `nodes` and `cells`). Empty if the goal was not reached. Of a greedy
        search, the cheapest path over the edges of the nodes that it expanded; of others, the path
        by which the goal was reached.
    cost : float
        The sum of the path's edge weights; `inf` without a path.
    expansions : int
        |CLOSE|: the number of nodes moved to the closed list until the goal is there, including
        start and goal. A node expanded again counts again. A search from both ends counts the nodes
        of both closed lists until a path is found (see `search_bidirectional`).
    reopened : int
        The number of expansions of nodes expanded before.
    generated : int
        The number of nodes discovered, including the start.
    evaluations : int
        The number of heuristic values computed.
    neighbor_calls : int
        The number of nodes whose neighbours were computed to expand them.
    lookahead_calls : int
        The number of nodes whose neighbours were computed only for the heuristic's look-ahead, or
        for a batch (see `ImplicitGraph`). On an implicit graph, the neighbours of `calls` nodes
        were requested: those of both kinds.
    seconds : float
        Wall time, including what the heuristic prepares for this search, but not the time that the
        first search of a process waits for compiled code.
    trace
        The expanded nodes in order if requested, else None.
    lower_bound : float
        A proven lower bound on the optimal cost, which a search with a bound raises as it goes; 0
        without a bound, `inf` if there is no path.
    path_by_parents
        With a trace, the path by which the goal was reached: each node was discovered by expanding
        the one before it. Else None.
    graph : Graph, GridGraph or ImplicitGraph
        The graph that was searched. A result that is sent to another process leaves it behind, but
        keeps its `nodes` and `cells`.

    Examples
    --------
    >>> import phil
    >>> grid = phil.GridGraph([[True] * 3] * 3)
    >>> result = phil.search(grid, (2, 0), (0, 2), "euclidean")
    >>> result  # doctest: +ELLIPSIS
    Result(solved, expansions=3, calls=2, cost=2.828, length=2, ... ms)
    >>> result.path.tolist(), result.cells
    ([6, 4, 2], [(2, 0), (1, 1), (0, 2)])

    The path by which a greedy search reached the goal zigzags; the cheapest one over what it has
    seen does not:

    >>> grid = phil.GridGraph([[True] * 9] * 3)
    >>> result = phil.search(grid, (2, 0), (2, 8), phil.load("zero"), trace=True)
    >>> [grid.cell(int(node)) for node in result.path_by_parents][:5], result.cost
    ([(2, 0), (1, 1), (0, 2), (1, 3), (0, 4)], 8.0)
    """

    outcome: Outcome
    path: Nodes
    cost: float
    expansions: int
    reopened: int
    generated: int
    evaluations: int
    neighbor_calls: int
    lookahead_calls: int
    seconds: float
    trace: Nodes | None = None
    lower_bound: float = 0.0
    path_by_parents: Nodes | None = None
    graph: Any = field(default=None, compare=False)

    def __repr__(self) -> str:
        found = f", cost={self.cost:.4g}, length={self.length}" if len(self.path) else ""
        return (
            f"Result({self.outcome}, expansions={self.expansions}, calls={self.calls}{found}, "
            f"{1000 * self.seconds:.3g} ms)"
        )

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return str(import_module("phil.view.notebook").result_html(self))

    def __getstate__(self) -> dict[str, Any]:
        """Without the graph, which may be large, but with what it is needed for."""
        return vars(self) | {"graph": None, "_named": (self.nodes, self._on_grid)}

    @property
    def nodes(self) -> list[Any]:
        """The path in the user's own words: cells of a grid, labels, or nodes of networkx.

        Nodes that have no other name are ids.
        """
        graph, path = self.graph, self.path
        if graph is None and "_named" in vars(self):
            return list(vars(self)["_named"][0])
        if not isinstance(path, np.ndarray):
            return list(cast(Iterable[Any], path))
        ids: list[int] = path.tolist()
        return ids if graph is None else [graph.user_node(node) for node in ids]

    @property
    def cells(self) -> list[tuple[int, ...]]:
        """The path on a grid: (row, column), or in 3D (x, y, z). Other graphs have `nodes`."""
        if not self._on_grid:
            raise InputError("only paths on grids have cells; use result.nodes")
        return self.nodes

    @property
    def _on_grid(self) -> bool:
        if self.graph is None:
            return bool(vars(self).get("_named", ((), False))[1])
        return self.graph.shape is not None

    @property
    def calls(self) -> int:
        """How often the neighbours of a node were computed, to expand it or to look ahead.

        `neighbor_calls + lookahead_calls`: what a search pays where finding neighbours is costly.
        """
        return self.neighbor_calls + self.lookahead_calls

    @property
    def solved(self) -> bool:
        """Whether a path was found, within the bound if there is one.

        A search with a bound that met its limit is not solved, but may have a path.
        """
        return self.outcome is Outcome.SOLVED

    @property
    def proven(self) -> float:
        """The proven suboptimality: the path costs at most this many times the optimal cost."""
        if self.cost == self.lower_bound:
            return 1.0 if isfinite(self.cost) else float("inf")
        return self.cost / self.lower_bound if self.lower_bound > 0 else float("inf")

    @property
    def length(self) -> int:
        """The number of moves of the path; 0 without a path."""
        return max(0, len(self.path) - 1)
