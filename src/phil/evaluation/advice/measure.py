"""What methods cost on problems, their searches in turn so that a busy moment strikes them all."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import nan
from statistics import median

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.evaluation.advice.fitting import graphs_of
from phil.evaluation.advice.preparation import Preparation, prepare
from phil.evaluation.advice.promise import promise
from phil.evaluation.break_even import Cost, calls_of
from phil.evaluation.evaluate import Progress, Run
from phil.evaluation.solvers import Method, MultiHeuristicMethod, Solver
from phil.evaluation.timing import interleaved
from phil.graphs import AnyGraph
from phil.heuristics.file import LearnedHeuristic
from phil.heuristics.oracle import Oracle
from phil.problems.problem import Problem
from phil.search import Result
from phil.search.guide import Heuristic, guided

ROUNDS = 3
BUDGET = 0.1  # seconds: a method that has taken so long on a problem is not timed there again

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Measured:
    """One method, a number for every problem."""

    method: str
    learned: bool
    promise: float  # a path costs at most that many times the least; inf: nothing is promised
    expansions: Numbers
    calls: Numbers  # nodes whose neighbours were asked for
    cost_ratios: Numbers  # nan where a path of no cost was missed
    seconds: Numbers  # of a query in memory: the median of its repeats
    preparation: Preparation  # of one graph
    share: Cost  # of the preparation in a query, where graphs come anew

    @property
    def cost(self) -> Cost:
        """The mean query, with its share of the preparation."""
        return self.cost_of(np.arange(self.seconds.size))

    def cost_of(self, chosen: NDArray[np.int64]) -> Cost:
        """The mean query over some of the problems."""
        return Cost(
            float(self.seconds[chosen].mean()) + self.share.seconds,
            float(self.calls[chosen].mean()) + self.share.calls,
        )

    def without_looking_ahead(self) -> Measured:
        """The same where a look at the neighbours of nodes that are not expanded costs nothing."""
        return replace(self, calls=self.expansions)


def measure(
    problems: Sequence[Problem],
    optimal: Sequence[float],
    methods: Sequence[Solver],
    progress: Progress | None = None,
) -> list[Measured]:
    """Search every problem with every method; every problem has a path, of the least cost given."""
    try_out(methods, problems[0])
    runs: list[list[Run]] = [[] for _ in methods]
    seconds: list[list[float]] = [[] for _ in methods]
    for done, (problem, least) in enumerate(zip(problems, optimal, strict=True), start=1):
        jobs = [_Job(method, problem) for method in methods]
        for job, row in zip(jobs, runs, strict=True):
            row.append(Run(problem.name, job(), least))
        for number, took in _timed(jobs).items():
            seconds[number].append(median(took))
        if progress:
            progress(done, len(problems))
    graphs = graphs_of(problems)
    # One graph stays as it is. Of several more will come, and each has to be prepared.
    part = len(graphs) / len(problems) if len(graphs) > 1 else 0.0
    needed = _preparations(methods, graphs)
    of_runs = partial(np.array, dtype=np.float64)
    return [
        Measured(
            method=method.text,
            learned=is_learned(method),
            promise=promise(method, graphs),
            expansions=of_runs([run.result.expansions for run in row]),
            calls=of_runs([calls_of(run.result) for run in row]),
            cost_ratios=of_runs([nan if run.cost_ratio is None else run.cost_ratio for run in row]),
            seconds=of_runs(took),
            preparation=preparation,
            share=Cost(part * preparation.seconds, part * preparation.nodes),
        )
        for method, row, took, preparation in zip(methods, runs, seconds, needed, strict=True)
    ]


def try_out(methods: Sequence[Solver], problem: Problem) -> None:
    """Search once, for the first search may compile; an `InputError` if a method does not fit."""
    for method in methods:
        if Oracle in heuristics_of(method):
            raise InputError(
                f"{method.text}: the oracle knows all distances before it searches, so that it "
                "tells nothing about time; compare expansions with phil evaluate"
            )
        method.search(problem)


def heuristics_of(method: Solver) -> tuple[Heuristic, ...]:
    """What guides a method."""
    if isinstance(method, MultiHeuristicMethod):
        return method.heuristics
    return (method.heuristic,) if isinstance(method, Method) else ()


class _Job:
    """One search, again and again as if for the first time."""

    def __init__(self, method: Solver, problem: Problem) -> None:
        self._method = method
        self._problem = problem
        self._learned = is_learned(method)

    def __call__(self) -> Result:
        return self._method.search(self._problem)

    def forget(self) -> None:
        """Learned heuristics keep what they have computed for a goal of a graph: give another."""
        if not self._learned:
            return
        problem = self._problem
        if problem.graph.is_grid:
            self._problem = problem = replace(problem, graph=copy.copy(problem.graph))
        for heuristic in heuristics_of(self._method):
            with guided(heuristic, problem.graph, problem.goal, problem.start):
                pass


def is_learned(method: Solver) -> bool:
    """Whether any of a method's heuristics was learned."""
    return any(isinstance(heuristic, LearnedHeuristic) for heuristic in heuristics_of(method))


def _timed(jobs: Sequence[_Job]) -> dict[int, list[float]]:
    names = {str(number): job for number, job in enumerate(jobs)}
    before: Mapping[str, Callable[[], object]] = {name: job.forget for name, job in names.items()}
    took = interleaved(names, ROUNDS, before=before, budget=BUDGET)
    return {int(name): seconds for name, seconds in took.items()}


def _preparations(methods: Sequence[Solver], graphs: Sequence[AnyGraph]) -> list[Preparation]:
    """What each method prepares; what several have in common is prepared once."""
    known: dict[tuple[int, ...], Preparation] = {}
    for heuristics in map(heuristics_of, methods):
        if _key(heuristics) not in known:
            known[_key(heuristics)] = prepare(heuristics, graphs)
    return [known[_key(heuristics_of(method))] for method in methods]


def _key(heuristics: Sequence[Heuristic]) -> tuple[int, ...]:
    return tuple(map(id, heuristics))
