"""The part `break_even`: from measured times and calls, and confirmed by burning the time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from statistics import mean, median
from typing import Any

import phil
from benchmarks.speed.break_even.burn import burnt
from benchmarks.speed.break_even.models import heuristics
from benchmarks.speed.maps import NewGrid, solvable
from benchmarks.speed.scale import Scale
from phil.evaluation.timing import Cost, break_even, calls_of, interleaved
from phil.graphs import GridGraph
from phil.heuristics.phil import PhilHeuristic
from phil.problems import Problem
from phil.search.guide import Heuristic

MAPS, ROUNDS = 50, 5
QUICK_MAPS, QUICK_ROUNDS = 3, 2
CONFIRMED = 3  # maps on which the time is really burnt
ABOVE = 2.0  # what is burnt per call, in break-evens: PHIL must be faster
LEAST = 1e-6  # seconds; shorter waits drown in the cost of calling Python

Method = tuple[Heuristic, phil.Key]


def others() -> dict[str, Method]:
    """The classical methods that a learned heuristic is to beat."""
    euclidean = phil.load("euclidean")
    return {
        "A*": (euclidean, phil.ASTAR),
        "greedy (euclidean)": (euclidean, phil.GREEDY),
        "BFS": (phil.load("zero"), phil.BFS),
    }


def measure(scale: Scale) -> dict[str, Any]:
    """All families."""
    return {"families": {family: _family(scale, family) for family in scale.families}}


def _family(scale: Scale, family: str) -> dict[str, Any]:
    ours = heuristics(scale, family)
    methods = others() | {name: (heuristic, phil.GREEDY) for name, heuristic in ours.items()}
    problems = solvable(scale.problems(family).test, QUICK_MAPS if scale.quick else MAPS)
    costs = _costs(problems, methods, QUICK_ROUNDS if scale.quick else ROUNDS)
    return {
        "maps": len(problems),
        "methods": {
            name: {"query_us": 1e6 * cost.seconds, "calls": cost.calls}
            for name, cost in costs.items()
        },
        "break_even_us": {
            name: {
                other: _microseconds(break_even(costs[name], costs[other])) for other in others()
            }
            for name in ours
        },
        "confirmed": {
            name: {
                other: _confirm(problems[:CONFIRMED], methods, costs, name, other)
                for other in others()
            }
            for name in ours
        },
    }


def _costs(problems: Sequence[Problem], methods: dict[str, Method], rounds: int) -> dict[str, Cost]:
    learned = [
        name for name, (heuristic, _) in methods.items() if isinstance(heuristic, PhilHeuristic)
    ]
    seconds: dict[str, list[float]] = {name: [] for name in methods}
    calls: dict[str, list[int]] = {name: [] for name in methods}
    for problem in problems:
        assert isinstance(problem.graph, GridGraph)
        new = NewGrid(problem.graph)
        jobs = {name: partial(_search, new, problem, method) for name, method in methods.items()}
        for name, job in jobs.items():
            calls[name].append(calls_of(job()))
        before = dict.fromkeys(learned, new.renew)
        for name, took in interleaved(jobs, rounds, before=before).items():
            seconds[name].append(median(took))
    return {name: Cost(mean(seconds[name]), mean(calls[name])) for name in methods}


def _search(new: NewGrid, problem: Problem, method: Method) -> phil.Result:
    heuristic, key = method
    return phil.search(new.grid, problem.start, problem.goal, heuristic, key=key)


def _confirm(
    problems: Sequence[Problem],
    methods: dict[str, Method],
    costs: dict[str, Cost],
    name: str,
    other: str,
) -> dict[str, Any] | None:
    """Both methods where a call costs more than the break-even: is ours faster, in the mean?"""
    least = break_even(costs[name], costs[other])
    if math.isinf(least):
        return None
    seconds = max(LEAST, ABOVE * least)
    both = {key: methods[key] for key in (name, other)}
    found = [row for problem in problems if (row := burnt(problem, both, seconds))]
    if not found:
        return None
    ours, theirs = (mean(row[key]["seconds"] for row in found) for key in (name, other))
    return {
        "burnt_us": 1e6 * seconds,
        "ours_us": 1e6 * ours,
        "theirs_us": 1e6 * theirs,
        "our_calls": mean(row[name]["calls"] for row in found),
        "their_calls": mean(row[other]["calls"] for row in found),
        "faster": ours < theirs,
    }


def _microseconds(seconds: float) -> float | None:
    """None, `never` in tables, where there is no such cost: JSON has no infinite numbers."""
    return None if math.isinf(seconds) else 1e6 * seconds
