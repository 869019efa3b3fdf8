"""The part `training`: seconds of an iteration's parts, and of a whole training."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Lock
from typing import Any

import phil
from benchmarks.speed.scale import Scale
from phil.learning import Iteration
from phil.learning.learner import Learner
from phil.learning.validation import Validator

FAMILIES = {"easy": "forest", "hard": "multiple_bugtraps"}
QUICK_FAMILIES = {"easy": "forest"}

# The methods whose time is a part's time, by class.
PARTS: dict[str, tuple[type[Any], str]] = {
    "rollout": (Learner, "collect"),
    "adam": (Learner, "_step"),
    "validation": (Validator, "expansions"),
}


def measure(scale: Scale) -> dict[str, Any]:
    """The default preset on an easy and on a hard family."""
    quick = replace(scale, quick=True)
    phil.train(quick.problems("forest"), settings=quick.training)  # compiles
    families = QUICK_FAMILIES if scale.quick else FAMILIES
    return {"families": {family: _train(scale, family) for family in families.values()}}


def _train(scale: Scale, family: str) -> dict[str, Any]:
    problems = scale.problems(family)
    iterations: list[Iteration] = []
    with _timed() as seconds:
        began = time.perf_counter()
        phil.train(problems, settings=scale.training, report=iterations.append)
        total = time.perf_counter() - began
    parts = sum(seconds.values())
    return {
        "iterations": len(iterations),
        "candidates": len({iteration.candidate for iteration in iterations}),
        "total_seconds": total,
        "seconds_per_iteration": {part: seconds[part] / len(iterations) for part in PARTS},
        "share": {part: seconds[part] / parts for part in PARTS},
    }


@contextmanager
def _timed() -> Iterator[dict[str, float]]:
    """Adds up what all threads compute in each part while it is open, in seconds of a core."""
    seconds: dict[str, float] = defaultdict(float)
    lock = Lock()
    kept = {part: getattr(owner, method) for part, (owner, method) in PARTS.items()}

    def timed(part: str, inner: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            began = time.thread_time()
            try:
                return inner(*arguments, **options)
            finally:
                with lock:
                    seconds[part] += time.thread_time() - began

        return call

    for part, (owner, method) in PARTS.items():
        setattr(owner, method, timed(part, kept[part]))
    try:
        yield seconds
    finally:
        for part, (owner, method) in PARTS.items():
            setattr(owner, method, kept[part])
