"""A problem is a graph with a start and a goal; a problem set has three splits of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from phil.errors import unknown_name
from phil.graphs import AnyGraph

Split = Literal["train", "validation", "test", "all"]
SPLITS: tuple[Split, ...] = ("train", "validation", "test", "all")


@dataclass(frozen=True)
class Problem:
    """Find a path from start to goal."""

    graph: AnyGraph
    start: int
    goal: int
    name: str = ""
    published: float | None = None  # the least path cost, as the source of the problem says

    def __post_init__(self) -> None:
        self.graph.check_node(self.start, "start")
        self.graph.check_node(self.goal, "goal")


@dataclass(frozen=True)
class ProblemSet:
    """Problems to learn from (train), to choose by (validation) and to report (test)."""

    name: str
    train: tuple[Problem, ...] = ()
    validation: tuple[Problem, ...] = ()
    test: tuple[Problem, ...] = ()

    @cached_property
    def all(self) -> tuple[Problem, ...]:
        """Every problem of the set."""
        return self.train + self.validation + self.test

    def split(self, name: str) -> tuple[Problem, ...]:
        """The problems of one split, or `all` of them."""
        if name not in SPLITS:
            raise unknown_name("split", name, SPLITS)
        problems: tuple[Problem, ...] = getattr(self, name)
        return problems
