"""What can be run on problems under a name: a search with what guides it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from phil.errors import InputError
from phil.problems.problem import Problem
from phil.search import Key, Limits, Result, anytime, search, search_mha
from phil.search.best_first import check_bound
from phil.search.guide import Heuristic
from phil.search.mha import Weights


class Searcher(Protocol):
    """What searches problems, and what it is called: all that an evaluation needs."""

    @property
    def text(self) -> str:
        """What it is called in tables."""
        ...

    def search(
        self, problem: Problem, limits: Limits | None = None, *, trace: bool = False
    ) -> Result:
        """Search one problem."""
        ...


class Solver(Searcher, Protocol):
    """A search with its heuristics, and the text that named it."""

    @property
    def bound(self) -> float | None:
        """How many times the least cost its path may cost; None if it promises nothing."""
        ...

    def anytime(
        self, problem: Problem, limits: Limits | None = None, *, trace: bool = False
    ) -> Iterator[Result]:
        """Search one problem for better and better paths; an `InputError` if it cannot."""
        ...

    def with_bound(self, bound: float) -> Solver:
        """The same with a bound on the path's cost; an `InputError` if it cannot have that one."""
        ...


@dataclass(frozen=True)
class Method:
    """Best-first search by a key with one heuristic."""

    text: str
    key: Key
    heuristic: Heuristic
    bound: float | None = None

    def search(
        self, problem: Problem, limits: Limits | None = None, *, trace: bool = False
    ) -> Result:
        """Search one problem."""
        return search(
            problem.graph,
            problem.start,
            problem.goal,
            self.heuristic,
            key=self.key,
            bound=self.bound,
            limits=limits,
            trace=trace,
        )

    def anytime(
        self, problem: Problem, limits: Limits | None = None, *, trace: bool = False
    ) -> Iterator[Result]:
        """Search one problem for better and better paths, until the bound (1 if none) is met."""
        return anytime(
            problem.graph,
            problem.start,
            problem.goal,
            self.heuristic,
            key=self.key,
            bound=1.0 if self.bound is None else self.bound,
            limits=limits,
            trace=trace,
        )

    def with_bound(self, bound: float) -> Method:
        """The same with a bound on the path's cost."""
        if self.bound is not None:
            raise InputError(f"the method '{self.text}' has a bound of its own")
        return replace(self, bound=check_bound(bound))


@dataclass(frozen=True)
class MultiHeuristicMethod:
    """MHA* with several heuristics: in turn, or with w1, w2 and the bound that they give."""

    text: str
    heuristics: tuple[Heuristic, ...]
    weights: Weights | None = None

    @property
    def bound(self) -> float | None:
        """w1 * w2 of the least cost."""
        return None if self.weights is None else self.weights[0] * self.weights[1]

    def search(
        self, problem: Problem, limits: Limits | None = None, *, trace: bool = False
    ) -> Result:
        """Search one problem."""
        w1, w2 = self.weights or (None, None)
        return search_mha(
            problem.graph,
            problem.start,
            problem.goal,
            self.heuristics,
            w1=w1,
            w2=w2,
            limits=limits,
            trace=trace,
        )

    def anytime(
        self, problem: Problem, limits: Limits | None = None, *, trace: bool = False
    ) -> Iterator[Result]:
        """There is none."""
        raise InputError(
            f"the method '{self.text}' gives one path; better and better ones come from searches "
            "with one heuristic, such as greedy(euclidean)"
        )

    def with_bound(self, bound: float) -> MultiHeuristicMethod:
        """There is none but that of the weights."""
        raise InputError(
            "the bound of mha is the product of its weights, written behind its heuristics, such "
            f"as mha(euclidean, manhattan, {bound:g}, 1); '{self.text}' takes no other"
        )
