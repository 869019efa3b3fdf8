"""Running methods on problems."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, cast

from phil.arguments import FUNCTION, NOTHING, Kind, each, takes, with_attributes
from phil.errors import InputError
from phil.evaluation.comparison import Evaluation
from phil.evaluation.methods import as_method
from phil.evaluation.optimal import least_costs
from phil.evaluation.score import MethodScore, Run
from phil.problems.problem import ALL, PROBLEM_SET, PROBLEMS, Problem, ProblemSet
from phil.search import Limits
from phil.search.guide import AnyHeuristic
from phil.search.loop import LIMITS
from phil.search.method import Searcher

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
)
def evaluate(
    problems: Sequence[Problem] | ProblemSet | Any,
    methods: Sequence[Searcher | AnyHeuristic] | Searcher | AnyHeuristic,
    *,
    limits: Limits | None = None,
    progress: Progress | None = None,
    preparing: Progress | None = None,
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
    scores = _run(chosen, cast(Sequence[Searcher], methods), limits, progress, preparing)
    return Evaluation(scores, tuple(chosen), name, split)


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
