"""Measuring methods on a reader's own problems, to say which to use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, isfinite

import numpy as np

from phil.errors import InputError
from phil.evaluation.advice.choose import Choice, choose
from phil.evaluation.advice.fitting import graphs_of
from phil.evaluation.advice.measure import Measured, measure
from phil.evaluation.advice.pays import Pays, pays
from phil.evaluation.evaluate import Progress
from phil.evaluation.solvers import Solver
from phil.graphs.distances import costs_to, hops_to
from phil.problems.problem import Problem

LEAST_COST, ANY_PATH = 1.0, inf  # promises


@dataclass(frozen=True)
class Advice:
    """What was measured, and what follows from it."""

    measured: tuple[Measured, ...]  # nothing if no problem has a path
    problems: int  # that were measured
    unsolvable: int  # others, without a path
    graphs: int
    fewest: float  # mean nodes of the paths with the fewest moves: no search can expand less
    call: float = 0.0  # what asking for a node's neighbours costs, in seconds, over that in memory

    @cached_property
    def pays(self) -> tuple[Pays, ...]:
        """For every learned method, from which cost of a call on it is the fastest."""
        return tuple(pays(each, self.measured) for each in self.measured if each.learned)

    def choice(self, promise: float) -> Choice | None:
        """What to use for paths that cost at most so many times the least."""
        return choose(self.measured, self.call, promise)


def advise(
    problems: Sequence[Problem],
    methods: Sequence[Solver],
    *,
    call: float = 0.0,
    progress: Progress | None = None,
) -> Advice:
    """Measure methods on those problems that have a path; `call` is in seconds.

    >>> from phil.evaluation.methods import parse_method
    >>> from phil.graphs import GridGraph
    >>> grid = GridGraph([[True] * 5] * 5)
    >>> some = [Problem(grid, grid.node(4, column), grid.node(0, 4)) for column in range(4)]
    >>> advice = advise(some, [parse_method("astar(octile)"), parse_method("euclidean")], call=1.0)
    >>> advice.problems, advice.fewest, advice.choice(LEAST_COST).best.method
    (4, 5.0, 'astar(octile)')
    """
    check_call(call)
    kept: list[Problem] = []
    optimal: list[float] = []
    moves: list[float] = []
    for problem in problems:
        least = float(costs_to(problem.graph, problem.goal)[problem.start])
        if isfinite(least):
            kept.append(problem)
            optimal.append(least)
            moves.append(float(hops_to(problem.graph, problem.goal)[problem.start]))
    return Advice(
        measured=tuple(measure(kept, optimal, methods, progress)) if kept else (),
        problems=len(kept),
        unsolvable=len(problems) - len(kept),
        graphs=len(graphs_of(kept)),
        fewest=float(np.mean(moves)) + 1 if moves else 0.0,
        call=call,
    )


def check_call(call: float) -> float:
    """What asking for a node's neighbours costs, or an error."""
    if not (call >= 0 and isfinite(call)):
        raise InputError(f"the cost of an expansion must be finite and not negative, not {call}")
    return call
