"""The score of a method: its runs on all problems, and their statistics."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from phil.errors import shortened
from phil.evaluation.statistics import Summary, summarize
from phil.search import Outcome, Result

COUNTS = ("cost", "generated", "evaluations", "reopened", "neighbor_calls", "lookahead_calls")


@dataclass(frozen=True, repr=False)
class Run:
    """One method on one problem.

    Attributes
    ----------
    problem : str
        The name of the problem.
    result : Result
        The result of the search.
    optimal : float
        The optimal path cost; inf if there is no path, NaN on an implicit graph.
    published : float, optional
        The optimal path cost that the source of the problem publishes.
    """

    problem: str
    result: Result
    optimal: float
    published: float | None = None

    def __repr__(self) -> str:
        return f"Run({shortened(self.problem)}, {self.result!r}, optimal={self.optimal:.4g})"

    @property
    def cost_ratio(self) -> float | None:
        """The path's cost over the optimal cost; None if that is unknown, or 0 and was missed."""
        if math.isnan(self.optimal):
            return None
        if self.optimal == 0:
            return 1.0 if self.result.cost == 0 else None
        return self.result.cost / self.optimal


@dataclass(frozen=True, repr=False)
class MethodScore:
    """One method on all problems; statistics are over the problems that it solved.

    Attributes
    ----------
    method : str
        The name of the method.
    runs : tuple of Run
        Its searches, one per problem.
    """

    method: str
    runs: tuple[Run, ...]

    def __repr__(self) -> str:
        mean = self.expansions.mean
        found = "" if mean is None else f", mean expansions={mean:,.1f}"
        return (
            f"MethodScore({shortened(self.method)}, solved={len(self.solved)} of {self.problems}"
            f"{found})"
        )

    @property
    def problems(self) -> int:
        """The number of problems."""
        return len(self.runs)

    def count(self, outcome: Outcome) -> int:
        """The number of searches with this outcome."""
        return sum(run.result.outcome is outcome for run in self.runs)

    @property
    def solved(self) -> tuple[Run, ...]:
        """The runs that found a path."""
        return tuple(run for run in self.runs if run.result.solved)

    @property
    def expansions(self) -> Summary:
        """Expansions per search."""
        return summarize([run.result.expansions for run in self.solved])

    @property
    def calls(self) -> Summary:
        """Calls per search: nodes whose neighbours were computed, to expand or to look ahead."""
        return summarize([run.result.calls for run in self.solved])

    @property
    def cost_ratio(self) -> Summary:
        """Path cost over the optimal path cost."""
        ratios = (run.cost_ratio for run in self.solved)
        return summarize([ratio for ratio in ratios if ratio is not None])

    @property
    def milliseconds(self) -> Summary:
        """Wall time of a search, including what the heuristic prepares for it."""
        return summarize([1000 * run.result.seconds for run in self.solved])

    def json(self) -> dict[str, Any]:
        """The part of an evaluation's JSON document."""
        counts = {
            name: summarize([getattr(run.result, name) for run in self.solved]).mean
            for name in COUNTS
        }
        return {
            "method": self.method,
            "problems": self.problems,
            "solved": self.count(Outcome.SOLVED),
            "unreachable": self.count(Outcome.UNREACHABLE),
            "limit": self.count(Outcome.LIMIT),
            "expansions": asdict(self.expansions),
            "calls": asdict(self.calls),
            "cost_ratio": asdict(self.cost_ratio),
            "milliseconds": asdict(self.milliseconds),
            **{f"mean_{name}": mean for name, mean in counts.items()},
        }
