"""The part `training`: seconds of an iteration's parts, and of a whole training."""

from __future__ import annotations

import time
from dataclasses import replace
from statistics import mean
from typing import Any

import phil
from benchmarks.speed.scale import Scale
from phil.learning import Iteration

FAMILIES = {"easy": "forest", "hard": "multiple_bugtraps"}
QUICK_FAMILIES = {"easy": "forest"}
PARTS = ("rollout", "learning", "validation")


def measure(scale: Scale) -> dict[str, Any]:
    """The default preset on an easy and on a hard family."""
    quick = replace(scale, quick=True)
    phil.train(quick.problems("forest"), settings=quick.training)  # compiles
    families = QUICK_FAMILIES if scale.quick else FAMILIES
    return {"families": {family: _train(scale, family) for family in families.values()}}


def _train(scale: Scale, family: str) -> dict[str, Any]:
    problems = scale.problems(family)
    iterations: list[Iteration] = []
    began = time.perf_counter()
    phil.train(problems, settings=scale.training, report=iterations.append)
    total = time.perf_counter() - began
    parts = {
        part: mean(getattr(iteration.part_seconds, part) for iteration in iterations)
        for part in PARTS
    }
    return {
        "iterations": len(iterations),
        "candidates": len({iteration.candidate for iteration in iterations}),
        "total_seconds": total,
        "seconds_per_iteration": parts,
        "share": {part: seconds / sum(parts.values()) for part, seconds in parts.items()},
    }
