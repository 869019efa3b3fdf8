"""What a search gives back, and what may stop it."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic

import numpy as np
from numpy.typing import NDArray
from typing_extensions import TypeVar

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
        After so many expansions. The same search always stops at the same node.
    seconds : float, optional
        After so long, which depends on the machine.

    Raises
    ------
    InputError
        If a limit is negative.

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
        if self.expansions is not None and self.expansions < 0:
            raise InputError(f"the limit of expansions must not be negative: {self.expansions}")
        if self.seconds is not None and not self.seconds >= 0:
            raise InputError(f"the limit of seconds must not be negative: {self.seconds}")


@dataclass(frozen=True, repr=False)
class Result(Generic[Nodes]):
    """A finished search.

    Attributes
    ----------
    outcome : Outcome
        How it ended.
    path
        The nodes from start to goal: ids, or on an `ImplicitGraph` its own nodes. Empty if the goal
        was not reached.
    cost : float
        The sum of the path's edge weights; `inf` without a path.
    expansions : int
        |CLOSE|: the nodes moved to CLOSE until the goal is there, start and goal included. A node
        expanded again counts again.
    reopened : int
        How many expansions were of a node expanded before.
    generated : int
        The nodes that were discovered, the start included.
    evaluations : int
        The values that heuristics gave.
    neighbor_calls : int
        The nodes whose neighbours an expansion used.
    lookahead_calls : int
        The nodes whose neighbours only the heuristic looked at. Together with `neighbor_calls` it
        is how often an implicit graph's `neighbors` was called.
    seconds : float
        Wall time, what the heuristic prepares for this search included; without the time that the
        first search of a process waits for compiled code.
    trace
        The expanded nodes in order, if asked for, else None.
    lower_bound : float
        No path costs less. A search with a bound raises it as it goes; 0 without a bound, `inf` if
        there is no path.

    Examples
    --------
    >>> import phil
    >>> grid = phil.GridGraph([[True] * 3] * 3)
    >>> phil.search(grid, (2, 0), (0, 2), phil.load("euclidean"))  # doctest: +ELLIPSIS
    Result(solved, expansions=3, cost=2.828, length=2, ... ms)
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

    def __repr__(self) -> str:
        found = f", cost={self.cost:.4g}, length={self.length}" if self.solved else ""
        return (
            f"Result({self.outcome}, expansions={self.expansions}{found}, "
            f"{1000 * self.seconds:.3g} ms)"
        )

    @property
    def solved(self) -> bool:
        """Whether a path was found."""
        return self.outcome is Outcome.SOLVED

    @property
    def proven(self) -> float:
        """How many times the least cost the path costs at most; `inf` if nothing is proven."""
        if self.cost == self.lower_bound:
            return 1.0 if self.solved else float("inf")
        return self.cost / self.lower_bound if self.lower_bound > 0 else float("inf")

    @property
    def length(self) -> int:
        """The number of moves of the path (0 without one)."""
        return max(0, len(self.path) - 1)
