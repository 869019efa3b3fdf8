"""The part `break_even`: what one `neighbors` call must cost before a learned heuristic pays.

Worked out from measured times and calls, and confirmed by really spending that time per call in a
graph that is discovered while it is searched.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from functools import partial
from statistics import mean, median
from typing import Any

import numpy as np

import phil
from phil.evaluation.timing import Cost, break_even, interleaved
from phil.heuristics.phil import PhilHeuristic
from phil.problems import Problem
from reproduction.methods import LOOKING_AHEAD, MethodSpec, train_once
from reproduction.speed.common import (
    Cell,
    Method,
    RenewableGrid,
    Scale,
    classical,
    load_learned,
)

CONFIRMED = 3  # maps on which the time is really spent
BURN_ROUNDS = 3
ABOVE = 2.0  # what is spent per call, in break-evens: PHIL must be faster
LEAST = 1e-6  # seconds; shorter waits drown in the cost of calling Python
NETWORKS = {
    "n = 8": LOOKING_AHEAD,
    # Such a network reads nothing but the node itself.
    "n = 0": {**LOOKING_AHEAD, "neighbors": 0, "walls": False},
}


def measure(scale: Scale) -> dict[str, Any]:
    """All families."""
    return {"families": {family: _family(scale, family) for family in scale.families}}


def _family(scale: Scale, family: str) -> dict[str, Any]:
    ours = {name: _trained(scale, family, name) for name in NETWORKS}
    others = classical()
    methods = others | {name: (heuristic, phil.GREEDY) for name, heuristic in ours.items()}
    problems = scale.tests(family, scale.pick(50, 3))
    costs = _costs(problems, methods, scale.pick(5, 2))
    least = {
        name: {other: break_even(costs[name], costs[other]) for other in others} for name in ours
    }
    return {
        "maps": len(problems),
        "methods": {
            name: {"query_us": 1e6 * cost.seconds, "calls": cost.calls}
            for name, cost in costs.items()
        },
        # None where there is no such cost: JSON has no infinite numbers.
        "break_even_us": {
            name: {other: None if math.isinf(at) else 1e6 * at for other, at in row.items()}
            for name, row in least.items()
        },
        "confirmed": {
            name: {
                other: None
                if math.isinf(at)
                else _confirm(problems[:CONFIRMED], methods[name], methods[other], at)
                for other, at in row.items()
            }
            for name, row in least.items()
        },
    }


def _trained(scale: Scale, family: str, name: str) -> PhilHeuristic:
    """A heuristic of a family, trained unless its file is there."""
    settings = {**NETWORKS[name], **scale.training}
    spec = MethodSpec("phil", "PHIL", method="phil", settings=settings)
    path = scale.build / f"{name.replace(' = ', '')}-{family}.safetensors"
    return load_learned(str(train_once(path, scale.problems(family), spec, 0, quick=False)))


def _costs(problems: Sequence[Problem], methods: dict[str, Method], rounds: int) -> dict[str, Cost]:
    learned = [name for name, (guide, _) in methods.items() if isinstance(guide, PhilHeuristic)]
    seconds: dict[str, list[float]] = {name: [] for name in methods}
    calls: dict[str, list[int]] = {name: [] for name in methods}
    for problem in problems:
        new = RenewableGrid.of(problem)
        jobs = {name: partial(_search, new, problem, method) for name, method in methods.items()}
        for name, job in jobs.items():
            calls[name].append(job().calls)
        before = dict.fromkeys(learned, new.renew)
        for name, took in interleaved(jobs, rounds, before=before).items():
            seconds[name].append(median(took))
    return {name: Cost(mean(seconds[name]), mean(calls[name])) for name in methods}


def _search(new: RenewableGrid, problem: Problem, method: Method) -> phil.Result:
    heuristic, key = method
    return phil.search(new.grid, problem.start, problem.goal, heuristic, key=key)


def _confirm(
    problems: Sequence[Problem], method: Method, other: Method, least: float
) -> dict[str, Any]:
    """Both methods where a call costs more than the break-even: is ours faster, in the mean?"""
    seconds = max(LEAST, ABOVE * least)
    found = [burn(problem, {"our": method, "their": other}, seconds) for problem in problems]
    ours, theirs = (mean(row[key].seconds for row in found) for key in ("our", "their"))
    return {
        "burnt_us": 1e6 * seconds,
        "ours_us": 1e6 * ours,
        "theirs_us": 1e6 * theirs,
        "our_calls": mean(row["our"].calls for row in found),
        "their_calls": mean(row["their"].calls for row in found),
        "faster": ours < theirs,
    }


def burn(problem: Problem, methods: dict[str, Method], seconds: float) -> dict[str, Cost]:
    """What each method costs on a map where a `neighbors` call takes that long."""
    grid = RenewableGrid.of(problem).grid
    known: dict[Cell, list[Cell]] = {
        grid.cell(node): [grid.cell(other) for other in grid.neighbors(node)]
        for node in np.flatnonzero(grid.free).tolist()
    }
    start, goal = grid.cell(problem.start), grid.cell(problem.goal)
    calls = dict.fromkeys(methods, 0)

    def search(name: str) -> None:
        calls[name] = 0

        def neighbors(cell: Cell) -> list[Cell]:
            calls[name] += 1
            until = time.perf_counter() + seconds
            while time.perf_counter() < until:
                pass
            return known[cell]

        heuristic, key = methods[name]
        graph = phil.ImplicitGraph.on_grid(neighbors, grid.shape, diagonal_cost=grid.diagonal_cost)
        phil.search(graph, start, goal, heuristic, key=key)

    took = interleaved({name: partial(search, name) for name in methods}, BURN_ROUNDS)
    return {name: Cost(median(took[name]), calls[name]) for name in methods}
