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
    """How a search ended."""

    SOLVED = "solved"
    UNREACHABLE = "unreachable"  # OPEN ran empty
    LIMIT = "limit"


@dataclass(frozen=True)
class Limits:
    """When a search gives up. Expansions are deterministic; seconds are for those who ask."""

    expansions: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.expansions is not None and self.expansions < 0:
            raise InputError(f"the limit of expansions must not be negative: {self.expansions}")
        if self.seconds is not None and not self.seconds >= 0:
            raise InputError(f"the limit of seconds must not be negative: {self.seconds}")


@dataclass(frozen=True)
class Result(Generic[Nodes]):
    """A finished search.

    `expansions` is |CLOSE|: the nodes moved to CLOSE until the goal is there, start and goal
    included; a node expanded again counts again (`reopened` says how often that happened).
    `path` holds the nodes from start to goal (ids; on an `ImplicitGraph` its own nodes), `cost` its
    edge costs; both are empty (`inf`) when the goal was not reached. `trace` holds the expanded
    nodes in order, if asked for. No path costs less than `lower_bound`, which a search with a bound
    raises as it goes (0 without one; `inf` when there is no path).

    `neighbor_calls` counts the nodes whose neighbours an expansion used, `lookahead_calls` those
    whose neighbours only the heuristic looked at: together they are how often an implicit graph's
    `neighbors` was called.
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
