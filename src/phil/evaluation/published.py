"""Comparing published path lengths with the optimal costs found here."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from phil.evaluation.score import MethodScore

ROUNDING = 0.005  # some lengths are published with two decimals,
RELATIVE = 1e-4  # and some count a diagonal move as 1.4142


@dataclass(frozen=True)
class PublishedLengths:
    """The number of published lengths, and those that are not the optimal cost."""

    checked: int
    different: tuple[tuple[str, float], ...]  # the problem and the difference

    @property
    def largest(self) -> float:
        """The largest difference; inf where there is no path at all."""
        return max((gap for _, gap in self.different), default=0.0)

    def json(self) -> dict[str, Any]:
        """The part of an evaluation's JSON document."""
        return {
            "checked": self.checked,
            "different": len(self.different),
            "largest_difference": self.largest if math.isfinite(self.largest) else None,
            "first": self.different[0][0] if self.different else None,
        }

    def __str__(self) -> str:
        if not self.different:
            return f"all {self.checked} published lengths are optimal"
        most = (
            f"by at most {self.largest:.3f}" if math.isfinite(self.largest) else "or have no path"
        )
        return (
            f"{len(self.different)} of {self.checked} published lengths differ from the optimal "
            f"cost, {most}; the first is {self.different[0][0]}"
        )


def compare_published(score: MethodScore) -> PublishedLengths | None:
    """Compare with the optimal costs of the runs; None if no problem has a published length."""
    runs = [(run, run.published) for run in score.runs if run.published is not None]
    if not runs:
        return None
    different = [
        (run.problem, abs(run.optimal - published))
        for run, published in runs
        if not math.isclose(run.optimal, published, rel_tol=RELATIVE, abs_tol=ROUNDING)
    ]
    return PublishedLengths(len(runs), tuple(sorted(different, key=_line)))


def _line(different: tuple[str, float]) -> tuple[int, str]:
    """Sort key by line for problems named `<file>:<line>`, which splits may have shuffled."""
    return len(different[0]), different[0]
