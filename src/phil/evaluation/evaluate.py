"""Running methods on problems."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

from phil.arguments import FUNCTION, NOTHING, Kind, each, takes, with_attributes
from phil.errors import InputError
from phil.evaluation.comparison import Evaluation
from phil.evaluation.methods import as_method
from phil.evaluation.optimal import least_costs
from phil.evaluation.score import MethodScore, Run
from phil.problems.lazy import LazyProblems
from phil.problems.problem import ALL, PROBLEM_SET, PROBLEMS, Problem, ProblemSet
from phil.search import Limits, Result
from phil.search.answers import Answers, is_plain
from phil.search.guide import AnyHeuristic
from phil.search.loop import LIMITS
from phil.search.method import Searcher
from phil.workers import LOCAL, ON, Workers, open_workers
from phil.workers.shared import Shared

Progress = Callable[[int, int], None]
METHOD = Kind("a method", with_attributes("", "text", "search").fits, as_method)
METHODS = each(
    METHOD,
    "a sequence of methods: names such as 'astar(octile)', heuristics, functions of a node and the "
    "goal, or objects with a text and a search",
    alone=True,
)


@takes(
    problems=PROBLEMS | PROBLEM_SET,
    methods=METHODS,
    limits=LIMITS,
    progress=FUNCTION | NOTHING,
    preparing=FUNCTION | NOTHING,
    on=ON,
)
def evaluate(
    problems: Sequence[Problem] | ProblemSet | Any,
    methods: Sequence[Searcher | AnyHeuristic] | Searcher | AnyHeuristic,
    *,
    limits: Limits | None = None,
    progress: Progress | None = None,
    preparing: Progress | None = None,
    on: str | Workers = LOCAL,
) -> Evaluation:
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
    on : str or Workers, optional
        Where to search: "local", in this process; "processes" or "processes:N"; or "ray" (see
        `phil.open_workers`). Everything but the times is the same everywhere.

    Returns
    -------
    Evaluation
        A list of `phil.evaluation.MethodScore`, one per method, in the same order. It is shown as a
        table, and has `to_pandas()`, `to_json()` and `plot()`.

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
    name, split = "given", ALL
    if isinstance(problems, ProblemSet):
        name, split = problems.name, "test" if problems.test else ALL
        problems = problems.split(split)
    chosen: Sequence[Problem] = problems
    if len(chosen) == 0:
        raise InputError("there are no problems to evaluate on")
    with open_workers(on) as workers:
        shared = workers.share(chosen)  # once: workers keep what they derive from graphs
        job = _Job(shared, tuple(cast(Sequence[Searcher], methods)), limits)
        optimal = _optimal(chosen, shared, preparing, workers)
        scores = _scores(chosen, job, optimal, workers, progress)
    kept = chosen if isinstance(chosen, LazyProblems) else tuple(chosen)
    return Evaluation(scores, kept, name, split)


@dataclass(frozen=True)
class _Job:
    """What all searches of an evaluation share."""

    shared: Shared[Sequence[Problem]]
    methods: tuple[Searcher, ...]
    limits: Limits | None

    @cached_property
    def problems(self) -> Sequence[Problem]:
        """The problems, after one-off work that must not count as search time, as compiling."""
        problems = self.shared.get()
        for method in self.methods:
            method.search(problems[0], self.limits)
        return problems


@dataclass(frozen=True)
class _Place:
    """The place of a problem among all."""

    number: int

    def __str__(self) -> str:
        return f"problem {self.number}"


def _scores(
    problems: Sequence[Problem],
    job: _Job,
    optimal: Sequence[float],
    workers: Workers,
    progress: Progress | None,
) -> list[MethodScore]:
    total = len(problems)
    runs: list[list[Run]] = [[] for _ in job.methods]
    searching = workers.map(_search, workers.share(job), [*map(_Place, range(total))])
    for place, found in enumerate(searching):
        for result, row in zip(found.on(problems, place), runs, strict=True):
            row.append(Run(found.name, result, optimal[place], found.published))
        if progress:
            progress(place + 1, total)
    return [
        MethodScore(method.text, tuple(row)) for method, row in zip(job.methods, runs, strict=True)
    ]


@dataclass(frozen=True)
class _Found:
    """The results of all methods on a problem, and what else its runs tell."""

    name: str
    published: float | None
    results: list[Result] | Answers
    is_plain: bool  # whether results can be sent as arrays: the sender of the problem has its graph

    def __reduce__(self) -> tuple[Any, ...]:
        results = self.results
        if self.is_plain and isinstance(results, list) and all(map(is_plain, results)):
            # In a tenth of the time that objects take, which name the nodes of their paths.
            results = Answers.of(results)
        return _Found, (self.name, self.published, results, self.is_plain)

    def on(self, problems: Sequence[Problem], place: int) -> list[Result]:
        """The results, with the graph of the problem at a place."""
        if isinstance(self.results, Answers):
            return self.results.results(problems[place].graph)
        return [_kept(result, problems, place) for result in self.results]


def _search(job: _Job, place: _Place) -> _Found:
    """What was found on a problem."""
    problem = job.problems[place.number]
    results = [method.search(problem, job.limits) for method in job.methods]
    is_plain = problem.is_known and not isinstance(job.problems, LazyProblems)
    return _Found(problem.name, problem.published, results, is_plain)


def _kept(result: Result, problems: Sequence[Problem], place: int) -> Result:
    """A result with its graph, which it leaves behind in another process.

    If problems are read when they are used, without: all graphs together may not fit into memory.
    """
    if isinstance(problems, LazyProblems):
        return copy(result)  # leaves the graph behind, too
    return result if result.graph is not None else replace(result, graph=problems[place].graph)


def _optimal(
    problems: Sequence[Problem],
    shared: Shared[Sequence[Problem]],
    preparing: Progress | None,
    workers: Workers,
) -> list[float]:
    """The optimal path costs; NaN on implicit graphs, of which nobody knows them."""
    if isinstance(problems, LazyProblems) or all(problem.is_known for problem in problems):
        return least_costs(problems, preparing, workers, shared)
    known = [problem for problem in problems if problem.is_known]
    costs = iter(least_costs(known, preparing, workers))
    return [next(costs) if problem.is_known else math.nan for problem in problems]
