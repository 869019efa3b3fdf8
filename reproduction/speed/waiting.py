"""The parts `training` and `start`: how long a user waits before anything is searched."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import mean, median
from typing import Any

import numpy as np
from PIL import Image

import phil
from phil.evaluation.timing import Job, interleaved
from phil.learning import Iteration
from reproduction.speed.common import RenewableGrid, Scale

PYTHON = (sys.executable, "-c")
PHIL = (*PYTHON, "from phil.cli.main import main; main()")


def training(scale: Scale) -> dict[str, Any]:
    """The default preset on an easy and on a hard family."""
    quick = replace(scale, quick=True)
    phil.train(quick.problems("forest"), settings=quick.training)  # compiles
    families = scale.pick(("forest", "multiple_bugtraps"), ("forest",))
    return {"families": {family: _train(scale, family) for family in families}}


def _train(scale: Scale, family: str) -> dict[str, Any]:
    problems = scale.problems(family)
    iterations: list[Iteration] = []
    began = time.perf_counter()
    phil.train(problems, settings=scale.training, report=iterations.append)
    total = time.perf_counter() - began
    parts = {
        part: mean(getattr(iteration.part_seconds, part) for iteration in iterations)
        for part in ("rollout", "learning", "validation")
    }
    return {
        "iterations": len(iterations),
        "candidates": len({iteration.candidate for iteration in iterations}),
        "total_seconds": total,
        "seconds_per_iteration": parts,
        "share": {part: seconds / sum(parts.values()) for part, seconds in parts.items()},
    }


def start(scale: Scale) -> dict[str, Any]:
    """Fresh processes that do nothing, import phil, and solve a map."""
    (problem,) = scale.tests("forest", 1)
    grid = RenewableGrid.of(problem).grid
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "map.png"
        Image.fromarray(grid.free.astype(np.uint8) * np.uint8(255)).save(path)
        ends = (
            f"--start={','.join(map(str, grid.cell(problem.start)))}",
            f"--goal={','.join(map(str, grid.cell(problem.goal)))}",
        )
        commands = {
            "python": (*PYTHON, "pass"),
            "import": (*PYTHON, "import phil"),
            "solve": (*PHIL, "solve", str(path), *ends, "--method", "phil:forest"),
        }
        jobs: dict[str, Job] = {
            name: partial(subprocess.run, command, capture_output=True, check=True)
            for name, command in commands.items()
        }
        for job in jobs.values():
            job()  # compiles what was never compiled, and fills the system's caches
        clocks = {"wall_seconds": time.perf_counter, "cpu_seconds": _cpu}
        return {name: _medians(jobs, scale.pick(9, 2), clock) for name, clock in clocks.items()}


def _medians(jobs: dict[str, Job], rounds: int, clock: Callable[[], float]) -> dict[str, float]:
    took = {name: median(values) for name, values in interleaved(jobs, rounds, clock=clock).items()}
    return took | {"import": took["import"] - took["python"]}


def _cpu() -> float:
    """The time of all child processes that have ended, which a busy machine does not stretch."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
