"""Scores as parts keep them, their means over maps and seeds, and whether two groups differ."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phil.evaluation import MethodScore
from phil.search import Outcome
from reproduction.intervals import ratio_interval

MARGINAL = 0.05  # a difference of less is as good as none
NORMAL_95 = 1.96  # standard errors on either side of an interval of 95 %
MOST_NEEDED = 100  # trainings: nobody makes more to decide a claim
Runs = Sequence[Sequence[float]]  # of each variant and family, its figure by seed
Counts = Sequence[int | None]  # expansions or calls by test map; None where no path was found


def score_json(score: MethodScore) -> dict[str, Any]:
    """Expansions and calls on each map (null without a path), and the mean cost of the paths."""
    found = [run.result if run.result.solved else None for run in score.runs]
    return {
        "expansions": [result and result.expansions for result in found],
        "calls": [result and result.calls for result in found],
        "unreachable": score.count(Outcome.UNREACHABLE),
        "limit": score.count(Outcome.LIMIT),
        "cost_ratio": score.cost_ratio.mean,
    }


def count(counts: Counts) -> int:
    """How many were solved."""
    return sum(value is not None for value in counts)


def mean(counts: Counts) -> float:
    """Over the solved ones."""
    return float(np.mean([value for value in counts if value is not None]))


def mean_calls(run: dict[str, Any]) -> float | None:
    """Over the solved ones; None if the run was kept without its calls."""
    return mean(run["calls"]) if "calls" in run else None


def over_seeds(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Mean over runs (seeds) of the mean over problems, its deviation, and what was not solved."""
    means = [mean(run["expansions"]) for run in runs]
    calls = [each for run in runs if (each := mean_calls(run)) is not None]
    counted = len(calls) == len(runs)
    return {
        "solved": [count(run["expansions"]) for run in runs],
        "unreachable": [run["unreachable"] for run in runs],
        "limit": [run["limit"] for run in runs],
        "expansions": float(np.mean(means)),
        "by_run": means,
        "by_problem": [run["expansions"] for run in runs],
        "deviation": deviation(means),
        "calls": float(np.mean(calls)) if counted else None,
        "calls_deviation": deviation(calls) if counted else None,
        "median": float(
            np.mean([np.median([v for v in run["expansions"] if v is not None]) for run in runs])
        ),
        "cost_ratio": float(np.mean([run["cost_ratio"] for run in runs])),
    }


def deviation(values: Sequence[float]) -> float | None:
    """The standard deviation between runs, if there are several."""
    return float(np.std(values, ddof=1)) if len(values) > 1 else None


def without_repeated(runs: Sequence[dict[str, Any]], repeated: Collection[int]) -> float | None:
    """The mean over runs and over those maps that are not in the training or validation split."""
    new = [
        [value for k, value in enumerate(run["expansions"]) if k not in repeated] for run in runs
    ]
    return float(np.mean([mean(values) for values in new])) if count(new[0]) else None


def over_reference(runs: Sequence[dict[str, Any]], reference: Counts) -> dict[str, Any]:
    """Mean expansions over those of a reference, their spread, and an interval of 95 %.

    What one of them did not solve is left out of all. The interval is over trainings and problems.
    """
    kept = [
        k
        for k in range(len(reference))
        if all(each[k] is not None for each in (reference, *(run["expansions"] for run in runs)))
    ]
    beneath = np.array([reference[k] for k in kept], float)
    above = np.array([[run["expansions"][k] for k in kept] for run in runs], float)
    ratios = (above.mean(axis=1) / beneath.mean()).tolist()
    return {
        "ratio": float(np.mean(ratios)),
        "ratio_by_run": ratios,
        "ratio_deviation": deviation(ratios),
        "ratio_interval": list(ratio_interval([run["expansions"] for run in runs], [reference])),
    }


def judge(fewer: Runs, more: Runs, *, alike: bool = False) -> dict[str, Any]:
    """Compare two groups of trainings by their means over each seed.

    Gives the difference (of those said to expand less, over the others; below 0: they do), its
    spread, whether the claim holds, by a 95 % interval of the difference, and how many trainings of
    each side would decide it, if it is undecided. The spread is the root of the summed squares of
    both groups' deviations between seeds. One group expands less where the interval does not hold
    zero; two are alike where it lies within what is marginal, and not where it lies beyond. One
    seed has no spread and decides nothing.

    >>> judge([[1.0, 1.1, 0.9]], [[2.0, 2.1, 1.9]])["outcome"]
    'yes'
    >>> judge([[1.0, 1.1, 0.9]], [[1.0, 1.2, 0.9]])["outcome"]
    'undecided'
    >>> judge([[1.0, 1.01, 0.99]], [[1.0, 1.02, 0.99]], alike=True)["outcome"]
    'yes'
    """
    left, right = _by_seed(fewer), _by_seed(more)
    base = float(right.mean())
    difference = float(left.mean()) / base - 1
    if min(left.size, right.size) < 2:
        unknown = {"spread": None, "needed": None}
        return {"outcome": "undecided", "difference": difference, **unknown}
    deviations = np.array([left.std(ddof=1), right.std(ddof=1)]) / base
    spread = float(np.hypot(*deviations))
    error = NORMAL_95 * float(np.hypot(*(deviations / np.sqrt([left.size, right.size]))))
    if alike:
        apart, together = abs(difference) - error > MARGINAL, abs(difference) + error <= MARGINAL
        outcome = "yes" if together else "no" if apart else "undecided"
    elif abs(difference) <= error:
        outcome = "undecided"
    else:
        outcome = "yes" if difference < 0 else "no"
    needed = trainings_needed(difference, spread, alike=alike) if outcome == "undecided" else None
    return {"outcome": outcome, "difference": difference, "spread": spread, "needed": needed}


def trainings_needed(difference: float, spread: float, *, alike: bool = False) -> int:
    """How many trainings of each side would decide, if difference and spread stayed as they are.

    So many that a 95 % interval no longer holds zero, or the limit of what is alike; by the normal
    distribution, at least 3, and `MOST_NEEDED` + 1 for all beyond.

    >>> trainings_needed(-0.1, 0.1), trainings_needed(0.01, 0.1), trainings_needed(0.3, 0.01)
    (4, 101, 3)
    """
    distance = abs(abs(difference) - (MARGINAL if alike else 0.0))
    errors = NORMAL_95 * spread / distance if distance > 0 else np.inf
    return MOST_NEEDED + 1 if errors**2 >= MOST_NEEDED else max(3, int(errors**2) + 1)


def _by_seed(runs: Runs) -> NDArray[np.float64]:
    """The mean of each seed; what has more seeds than others is cut to theirs."""
    seeds = min(len(each) for each in runs)
    return np.array([np.mean([each[k] for each in runs]) for k in range(seeds)], np.float64)
