"""A claim of the paper, what it says, what came of it here, and the verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from reproduction.intervals import Compared, compared

Outcome = Literal["better", "reproduced", "undecided", "not reproduced"]
Summary = Mapping[str, Any]
Methods = Mapping[str, Summary]
PHIL, PAPER, PRINTED, SAIL = "phil", "phil_paper", "phil_printed", "sail"
UNKNOWN = "not known why"
UNDECIDED = "the interval over trainings and problems holds zero"


@dataclass(frozen=True)
class Verdict:
    """One claim; `why` says what a verdict of "not reproduced" comes from, or what limits it."""

    where: str
    claim: str
    paper: str
    ours: str
    outcome: Outcome
    why: str = ""


def verdict(
    where: str,
    claim: str,
    paper: str,
    ours: str,
    outcome: Outcome | bool,
    why_not: str = UNKNOWN,
) -> Verdict:
    """A verdict; `why_not` is told if the claim is not reproduced, or does not hold."""
    if isinstance(outcome, bool):
        outcome = "reproduced" if outcome else "not reproduced"
    told = outcome in ("not reproduced", "undecided")
    return Verdict(where, claim, paper, ours, outcome, why_not if told else "")


def judged(ours: float, paper: float, margin: float = 0.0) -> Outcome:
    """Of a saving, more of which is better; what is short by up to `margin` is reproduced.

    >>> judged(0.60, 0.585), judged(0.58, 0.585, 0.02), judged(0.40, 0.585, 0.02)
    ('better', 'reproduced', 'not reproduced')
    """
    if ours > paper:
        return "better"
    return "reproduced" if ours >= paper - margin else "not reproduced"


def worse(first: Outcome, second: Outcome) -> Outcome:
    """The lesser of two outcomes.

    >>> worse("better", "reproduced")
    'reproduced'
    """
    order: tuple[Outcome, ...] = ("better", "reproduced", "undecided", "not reproduced")
    return max(first, second, key=order.index)


def against(first: Summary, second: Summary) -> Compared:
    """Whether the first one expands less or more, by an interval over trainings and problems."""
    return compared(first["by_problem"], second["by_problem"])


def within(interval: tuple[float, float], paper: float) -> Outcome:
    """Of a figure, less of which is better: reproduced where its interval holds the paper's.

    >>> within((0.1, 0.2), 0.3), within((0.1, 0.2), 0.15), within((0.1, 0.2), 0.05)
    ('better', 'reproduced', 'not reproduced')
    """
    low, high = interval
    return "better" if high < paper else "reproduced" if low <= paper else "not reproduced"
