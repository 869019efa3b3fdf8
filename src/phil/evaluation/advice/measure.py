"""Measuring methods on a reader's own problems, their searches in turn so that a busy moment of the
machine strikes them all: which problems, which classical methods, and what each of them costs.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import nan
from statistics import mean, median

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.evaluation.evaluate import Progress, Run
from phil.evaluation.timing import Cost, calls_of, core_clock, interleaved
from phil.graphs import AnyGraph
from phil.heuristics.classical import zero
from phil.heuristics.file import LearnedHeuristic
from phil.heuristics.landmarks import landmarks
from phil.heuristics.registry import BUILT_IN
from phil.problems.problem import Problem, ProblemSet
from phil.search import GREEDY, Result
from phil.search.guide import Heuristic, guided, traits_of
from phil.search.method import Method, Solver

ROUNDS = 3
BUDGET = 0.1  # seconds: a method that has taken so long on a problem is not timed there again
WEIGHT = 1.5  # of weighted A*, and the bound of bounded search: paths of at most that many times
GRAPHS = 3  # of many graphs, so many are prepared
SHORT = 1.0  # seconds: what takes no longer is prepared twice, since the first may load kernels

Numbers = NDArray[np.float64]


def unseen_problems(problems: ProblemSet, most: int, *, learned: bool) -> tuple[Problem, ...]:
    """The problems to measure on: never test problems, nor any that a heuristic learned from.

    These are the first validation problems, and then train problems if no learned method is
    measured. Random pairs on a small graph may repeat a train problem in another split; such a
    problem is left out where a learned method is measured.
    """
    if most < 1:
        raise InputError(f"--problems must be at least 1, not {most}")
    if not learned:
        found = problems.validation + problems.train
    else:
        seen = {_identity(problem) for problem in problems.train}
        found = tuple(each for each in problems.validation if _identity(each) not in seen)
    if not found:
        unseen = " that are not train problems too" if learned else ""
        raise InputError(
            f"{problems.name} has no validation problems{unseen}; draw some with --pairs random "
            "--count 500"
        )
    return found[:most]


def _identity(problem: Problem) -> tuple[int, int, int]:
    return id(problem.graph), problem.start, problem.goal


@dataclass(frozen=True)
class Fitting:
    """Methods by name, and the reasons for leaving others out."""

    methods: tuple[str, ...]
    left_out: tuple[str, ...]


def fitting_methods(problems: Sequence[Problem]) -> Fitting:
    """The classical methods to try on the graphs of some problems.

    >>> from phil.graphs import GridGraph
    >>> grid = GridGraph([[True] * 3] * 3)
    >>> fitting_methods([Problem(grid, 0, 8)] * 2).methods[:4]
    ('bfs', 'astar(octile)', 'astar(landmarks)', 'greedy(euclidean)')
    """
    graphs = graphs_of(problems)
    left_out = _why_no_landmarks(problems[0], graphs)
    prepared = [] if left_out else [landmarks.name]
    distances = ["euclidean"] if all(map(_has_features, graphs)) else []
    bounds = [*_closest_bound(graphs), *prepared]
    guides = [*distances, *prepared]
    # Without a better lower bound A* is Dijkstra's search.
    methods = ["bfs", *(f"astar({bound})" for bound in bounds or ["zero"])]
    methods += [f"greedy({guide})" for guide in guides]
    if bounds:
        methods.append(f"wastar({bounds[0]}, {WEIGHT})")
    if guides:
        methods.append(f"bounded({guides[-1]}, {WEIGHT})")
    return Fitting(tuple(methods), tuple(left_out))


def with_heuristic(name: str, heuristic: Heuristic) -> list[Method]:
    """The searches to try a learned heuristic with: for any path, and for one of bounded cost."""
    return [
        Method(f"greedy({name})", GREEDY, heuristic),
        Method(f"bounded({name}, {WEIGHT})", GREEDY, heuristic, WEIGHT),
    ]


def graphs_of(problems: Sequence[Problem]) -> list[AnyGraph]:
    """The different graphs of some problems."""
    return list({id(problem.graph): problem.graph for problem in problems}.values())


def _closest_bound(graphs: Sequence[AnyGraph]) -> list[str]:
    """The closest lower bound that needs no preparation; none if it is 0 for every node."""
    for name, heuristic in BUILT_IN.items():
        traits = traits_of(heuristic)
        if not traits.needs_whole_graph and all(map(traits.admissible, graphs)):
            return [] if heuristic is zero else [name]
    return []


def _has_features(graph: AnyGraph) -> bool:
    """Whether nodes have features, between which there are distances."""
    return bool(graph.feature_names)


def _why_no_landmarks(problem: Problem, graphs: Sequence[AnyGraph]) -> list[str]:
    if len(graphs) > 1:
        return [
            f"landmarks were left out: they are found by looking at a whole graph many times, and "
            f"these problems are on {len(graphs)} graphs; for graphs that are searched often, add "
            "-m 'astar(landmarks)'"
        ]
    try:
        landmarks.begin(problem.graph, problem.start, problem.goal)  # holds nothing to close
    except InputError as error:
        return [f"landmarks were left out: {error}"]
    return []


@dataclass(frozen=True)
class Preparation:
    """Of one graph; all zero if there is nothing to prepare."""

    seconds: float
    nodes: float  # that must be known


def prepare(heuristics: Sequence[Heuristic], graphs: Sequence[AnyGraph]) -> Preparation:
    """What the heuristics need of a graph, the mean of some; computed even if the disk knows it.

    >>> from phil.graphs import Graph
    >>> prepare([zero], [Graph.from_edges(2, [(0, 1)])])
    Preparation(seconds=0, nodes=0)
    """
    some = graphs[:GRAPHS]
    jobs = [
        [job for one in heuristics for job in traits_of(one).preparation(graph)] for graph in some
    ]
    return Preparation(
        mean(sum(map(_seconds, row)) for row in jobs),
        mean(graph.num_nodes if row else 0 for graph, row in zip(some, jobs, strict=True)),
    )


def _seconds(job: Callable[[], object]) -> float:
    took = _time(job)
    return took if took > SHORT else _time(job)


def _time(job: Callable[[], object]) -> float:
    began = core_clock()
    job()
    return core_clock() - began


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
            promise=method.promise(graphs),
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
        if any(traits_of(heuristic).knows_answer for heuristic in method.heuristics):
            raise InputError(
                f"{method.text}: the oracle knows all distances before it searches, so that it "
                "tells nothing about time; compare expansions with phil evaluate"
            )
        method.search(problem)


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
        for heuristic in self._method.heuristics:
            with guided(heuristic, problem.graph, problem.goal, problem.start):
                pass


def is_learned(method: Solver) -> bool:
    """Whether any of a method's heuristics was learned."""
    return any(isinstance(heuristic, LearnedHeuristic) for heuristic in method.heuristics)


def _timed(jobs: Sequence[_Job]) -> dict[int, list[float]]:
    names = {str(number): job for number, job in enumerate(jobs)}
    before: Mapping[str, Callable[[], object]] = {name: job.forget for name, job in names.items()}
    took = interleaved(names, ROUNDS, before=before, budget=BUDGET)
    return {int(name): seconds for name, seconds in took.items()}


def _preparations(methods: Sequence[Solver], graphs: Sequence[AnyGraph]) -> list[Preparation]:
    """What each method prepares; what several have in common is prepared once."""
    known: dict[tuple[int, ...], Preparation] = {}
    for heuristics in (method.heuristics for method in methods):
        if _key(heuristics) not in known:
            known[_key(heuristics)] = prepare(heuristics, graphs)
    return [known[_key(method.heuristics)] for method in methods]


def _key(heuristics: Sequence[Heuristic]) -> tuple[int, ...]:
    return tuple(map(id, heuristics))
