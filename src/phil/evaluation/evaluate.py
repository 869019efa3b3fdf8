"""Running methods on problems, and reporting the results as JSON."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from phil.arguments import FUNCTION, NOTHING, TEXT, Kind, each, of_type, takes, with_attributes
from phil.errors import InputError
from phil.evaluation.methods import as_method
from phil.evaluation.optimal import least_costs
from phil.evaluation.statistics import Summary, summarize
from phil.problems.problem import ALL, PROBLEM_SET, PROBLEMS, Problem, ProblemSet
from phil.search import Limits, Outcome, Result
from phil.search.guide import AnyHeuristic
from phil.search.loop import LIMITS
from phil.search.method import Searcher

Progress = Callable[[int, int], None]
COUNTS = ("cost", "generated", "evaluations", "reopened", "neighbor_calls", "lookahead_calls")


METHOD = Kind("a method", with_attributes("", "text", "search").fits, as_method)
METHODS = each(
    METHOD,
    "a sequence of methods: names such as 'astar(octile)', heuristics, functions of a node and the "
    "goal, or objects with a text and a search",
)


@dataclass(frozen=True)
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
    """

    problem: str
    result: Result
    optimal: float

    @property
    def cost_ratio(self) -> float | None:
        """The path's cost over the optimal cost; None if that is unknown, or 0 and was missed."""
        if math.isnan(self.optimal):
            return None
        if self.optimal == 0:
            return 1.0 if self.result.cost == 0 else None
        return self.result.cost / self.optimal


@dataclass(frozen=True)
class MethodScore:
    """One method on all problems; statistics are over the problems that it solved."""

    method: str
    runs: tuple[Run, ...]

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


@takes(
    problems=PROBLEMS | PROBLEM_SET,
    methods=METHODS,
    limits=LIMITS,
    progress=FUNCTION | NOTHING,
    preparing=FUNCTION | NOTHING,
)
def evaluate(
    problems: Sequence[Problem] | ProblemSet | Any,
    methods: Sequence[Searcher | AnyHeuristic] | Searcher | AnyHeuristic,
    *,
    limits: Limits | None = None,
    progress: Progress | None = None,
    preparing: Progress | None = None,
) -> list[MethodScore]:
    """Run every method on every problem.

    Parameters
    ----------
    problems
        One or more problems; or a problem set, or what `phil.open_set` takes for one, of which the
        test problems are used (all problems if it has none).
    methods
        One or more methods: names (see `phil.evaluation.parse_method`), heuristics, functions of
        two nodes, or anything with a `text` and a `search`.
    limits : Limits, optional
        The limits of each search.
    progress : callable, optional
        Called with (problems done, problems) after each problem.
    preparing : callable, optional
        Called likewise while the least path costs are computed, before the searches.

    Returns
    -------
    list of MethodScore
        One per method, in the same order.

    Raises
    ------
    InputError
        If there are no problems, or a method cannot be used on one of them.

    Examples
    --------
    >>> import phil
    >>> problem = phil.Problem([[True] * 5] * 5, (4, 0), (0, 4))
    >>> for score in phil.evaluate([problem], ["oracle", "bfs"]):
    ...     print(score.method, score.expansions.mean, score.cost_ratio.mean)
    oracle 5.0 1.0
    bfs 17.0 1.0
    """
    chosen: Sequence[Problem] = (
        problems.test or problems.split(ALL) if isinstance(problems, ProblemSet) else problems
    )
    if len(chosen) == 0:
        raise InputError("there are no problems to evaluate on")
    return _run(chosen, cast(Sequence[Searcher], methods), limits, progress, preparing)


def _run(
    problems: Sequence[Problem],
    methods: Sequence[Searcher],
    limits: Limits | None,
    progress: Progress | None,
    preparing: Progress | None,
) -> list[MethodScore]:
    # One-off work, such as compiling or choosing landmarks, must not count as search time.
    for method in methods:
        method.search(problems[0], limits)
    runs: list[list[Run]] = [[] for _ in methods]
    optimal = _optimal(problems, preparing)
    for done, (problem, least) in enumerate(zip(problems, optimal, strict=True), start=1):
        for method, row in zip(methods, runs, strict=True):
            row.append(Run(problem.name, method.search(problem, limits), least))
        if progress:
            progress(done, len(problems))
    return [MethodScore(method.text, tuple(row)) for method, row in zip(methods, runs, strict=True)]


def _optimal(problems: Sequence[Problem], preparing: Progress | None) -> list[float]:
    """The optimal path costs; NaN on implicit graphs, of which nobody knows them."""
    known = iter(least_costs([problem for problem in problems if problem.is_known], preparing))
    return [next(known) if problem.is_known else math.nan for problem in problems]


@takes(set_name=TEXT, split=TEXT, scores=each(of_type("a MethodScore", MethodScore), "scores"))
def evaluation_json(set_name: str, split: str, scores: Sequence[MethodScore]) -> dict[str, Any]:
    """The JSON document of an evaluation.

    Parameters
    ----------
    set_name, split
        The problems: the name of their set, and which split of it.
    scores
        The results of `evaluate`.

    Returns
    -------
    dict
        Numbers that do not exist, such as the mean over no problems, are None.
    """
    return {"set": set_name, "split": split, "methods": [_method_json(score) for score in scores]}


def _method_json(score: MethodScore) -> dict[str, Any]:
    counts = {
        name: summarize([getattr(run.result, name) for run in score.solved]).mean for name in COUNTS
    }
    return {
        "method": score.method,
        "problems": score.problems,
        "solved": score.count(Outcome.SOLVED),
        "unreachable": score.count(Outcome.UNREACHABLE),
        "limit": score.count(Outcome.LIMIT),
        "expansions": asdict(score.expansions),
        "calls": asdict(score.calls),
        "cost_ratio": asdict(score.cost_ratio),
        "milliseconds": asdict(score.milliseconds),
        **{f"mean_{name}": mean for name, mean in counts.items()},
    }
