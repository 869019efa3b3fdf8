"""A claim of the paper, what it says, what came of it here, and the verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import hypot
from typing import Any, Literal

Outcome = Literal["better", "reproduced", "not reproduced"]
Summary = Mapping[str, Any]
Methods = Mapping[str, Summary]
PHIL, LITERAL, SAIL = "phil", "phil_paper", "sail"
UNKNOWN = "not known why"
UNDECIDED = "the difference is within the spread of trainings: it decides nothing"


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
    return Verdict(
        where, claim, paper, ours, outcome, why_not if outcome == "not reproduced" else ""
    )


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
    order: tuple[Outcome, ...] = ("better", "reproduced", "not reproduced")
    return max(first, second, key=order.index)


def ahead(first: Summary, second: Summary, value: str, deviation: str) -> bool:
    """Whether the first one's figure is less, by more than trainings differ."""
    spread = hypot(first[deviation] or 0.0, second[deviation] or 0.0)
    return bool(first[value] < second[value] - spread)
