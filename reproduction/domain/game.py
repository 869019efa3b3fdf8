"""What a game brings to the comparison: its graph, its problems, and rivals that learn nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil import Domain, Key
from phil.graphs import Discovery, SearchedGraph
from phil.search.guide import Expansion

Estimate = Callable[[list[Any]], NDArray[np.float64]]  # of the distances of states to the goal


@dataclass(frozen=True)
class Estimated:
    """A heuristic that is a function of states."""

    name: str
    function: Estimate

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> EstimatedGuide:
        """A guide for one search."""
        assert not graph.is_known
        return EstimatedGuide(self.function, graph)


@dataclass(frozen=True)
class EstimatedGuide:
    """Estimates the new nodes of each expansion."""

    function: Estimate
    graph: Discovery[Any]

    def score(self, expansion: Expansion) -> NDArray[np.float64]:
        """The values of the new nodes."""
        states = [self.graph.nodes[node] for node in expansion.new.tolist()]
        return self.function(states) if states else np.zeros(0)


@dataclass(frozen=True)
class Rival:
    """A search with an estimate."""

    estimate: Estimate
    key: Key


@dataclass(frozen=True)
class Game:
    """A domain, and what its trained heuristic is compared with; the first rival matters most."""

    title: str
    about: str
    domain: Domain[Any]
    rivals: Mapping[str, Rival]
