"""The runtime analysis out of its parts: one document with every figure."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from phil.problems.generated import FAMILIES
from reproduction.legacy.table1.columns import COLUMNS
from reproduction.runtime.claims import CLAIMS, Claim, agrees, ratio
from reproduction.runtime.measure import COMPILED, PYTHON
from reproduction.runtime.study import TIMED, Runtime

ENGINES = (COMPILED, PYTHON)
NETWORKS = ("phil", "phil_paper")


def assemble(runtime: Runtime) -> dict[str, Any]:
    """The figures of all families that have been measured."""
    parts = {family: runtime.part(family) for family in FAMILIES}
    families = {family: _row(part.read()) for family, part in parts.items() if part.done}
    means = {engine: _means(families, engine) for engine in ENGINES}
    return {
        "command": "python -m reproduction runtime" + (" --quick" if runtime.study.quick else ""),
        "titles": {name: COLUMNS[name].title for name in TIMED},
        "families": families,
        "mean": means,
        "claims": [
            {
                **asdict(claim),
                "ours": {
                    engine: {
                        phil: {"ratio": found, "agrees": agrees(found, claim)}
                        for phil in NETWORKS
                        for found in [ratio(claim, _side_by_side(means, engine, claim), phil)]
                    }
                    for engine in ENGINES
                },
            }
            for claim in CLAIMS
        ],
    }


def _row(part: dict[str, Any]) -> dict[str, Any]:
    methods = {
        name: {
            "heuristic": method["heuristic"],
            **{engine: _cell(method[engine]) for engine in ENGINES if engine in method},
        }
        for name, method in part["methods"].items()
    }
    return {**part, "methods": methods}


def _cell(measured: dict[str, float]) -> dict[str, float]:
    share = 1 - measured["replayed"] / measured["milliseconds"]
    return {
        **measured,
        "milliseconds_per_node": measured["milliseconds"] / measured["expansions"],
        "heuristic_share": max(0.0, share),
    }


def _means(families: dict[str, Any], engine: str) -> dict[str, float]:
    """Of milliseconds per node over families, of all that run on the engine."""
    return {
        name: float(
            np.mean(
                [row["methods"][name][engine]["milliseconds_per_node"] for row in families.values()]
            )
        )
        for name in TIMED
        if all(engine in row["methods"][name] for row in families.values())
    }


def _side_by_side(
    means: dict[str, dict[str, float]], engine: str, claim: Claim
) -> dict[str, float]:
    """The times of an engine; of Python for both where one of the two has no compiled loop."""
    return means[engine if {claim.method, claim.other} <= means[engine].keys() else PYTHON]
