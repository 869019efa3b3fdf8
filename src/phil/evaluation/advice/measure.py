"""Measuring methods on a user's own problems: which problems, which classical methods, which costs.

The searches of all methods are interleaved, so that a busy moment of the machine affects them all.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import nan
from statistics import mean, median

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.evaluation.evaluate import Progress
from phil.evaluation.score import Run
from phil.evaluation.timing import Cost, interleaved, timed
from phil.graphs import AnyGraph
from phil.heuristics.classical import zero
from phil.heuristics.file import LearnedHeuristic
from phil.heuristics.landmarks import landmarks
from phil.heuristics.registry import BUILT_IN
from phil.problems.problem import Problem, ProblemSet, for_learning, join
from phil.search import GREEDY, Result
from phil.search.guide import Heuristic, guided, traits_of
from phil.search.method import Method, Solver
from phil.workers import LOCAL, Workers, open_workers

ROUNDS = 3
BUDGET = 0.1  # seconds: a method that has taken this long on a problem is not timed there again
WEIGHT = 1.5  # of weighted A*, and the suboptimality bound of bounded search
GRAPHS = 3  # how many graphs preparation is measured on
SHORT = 1.0  # seconds: shorter preparations are run twice, since the first run may load kernels

Numbers = NDArray[np.float64]


def unseen_problems(problems: ProblemSet, most: int, *, learned: bool) -> tuple[Problem, ...]:
    """The problems to measure on: never test problems, nor any that a heuristic was trained on.

    These are the first validation problems, followed by training problems if no learned method is
    measured. Random pairs on a small graph may repeat a training problem in another split; with a
    learned method, such problems are left out.
    """
    if most < 1:
        raise InputError(f"--problems must be at least 1, not {most}")
    if not learned:
        found = join(problems.validation, problems.train)
    else:
        loaded = for_learning(problems, "advice")  # read twice, a graph would count as two
        seen = {_identity(problem) for problem in loaded.train}
        found = [each for each in loaded.validation if _identity(each) not in seen]
    if not found:
        unseen = " that are not training problems too" if learned else ""
        raise InputError(
            f"{problems.name} has no validation problems{unseen}; draw some with --pairs random "
            "--count 500"
        )
    return tuple(found[:most])


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
    distances = ["euclidean"] if all(graph.feature_names for graph in graphs) else []
    bounds = [*_closest_bound(graphs), *prepared]
    guides = [*distances, *prepared]
    # Without a better lower bound, A* is Dijkstra's algorithm.
    methods = ["bfs", *(f"astar({bound})" for bound in bounds or ["zero"])]
    methods += [f"greedy({guide})" for guide in guides]
    if bounds:
        methods.append(f"wastar({bounds[0]}, {WEIGHT})")
    if guides:
        methods.append(f"bounded({guides[-1]}, {WEIGHT})")
    return Fitting(tuple(methods), tuple(left_out))


def with_heuristic(name: str, heuristic: Heuristic) -> list[Method]:
    """The searches to try a learned heuristic with: for any path, and with bounded cost."""
    return [
        Method(f"greedy({name})", GREEDY, heuristic),
        Method(f"bounded({name}, {WEIGHT})", GREEDY, heuristic, WEIGHT),
    ]


def graphs_of(problems: Sequence[Problem]) -> list[AnyGraph]:
    """The distinct graphs of some problems."""
    return list({id(problem.graph): problem.graph for problem in problems}.values())


def _closest_bound(graphs: Sequence[AnyGraph]) -> list[str]:
    """The tightest lower bound that needs no preparation; none if it is 0 for every node."""
    for name, heuristic in BUILT_IN.items():
        traits = traits_of(heuristic)
        if not traits.needs_whole_graph and all(map(traits.admissible, graphs)):
            return [] if heuristic is zero else [name]
    return []


def _why_no_landmarks(problem: Problem, graphs: Sequence[AnyGraph]) -> list[str]:
    if len(graphs) > 1:
        return [
            "landmarks were left out: choosing them takes several passes over a whole graph, and "
            f"these problems are on {len(graphs)} graphs; if each is searched often, add "
            "-m 'astar(landmarks)'"
        ]
    try:
        landmarks.begin(problem.graph, problem.start, problem.goal)  # holds nothing to close
    except InputError as error:
        return [f"landmarks were left out: {error}"]
    return []


@dataclass(frozen=True)
class Preparation:
    """What preparing one graph costs; all zero if there is nothing to prepare."""

    seconds: float
    nodes: float  # whose neighbours must be known


def prepare(heuristics: Sequence[Heuristic], graphs: Sequence[AnyGraph]) -> Preparation:
    """The mean cost of preparing a graph for the heuristics, ignoring what is cached on disk.

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
    took = timed(job)
    return took if took > SHORT else timed(job)


@dataclass(frozen=True)
class Measured:
    """The measurements of one method, one number per problem."""

    method: str
    learned: bool
    promise: float  # its suboptimality bound; inf if it has none
    expansions: Numbers
    calls: Numbers
    cost_ratios: Numbers  # nan where a path of cost 0 was missed
    seconds: Numbers  # of a query in memory: the median of its repeats
    preparation: Preparation  # of one graph
    share: Cost  # of the preparation per query, if every graph has to be prepared anew

    @property
    def cost(self) -> Cost:
        """The cost of a mean query, including its share of the preparation."""
        return self.cost_of(np.arange(self.seconds.size))

    def cost_of(self, chosen: NDArray[np.int64]) -> Cost:
        """The cost of a mean query over some of the problems."""
        return Cost(
            float(self.seconds[chosen].mean()) + self.share.seconds,
            float(self.calls[chosen].mean()) + self.share.calls,
        )

    def without_looking_ahead(self) -> Measured:
        """The same method if looking ahead cost nothing."""
        return replace(self, calls=self.expansions)


def measure(
    problems: Sequence[Problem],
    optimal: Sequence[float],
    methods: Sequence[Solver],
    progress: Progress | None = None,
    on: str | Workers = LOCAL,
) -> list[Measured]:
    """Search every problem with every method; every problem has a path, of known cost."""
    try_out(methods, problems[0])
    runs: list[list[Run]] = [[] for _ in methods]
    seconds: list[list[float]] = [[] for _ in methods]
    with open_workers(on) as workers:
        timings = workers.map(_time, workers.share((problems, methods)), range(len(problems)))
        for done, timed_runs in enumerate(timings, start=1):
            problem, least = problems[done - 1], optimal[done - 1]
            for number, (result, took) in enumerate(timed_runs):
                runs[number].append(Run(problem.name, result, least))
                seconds[number].append(took)
            if progress:
                progress(done, len(problems))
    graphs = graphs_of(problems)
    # A single graph stays as it is. Where there are several, more will come to be prepared.
    part = len(graphs) / len(problems) if len(graphs) > 1 else 0.0
    needed = _preparations(methods, graphs)
    of_runs = partial(np.array, dtype=np.float64)
    return [
        Measured(
            method=method.text,
            learned=is_learned(method),
            promise=method.promise(graphs),
            expansions=of_runs([run.result.expansions for run in row]),
            calls=of_runs([run.result.calls for run in row]),
            cost_ratios=of_runs([nan if run.cost_ratio is None else run.cost_ratio for run in row]),
            seconds=of_runs(medians),
            preparation=preparation,
            share=Cost(part * preparation.seconds, part * preparation.nodes),
        )
        for method, row, medians, preparation in zip(methods, runs, seconds, needed, strict=True)
    ]


def _time(
    shared: tuple[Sequence[Problem], Sequence[Solver]], number: int
) -> list[tuple[Result, float]]:
    """The results of all methods on a problem, and the seconds that they take."""
    problems, methods = shared
    jobs = [_Job(method, problems[number]) for method in methods]
    results = [job() for job in jobs]
    before = {k: job.forget for k, job in enumerate(jobs)}
    took = interleaved(dict(enumerate(jobs)), ROUNDS, before=before, budget=BUDGET)
    return [(result, median(took[k])) for k, result in enumerate(results)]


def try_out(methods: Sequence[Solver], problem: Problem) -> None:
    """Search once, since the first search may compile; raises `InputError` if a method is unfit."""
    for method in methods:
        if any(traits_of(heuristic).knows_answer for heuristic in method.heuristics):
            raise InputError(
                f"{method.text}: the oracle computes all distances before it searches, so its time "
                "says nothing; compare expansions with phil evaluate"
            )
        method.search(problem)


class _Job:
    """One search, repeated as if each were the first."""

    def __init__(self, method: Solver, problem: Problem) -> None:
        self._method = method
        self._problem = problem
        self._learned = is_learned(method)

    def __call__(self) -> Result:
        return self._method.search(self._problem)

    def forget(self) -> None:
        """Make learned heuristics forget what they cached for the goal, by giving them another."""
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


def _preparations(methods: Sequence[Solver], graphs: Sequence[AnyGraph]) -> list[Preparation]:
    """What each method prepares; methods with the same heuristics share one measurement."""
    keys = [tuple(map(id, method.heuristics)) for method in methods]
    known: dict[tuple[int, ...], Preparation] = {}
    for key, method in zip(keys, methods, strict=True):
        if key not in known:
            known[key] = prepare(method.heuristics, graphs)
    return [known[key] for key in keys]
