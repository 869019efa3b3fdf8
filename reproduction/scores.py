"""Scores as parts keep them, and their means over maps and seeds."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from phil.evaluation import MethodScore, bootstrap_ratio
from phil.search import Outcome

Expansions = Sequence[int | None]  # by test map; None where no path was found


def score_json(score: MethodScore) -> dict[str, Any]:
    """Expansions on each map (null where no path was found), and the mean cost of the paths."""
    return {
        "expansions": [run.result.expansions if run.result.solved else None for run in score.runs],
        "unreachable": score.count(Outcome.UNREACHABLE),
        "limit": score.count(Outcome.LIMIT),
        "cost_ratio": score.cost_ratio.mean,
    }


def count(expansions: Expansions) -> int:
    """How many were solved."""
    return sum(value is not None for value in expansions)


def mean(expansions: Expansions) -> float:
    """Over the solved ones."""
    return float(np.mean([value for value in expansions if value is not None]))


def over_seeds(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Mean over runs (seeds) of the mean over problems, its deviation, and what was not solved."""
    means = [mean(run["expansions"]) for run in runs]
    return {
        "solved": [count(run["expansions"]) for run in runs],
        "unreachable": [run["unreachable"] for run in runs],
        "limit": [run["limit"] for run in runs],
        "expansions": float(np.mean(means)),
        "by_run": means,
        "deviation": deviation(means),
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


def over_reference(runs: Sequence[dict[str, Any]], reference: Expansions) -> dict[str, Any]:
    """Mean expansions over those of a reference, their spread, and an interval of 95 %.

    What one of them did not solve is left out of all.
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
        "ratio_interval": list(bootstrap_ratio(above.mean(axis=0), beneath)),
    }
