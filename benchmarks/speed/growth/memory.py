"""The memory of one first query, measured in a process of its own.

    python -m benchmarks.speed.growth.memory METHOD SIDE

`allocated` is what the query's arrays ask for, `resident` what the system really gave.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import phil
from benchmarks.speed.growth.maps import PATCH, grid_around
from benchmarks.speed.growth.methods import LIMITS, methods

SEED = 0


def memory(method: str, side: int) -> dict[str, float]:
    """Bytes per node of a query on a grid of that side."""
    command = (sys.executable, "-m", "benchmarks.speed.growth.memory", method, str(side))
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    told: dict[str, float] = json.loads(done.stdout)
    return told


def _measure(method: str, side: int) -> dict[str, float]:
    heuristic, key = methods()[method]
    small, start, goal = grid_around(PATCH, SEED)
    phil.search(small, start, goal, heuristic, key=key, limits=LIMITS)  # loads compiled code
    grid, start, goal = grid_around(side, SEED)
    _ = grid.arrays
    before = _resident()
    tracemalloc.start()
    phil.search(grid, start, goal, heuristic, key=key, limits=LIMITS)
    allocated = tracemalloc.get_traced_memory()[1]
    return {
        "allocated": allocated / grid.size,
        "resident": (_resident() - before) / grid.size,
    }


def _resident() -> int:
    """Bytes of this process in memory now; a search keeps its arrays for the next one."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    print(json.dumps(_measure(sys.argv[1], int(sys.argv[2]))))
