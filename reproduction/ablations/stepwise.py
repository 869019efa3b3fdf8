"""Best-first searches whose steps an ablation changes or watches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from phil.problems.problem import Problem
from phil.search import Key, Limits, Result
from phil.search.best_first import BestFirst
from phil.search.guide import Heuristic


class StepwiseSearch(BestFirst):
    """A search under way: what it counts, and how it breaks ties, is every search's."""

    def __init__(
        self, problem: Problem, heuristic: Heuristic, limits: Limits, *, key: Key, trace: bool
    ) -> None:
        super().__init__(
            problem.graph,
            problem.start,
            problem.goal,
            heuristic,
            key=key,
            limits=limits,
            trace=trace,
        )


@dataclass
class StepwiseMethod(ABC):
    """A method with one heuristic."""

    text: str
    heuristic: Heuristic

    @abstractmethod
    def begin(self, problem: Problem, limits: Limits, *, trace: bool) -> StepwiseSearch:
        """The search of one problem, before its first step."""

    def search(
        self, problem: Problem, limits: Limits | None = None, *, trace: bool = False
    ) -> Result:
        """Search one problem."""
        with self.begin(problem, limits or Limits(), trace=trace) as running:
            return running.result(running.run())
