"""The part `growth`: queries of one length on grids of 10^4 to 10^7 nodes; threads; memory.

The memory of a first query is measured in a process of its own:

    python -m reproduction.speed.growth METHOD SIDE
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import phil
from phil.evaluation.timing import Job, interleaved
from phil.graphs import GridGraph
from phil.problems.generated import generate_map
from reproduction.speed.common import Cell, Method, RenewableGrid, Scale, classical, medians, ratio

PATCH = 100  # side of the part that all grids share
DISTANCE = 60  # cells between start and goal
BLOCKED = 0.3
LIMITS = phil.Limits(expansions=2000)  # reached by PHIL alone, which was trained on other maps
LEARNED = "PHIL"
THREADS = (1, 2)


def methods() -> dict[str, Method]:
    """The methods whose growth is measured."""
    known = classical()
    return {
        "A*": known["A*"],
        "greedy": known["greedy (euclidean)"],
        LEARNED: (phil.load("phil:forest"), phil.GREEDY),
    }


def measure(scale: Scale) -> dict[str, Any]:
    """Time, threads, memory."""
    sides = scale.pick((100, 316, 1000, 3162), (100, 316))
    return {
        "distance": DISTANCE,
        "most_expansions": LIMITS.expansions,
        "nodes": [side * side for side in sides],
        "methods": _queries(scale, sides),
        "threads": _threads(scale),
        "memory": {
            name: {str(side * side): _memory(name, side) for side in sides if side > PATCH}
            for name in methods()
        },
    }


def grid_around(side: int, seed: int) -> tuple[GridGraph, Cell, Cell]:
    """A grid with a start and a goal in its middle, where grids of all sizes are the same.

    The seed chooses the shared patch.
    """
    around = np.random.default_rng([seed, side])
    free = around.random((side, side), np.float32) >= BLOCKED
    patch = np.random.default_rng([seed, 0]).random((PATCH, PATCH)) >= BLOCKED
    middle = PATCH // 2
    ends = (middle, middle - DISTANCE // 2), (middle, middle + DISTANCE // 2)
    for row, column in ends:
        patch[row - 1 : row + 2, column - 1 : column + 2] = True
    corner = (side - PATCH) // 2
    free[corner : corner + PATCH, corner : corner + PATCH] = patch
    start, goal = ((row + corner, column + corner) for row, column in ends)
    return GridGraph(free), start, goal


def _queries(scale: Scale, sides: tuple[int, ...]) -> dict[str, Any]:
    """Medians over the seeds, by method and number of nodes; all sizes of a seed interleaved."""
    rows: dict[str, dict[str, list[dict[str, float]]]] = {
        name: {str(side * side): [] for side in sides} for name in methods()
    }
    for seed in range(scale.pick(5, 1)):
        jobs: dict[str, Callable[[], phil.Result]] = {}
        before: dict[str, Job] = {}
        for side in sides:
            grid, start, goal = grid_around(side, seed)
            new = RenewableGrid(grid)
            for name, method in methods().items():
                jobs[f"{name}/{side * side}"] = partial(_search, new, start, goal, method)
            before[f"{LEARNED}/{side * side}"] = new.renew
        results = {job: search() for job, search in jobs.items()}
        for job, took in interleaved(jobs, scale.pick(9, 2), before=before).items():
            (name, nodes), result = job.split("/"), results[job]
            microseconds = 1e6 * median(took)
            rows[name][nodes].append(
                {
                    "query_us": microseconds,
                    "expansions": result.expansions,
                    "us_per_expansion": microseconds / result.expansions,
                }
            )
    return {
        name: {nodes: medians(found, found[0]) for nodes, found in by_size.items()}
        for name, by_size in rows.items()
    }


def _search(new: RenewableGrid, start: Cell, goal: Cell, method: Method) -> phil.Result:
    heuristic, key = method
    return phil.search(new.grid, start, goal, heuristic, key=key, limits=LIMITS)


def _threads(scale: Scale) -> dict[str, Any]:
    """Wall time per query of many on one graph, by number of threads."""
    side, pairs = scale.pick((401, 100), (61, 20))
    grid = GridGraph(generate_map("forest", np.random.default_rng(0), (side, side)))
    ends = _pairs(grid, pairs)
    found = {}
    for name, (heuristic, key) in methods().items():
        jobs = {
            str(threads): partial(phil.search_many, grid, ends, heuristic, key=key, threads=threads)
            for threads in THREADS
        }
        for job in jobs.values():
            job()
        # The work of other threads is in no thread's own time.
        seconds = interleaved(jobs, scale.pick(7, 2), clock=time.perf_counter)
        found[name] = {
            "query_us": {threads: 1e6 * median(took) / pairs for threads, took in seconds.items()},
            "speedup": ratio(seconds["1"], seconds["2"]),
            "cores": _cores(jobs["2"]),
        }
    return found


def _pairs(grid: GridGraph, count: int) -> list[tuple[int, int]]:
    """Starts at the bottom left and goals at the top right, as the heuristic was trained on."""
    rows, columns = grid.shape
    random = np.random.default_rng(0)
    cells = np.flatnonzero(grid.free)
    row, column = np.divmod(cells, columns)
    start = (row > 2 * rows // 3) & (column < columns // 3)
    goal = (row < rows // 3) & (column > 2 * columns // 3)
    ends = (random.choice(cells[there], count).tolist() for there in (start, goal))
    return list(zip(*ends, strict=True))


def _cores(job: Job) -> float:
    """How many cores a job was given: with less than two, two threads cannot be faster."""
    used, began = time.process_time(), time.perf_counter()
    job()
    return (time.process_time() - used) / (time.perf_counter() - began)


def _memory(method: str, side: int) -> dict[str, float]:
    """Bytes per node of the first query of a fresh process."""
    command = (sys.executable, "-m", "reproduction.speed.growth", method, str(side))
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    told: dict[str, float] = json.loads(done.stdout)
    return told


def _first_query(method: str, side: int) -> dict[str, float]:
    """What the query's arrays ask for (`allocated`), and what the system gave (`resident`)."""
    heuristic, key = methods()[method]
    small, start, goal = grid_around(PATCH, seed=0)
    phil.search(small, start, goal, heuristic, key=key, limits=LIMITS)  # loads compiled code
    grid, start, goal = grid_around(side, seed=0)
    _ = grid.arrays
    before = _resident()
    tracemalloc.start()
    phil.search(grid, start, goal, heuristic, key=key, limits=LIMITS)
    allocated = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return {
        "allocated": allocated / grid.size,
        "resident": (_resident() - before) / grid.size,
    }


def _resident() -> int:
    """Bytes of this process in memory now; a search keeps its arrays for the next one."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    print(json.dumps(_first_query(sys.argv[1], int(sys.argv[2]))))
