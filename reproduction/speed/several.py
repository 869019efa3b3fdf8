"""The part `several`: MHA* and BFWS by the time of an expansion and heuristic, and from Python."""

from __future__ import annotations

from functools import partial
from statistics import median
from typing import Any

from phil.evaluation import parse_method
from phil.evaluation.timing import Job, interleaved
from phil.problems import Problem
from reproduction.runtime.timing import COMPILED, PYTHON, called
from reproduction.speed.common import Scale, medians

METHODS = ("mha", "mha(euclidean, manhattan, 2, 2)", "bfws(euclidean)")


def measure(scale: Scale) -> dict[str, Any]:
    """Medians over the families, by method."""
    rows = [_family(scale.tests(family, scale.pick(5, 1)), scale) for family in scale.families]
    return {
        "families": len(rows),
        "methods": {
            text: {
                "heuristics": len(parse_method(text).heuristics),
                **medians([row[text] for row in rows], rows[0][text]),
            }
            for text in METHODS
        },
    }


def _family(problems: list[Problem], scale: Scale) -> dict[str, dict[str, float]]:
    """Microseconds per expansion and heuristic on both engines; expansions per search."""
    jobs: dict[str, Job] = {}
    expansions = dict.fromkeys(METHODS, 0)
    for text in METHODS:
        method = parse_method(text)
        for engine, solver in ((COMPILED, method), (PYTHON, called(method))):
            for place, problem in enumerate(problems):
                found = solver.search(problem)  # loads and compiles what it needs
                expansions[text] += found.expansions if engine == COMPILED else 0
                jobs[f"{text}/{engine}/{place}"] = partial(solver.search, problem)
    seconds = interleaved(jobs, scale.pick(9, 2))
    rows = {}
    for text in METHODS:
        each = expansions[text] * len(parse_method(text).heuristics)
        rows[text] = {"expansions": expansions[text] / len(problems)}
        for engine in (COMPILED, PYTHON):
            took = (median(seconds[f"{text}/{engine}/{k}"]) for k in range(len(problems)))
            rows[text][f"{engine}_us"] = 1e6 * sum(took) / each
    return rows
