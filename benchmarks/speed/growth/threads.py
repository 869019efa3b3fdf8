"""Many queries on one graph, by one thread and by two."""

from __future__ import annotations

import time
from functools import partial
from statistics import median
from typing import Any

import numpy as np

import phil
from benchmarks.speed.growth.methods import methods
from benchmarks.speed.timing import ratio
from phil.evaluation.timing import Job, interleaved
from phil.graphs import GridGraph
from phil.problems.generated import generate_map

THREADS = (1, 2)
SIDE, PAIRS, ROUNDS = 401, 100, 7
QUICK_SIDE, QUICK_PAIRS, QUICK_ROUNDS = 61, 20, 2


def measure_threads(quick: bool) -> dict[str, Any]:
    """Wall time per query by number of threads."""
    side, pairs, rounds = (
        (QUICK_SIDE, QUICK_PAIRS, QUICK_ROUNDS) if quick else (SIDE, PAIRS, ROUNDS)
    )
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
        seconds = interleaved(jobs, rounds, clock=time.perf_counter)
        found[name] = {
            "query_us": {threads: 1e6 * median(took) / pairs for threads, took in seconds.items()},
            "speedup": ratio(seconds["1"], seconds["2"]),
            "cores": _cores(jobs["2"]),
        }
    return found


def _pairs(grid: GridGraph, count: int) -> list[tuple[int, int]]:
    """Starts at the bottom left and goals at the top right, as the heuristic was learned on."""
    rows, columns = grid.shape
    random = np.random.default_rng(0)
    up, right = np.divmod(np.flatnonzero(grid.free), columns)
    start = (up > 2 * rows // 3) & (right < columns // 3)
    goal = (up < rows // 3) & (right > 2 * columns // 3)
    cells = np.flatnonzero(grid.free)
    ends = (random.choice(cells[there], count).tolist() for there in (start, goal))
    return list(zip(*ends, strict=True))


def _cores(job: Job) -> float:
    """How many cores a job was given: with less than two, two threads cannot be faster."""
    used, began = time.process_time(), time.perf_counter()
    job()
    return (time.process_time() - used) / (time.perf_counter() - began)
