"""What must hold of the result of any search, whatever guided it."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any

import numpy as np

from phil.search import Outcome, Result
from tests.campaign.truth import Truth

CLOSE = 1e-9  # relative: sums of the same weights differ by rounding


def faults(
    result: Result[Any],
    truth: Truth,
    start: int,
    goal: int,
    bound: float = inf,
    *,
    goes_on: bool = False,
    both_ends: bool = False,
) -> Iterator[str]:
    """What is wrong with a traced result.

    `bound` is what the method promises; `goes_on` if it expands more after its last path;
    `both_ends` if it also searches from the goal, so that it need not expand the goal, nor all that
    can be reached.
    """
    least = float(truth.costs_from(start)[goal])
    there = least < inf
    # With a lower bound, not with the heuristic's values; also where rounding voids the promise.
    proves = goes_on or bound < inf or 0 < result.lower_bound < inf
    if result.outcome is Outcome.LIMIT:
        yield from _counts(result, truth, start, both_ends, proves)
        return
    if result.outcome is not (Outcome.SOLVED if there else Outcome.UNREACHABLE):
        yield f"is {result.outcome}, but the least cost is {least}"
        return
    yield from _counts(result, truth, start, both_ends, proves)
    yield from _path(result, truth, start, goal)
    trace = np.asarray(result.trace)
    if there:
        if trace[-1] != goal and not (goes_on and goal in trace) and not both_ends:
            yield f"ends at {trace[-1]}, not at the goal"
        if bound < inf and not result.cost <= bound * least * (1 + CLOSE):
            yield f"costs {result.cost!r}, above {bound} times the least cost, {least!r}"
        if not result.lower_bound <= least * (1 + CLOSE):
            yield f"proves {result.lower_bound!r}, but the least cost is {least!r}"
        if result.proven < inf and not result.cost <= result.proven * least * (1 + CLOSE):
            yield f"proves {result.proven}, but costs {result.cost!r} where {least!r} is possible"
    else:
        if (result.cost, result.lower_bound, result.length, len(result.path)) != (inf, inf, 0, 0):
            yield "has a path or a cost, but there is no path"
        reachable = np.flatnonzero(np.isfinite(truth.costs_from(start)))
        if not np.array_equal(np.unique(trace), reachable) and not both_ends:
            yield f"gave up after {trace.size} of {reachable.size} reachable nodes"


def _path(result: Result[Any], truth: Truth, start: int, goal: int) -> Iterator[str]:
    if not result.solved:
        return
    path = np.asarray(result.path)
    if path.size == 0 or path[0] != start or path[-1] != goal:
        yield f"has the path {path.tolist()}, not from {start} to {goal}"
        return
    if np.unique(path).size != path.size or path.size != result.length + 1:
        yield f"has the path {path.tolist()} of length {result.length}"
    cost = truth.cost_of(path)
    if cost is None:
        yield f"has a path with an edge that does not exist: {path.tolist()}"
    elif not abs(result.cost - cost) <= CLOSE * cost:
        yield f"says that its path costs {result.cost!r}, but it costs {cost!r}"


def _counts(
    result: Result[Any], truth: Truth, start: int, both_ends: bool, proves: bool
) -> Iterator[str]:
    trace = np.asarray(result.trace)
    distinct = np.unique(trace).size
    if result.expansions != trace.size:
        yield f"counts {result.expansions} expansions, but its trace has {trace.size}"
    if trace.size and trace[0] != start:
        yield f"begins at {trace[0]}, not at the start"
    if result.reopened != trace.size - distinct:
        yield f"counts {result.reopened} reopened, but its trace repeats {trace.size - distinct}"
    reachable = int(np.isfinite(truth.costs_from(start)).sum())
    if not distinct <= result.generated <= reachable and not both_ends:
        yield f"generated {result.generated} of {reachable} nodes and expanded {distinct}"
    goal_too = result.outcome is Outcome.SOLVED
    if result.neighbor_calls not in (distinct, distinct - goal_too):
        yield f"counts {result.neighbor_calls} calls for {distinct} nodes"
    if result.lookahead_calls < 0 or result.seconds < 0:
        yield f"counts {result.lookahead_calls} calls ahead in {result.seconds} seconds"
    if result.evaluations < result.generated - 1 and not both_ends and not proves:
        yield f"evaluated {result.evaluations} of {result.generated} nodes"
