"""What the measurements imply: which method to use, and where a learned heuristic pays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, isfinite

import numpy as np

from phil.errors import InputError
from phil.evaluation.advice.measure import Measured, graphs_of, measure
from phil.evaluation.evaluate import Progress
from phil.evaluation.optimal import least_costs
from phil.evaluation.statistics import RESAMPLES
from phil.evaluation.timing import pays_between
from phil.graphs.distances import hops_to
from phil.problems.problem import Problem
from phil.search.method import Solver
from phil.workers import LOCAL, Workers, open_workers

LEAST_COST, ANY_PATH = 1.0, inf  # suboptimality bounds
NEARLY = 1.2  # times the least time: close enough to prefer a better bound or a simpler method
LEVEL = 0.95


@dataclass(frozen=True)
class Choice:
    """The recommended method and the fastest one; often the same."""

    best: Measured
    fastest: Measured


def choose(methods: Sequence[Measured], call: float, promise: float) -> Choice | None:
    """Choose among the methods that guarantee a suboptimality bound, at a given time per call.

    Among methods nearly as fast as the fastest, prefer the one with the tightest bound, then one
    that was not learned, then one that needs no preparation.
    """
    fit = [method for method in methods if method.promise <= promise]
    if not fit:
        return None
    fastest, *others = sorted(fit, key=lambda each: each.cost.at(call))
    most = NEARLY * fastest.cost.at(call)
    near = [fastest, *(other for other in others if other.cost.at(call) <= most)]
    best = min(near, key=lambda each: (each.promise, each.learned, each.preparation.nodes > 0))
    return Choice(best, fastest)


@dataclass(frozen=True)
class Pays:
    """The range of seconds per call in which a method beats all rivals; never if `low` is inf."""

    method: str
    low: float
    high: float
    likely: tuple[float, float]  # confidence interval of `low`, by resampling the problems
    low_without_looking_ahead: float  # where only expansions cost anything, not the look-ahead
    unknown: Pays | None  # the same without the rivals that need to know the whole graph, if any do


def rivals(method: Measured, others: Sequence[Measured]) -> list[Measured]:
    """The classical methods with at least as tight a suboptimality bound."""
    return [other for other in others if not other.learned and other.promise <= method.promise]


def pays(method: Measured, others: Sequence[Measured]) -> Pays:
    """Where a learned method beats its rivals."""
    against = rivals(method, others)
    everything = np.arange(method.seconds.size)
    low, high = _between(method, against, everything)
    random = np.random.default_rng(0)
    draws = random.integers(everything.size, size=(RESAMPLES, everything.size))
    lows = np.sort([_between(method, against, draw)[0] for draw in draws])
    # Not interpolated: there is nothing between a number and infinity.
    tail = (1 - LEVEL) / 2
    first, last = (round(share * (lows.size - 1)) for share in (tail, 1 - tail))
    looking = _between(
        method.without_looking_ahead(),
        [other.without_looking_ahead() for other in against],
        everything,
    )
    likely = float(lows[first]), float(lows[last])
    unprepared = [other for other in against if not other.preparation.nodes]
    differs = not method.preparation.nodes and len(unprepared) < len(against)
    unknown = pays(method, unprepared) if differs else None
    return Pays(method.method, low, high, likely, looking[0], unknown)


def _between(
    method: Measured, against: Sequence[Measured], chosen: np.typing.NDArray[np.int64]
) -> tuple[float, float]:
    found = pays_between(method.cost_of(chosen), [other.cost_of(chosen) for other in against])
    return found or (inf, inf)


@dataclass(frozen=True)
class Advice:
    """The measurements, and what follows from them."""

    measured: tuple[Measured, ...]  # empty if no problem has a path
    problems: int  # those measured
    unsolvable: int  # further ones, without a path
    graphs: int
    fewest: float  # mean nodes of the paths with the fewest moves: no search can expand fewer
    call: float = 0.0  # extra seconds that computing a node's neighbours takes

    @cached_property
    def pays(self) -> tuple[Pays, ...]:
        """For every learned method, the cost of a call above which it is fastest."""
        return tuple(pays(each, self.measured) for each in self.measured if each.learned)

    def choice(self, promise: float) -> Choice | None:
        """The method to use for paths that cost at most `promise` times the optimal cost."""
        return choose(self.measured, self.call, promise)


def advise(
    problems: Sequence[Problem],
    methods: Sequence[Solver],
    *,
    call: float = 0.0,
    progress: Progress | None = None,
    preparing: Progress | None = None,
    on: str | Workers = LOCAL,
) -> Advice:
    """Measure methods on the problems that have a path, and decide which to use.

    Parameters
    ----------
    problems
        Problems that no heuristic was trained on.
    methods
        The methods to compare, from `phil.evaluation.parse_method`.
    call : float
        The time that computing a node's neighbours takes, in seconds, beyond reading them from
        memory.
    progress : callable, optional
        Called with (problems done, problems) after each problem.
    preparing : callable, optional
        Called likewise while the least path costs are computed, before the searches.
    on : str or Workers, optional
        Where to search (see `phil.open_workers`). Times are those of the machines there.

    Returns
    -------
    Advice

    Examples
    --------
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
    with open_workers(on) as workers:
        for problem, least in zip(problems, least_costs(problems, preparing, workers), strict=True):
            if isfinite(least):
                kept.append(problem)
                optimal.append(least)
                moves.append(float(hops_to(problem.graph, problem.goal)[problem.start]))
        measured = tuple(measure(kept, optimal, methods, progress, workers)) if kept else ()
    return Advice(
        measured=measured,
        problems=len(kept),
        unsolvable=len(problems) - len(kept),
        graphs=len(graphs_of(kept)),
        fewest=float(np.mean(moves)) + 1 if moves else 0.0,
        call=call,
    )


def check_call(call: float) -> float:
    """The cost of computing a node's neighbours; raises `InputError` if it is invalid."""
    if not (call >= 0 and isfinite(call)):
        raise InputError(f"the cost of an expansion must be finite and not negative, not {call}")
    return call
