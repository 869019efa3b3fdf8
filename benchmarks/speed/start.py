"""The part `start`: how long a user waits before anything is searched, in fresh processes."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from PIL import Image

from benchmarks.speed.maps import solvable
from benchmarks.speed.scale import Scale
from phil.evaluation.timing import Clock, Job, interleaved
from phil.graphs import GridGraph

ROUNDS = 9
QUICK_ROUNDS = 2
PYTHON = (sys.executable, "-c")
COMMAND = "from phil.cli.main import main; main()"


def measure(scale: Scale) -> dict[str, Any]:
    """Wall time of processes that do nothing, import phil, and solve a map."""
    (problem,) = solvable(scale.problems("forest").test, 1)
    grid = problem.graph
    assert isinstance(grid, GridGraph)
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
            "solve": (*PYTHON, COMMAND, "solve", str(path), *ends, "--method", "phil:forest"),
        }
        jobs: dict[str, Job] = {name: partial(_run, command) for name, command in commands.items()}
        for job in jobs.values():
            job()  # compiles what was never compiled, and fills the system's caches
        rounds = QUICK_ROUNDS if scale.quick else ROUNDS
        clocks = {"wall_seconds": time.perf_counter, "cpu_seconds": _cpu}
        return {name: _medians(jobs, rounds, clock) for name, clock in clocks.items()}


def _medians(jobs: dict[str, Job], rounds: int, clock: Clock) -> dict[str, float]:
    took = {name: median(values) for name, values in interleaved(jobs, rounds, clock=clock).items()}
    return took | {"import": took["import"] - took["python"]}


def _cpu() -> float:
    """The time of all processes that have ended: what is left of wall time on a busy machine."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _run(command: tuple[str, ...]) -> None:
    subprocess.run(command, capture_output=True, check=True)
