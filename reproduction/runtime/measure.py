"""Timing methods side by side, each search beside its replay without the heuristic."""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace

from phil.evaluation import Solver
from phil.evaluation.timing import core_clock
from phil.problems.problem import Problem
from reproduction.runtime.replay import called, is_compiled, replay

COMPILED, PYTHON = "compiled", "python"


@dataclass
class Job:
    """A method in an engine on some problems: its searches, their replays, the least seconds."""

    searches: Sequence[tuple[Problem, Solver]]
    replays: Sequence[tuple[Problem, Solver]]
    expansions: int
    seconds: list[float] = field(default_factory=list)
    replayed: list[float] = field(default_factory=list)

    def run(self) -> None:
        """Search and replay all problems once more; of every problem the least time is kept."""
        self.seconds = _least(self.seconds, self.searches)
        self.replayed = _least(self.replayed, self.replays)

    def json(self) -> dict[str, float]:
        """Its milliseconds and expansions, over all problems."""
        return {
            "expansions": self.expansions,
            "milliseconds": 1000 * sum(self.seconds),
            "replayed": 1000 * sum(self.replayed),
        }


def measure(
    problems: Sequence[Problem], methods: Mapping[str, Solver], rounds: int
) -> dict[str, dict[str, dict[str, float]]]:
    """By method and engine: milliseconds, those of the replays, and expansions.

    All methods take turns, round by round, so that a busy moment of the machine strikes them all,
    and in no round a search finds what an earlier one has kept of its map.
    """
    jobs = {name: _jobs(problems, solver) for name, solver in methods.items()}
    gc.collect()
    gc.disable()  # whoever runs when it is time to collect would pay for the garbage of all
    try:
        for _ in range(rounds):
            for engines in jobs.values():
                for job in engines.values():
                    job.run()
    finally:
        gc.enable()
    return {
        name: {engine: job.json() for engine, job in engines.items()}
        for name, engines in jobs.items()
    }


def _jobs(problems: Sequence[Problem], solver: Solver) -> dict[str, Job]:
    engines = {PYTHON: called(solver)}
    if is_compiled(solver, problems[0]):
        engines = {COMPILED: solver, **engines}
    return {name: _job(problems, solver, name) for name, solver in engines.items()}


def _job(problems: Sequence[Problem], solver: Solver, engine: str) -> Job:
    """A job whose searches have been run once, so that all code is compiled and loaded."""
    replays, expansions = [], 0
    for problem in problems:
        result = solver.search(problem, trace=True)
        assert result.trace is not None
        same = replay(solver, problem, result.trace)
        same = called(same) if engine == PYTHON else same
        assert same.search(problem).expansions == result.expansions, "a replay is the same search"
        replays.append((problem, same))
        expansions += result.expansions
    return Job([(problem, solver) for problem in problems], replays, expansions)


def _least(before: Sequence[float], searches: Sequence[tuple[Problem, Solver]]) -> list[float]:
    found = []
    for place, (problem, solver) in enumerate(searches):
        # A copy is another map to whoever keeps what was computed for this one.
        fresh = replace(problem, graph=copy(problem.graph))
        began = core_clock()
        solver.search(fresh)
        seconds = core_clock() - began
        found.append(min(seconds, before[place]) if before else seconds)
    return found
