"""The method to use where an expansion costs so much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from phil.evaluation.advice.measure import Measured

NEARLY = 1.2  # times the least time: no reason to do without a better promise or a simpler method


@dataclass(frozen=True)
class Choice:
    """What to use of some methods, and the fastest of them; often the same."""

    best: Measured
    fastest: Measured


def choose(methods: Sequence[Measured], call: float, promise: float) -> Choice | None:
    """Of those that promise so good a path, where a call costs so many seconds.

    Of methods that are nearly as fast as the fastest, the one that promises the best path, then
    one that was not learned, then one that prepares nothing.
    """
    fit = [method for method in methods if method.promise <= promise]
    if not fit:
        return None
    fastest, *others = sorted(fit, key=lambda each: each.cost.at(call))
    most = NEARLY * fastest.cost.at(call)
    near = [fastest, *(other for other in others if other.cost.at(call) <= most)]
    best = min(near, key=lambda each: (each.promise, each.learned, each.preparation.nodes > 0))
    return Choice(best, fastest)
