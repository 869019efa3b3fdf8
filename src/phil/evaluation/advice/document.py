"""Advice as JSON; a number that does not exist, such as a cost where nothing pays, is null."""

from __future__ import annotations

from dataclasses import asdict
from math import isfinite
from typing import Any

import numpy as np

from phil.evaluation.advice.advise import ANY_PATH, LEAST_COST, Advice
from phil.evaluation.advice.measure import Measured
from phil.evaluation.advice.pays import Pays
from phil.evaluation.advice.verdict import verdict
from phil.evaluation.statistics import bootstrap_interval, summarize
from phil.evaluation.time_text import MICRO


def advice_json(advice: Advice) -> dict[str, Any]:
    """All that was measured, and what follows."""
    choices = {"any_path": ANY_PATH, "least_cost": LEAST_COST}
    found = {name: advice.choice(promise) for name, promise in choices.items()}
    return {
        "problems": advice.problems,
        "unsolvable": advice.unsolvable,
        "graphs": advice.graphs,
        "fewest_expansions": advice.fewest,
        "expansion_cost_us": MICRO * advice.call,
        "methods": [_method(each) for each in advice.measured],
        "pays": [_pays(each) for each in advice.pays],
        "use": {name: choice and choice.best.method for name, choice in found.items()},
        "verdict": verdict(advice),
    }


def _method(measured: Measured) -> dict[str, Any]:
    ratios = measured.cost_ratios[np.isfinite(measured.cost_ratios)]
    return {
        "method": measured.method,
        "learned": measured.learned,
        "promise": _finite(measured.promise),
        "solved": measured.seconds.size,
        "expansions": asdict(summarize(measured.expansions.tolist())),
        "calls": asdict(summarize(measured.calls.tolist())),
        "cost_ratio": asdict(summarize(ratios.tolist())),
        "query_us": asdict(summarize((MICRO * measured.seconds).tolist())),
        "query_us_interval": list(bootstrap_interval((MICRO * measured.seconds).tolist())),
        "expansion_us": MICRO * _per_expansion(measured),
        "preparation_us": MICRO * measured.preparation.seconds,
        "preparation_us_per_query": MICRO * measured.share.seconds,
    }


def _per_expansion(measured: Measured) -> float:
    """Seconds of all queries over their expansions."""
    return float(measured.seconds.sum() / measured.expansions.sum())


def _pays(found: Pays) -> dict[str, Any]:
    return {
        "method": found.method,
        "above_us": _finite(MICRO * found.low),
        "below_us": _finite(MICRO * found.high),
        "above_us_interval": [_finite(MICRO * bound) for bound in found.likely],
        "above_us_without_looking_ahead": _finite(MICRO * found.low_without_looking_ahead),
        "on_unknown_graphs": found.unknown and _pays(found.unknown),
    }


def _finite(number: float) -> float | None:
    return number if isfinite(number) else None
