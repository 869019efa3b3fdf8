"""The method to use where an expansion costs so much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from phil.evaluation.advice.measure import Measured
from phil.evaluation.statistics import bootstrap_ratio


@dataclass(frozen=True)
class Choice:
    """The fastest of some methods, and the next one if the two can hardly be told apart."""

    best: Measured
    close: Measured | None


def choose(methods: Sequence[Measured], call: float, promise: float) -> Choice | None:
    """The fastest of those that promise so good a path, where a call costs so many seconds."""
    fit = [method for method in methods if method.promise <= promise]
    if not fit:
        return None
    best, *others = sorted(fit, key=lambda method: float(method.totals(call).mean()))
    if not others:
        return Choice(best, None)
    _, highest = bootstrap_ratio(best.totals(call), others[0].totals(call))
    return Choice(best, others[0] if highest >= 1 else None)
