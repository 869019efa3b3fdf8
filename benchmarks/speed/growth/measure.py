"""The part `growth`: queries of one length on grids of 10^4 to 10^7 nodes; threads; memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

import phil
from benchmarks.speed.growth.maps import DISTANCE, PATCH, Cell, grid_around
from benchmarks.speed.growth.memory import memory
from benchmarks.speed.growth.methods import LEARNED, LIMITS, Method, methods
from benchmarks.speed.growth.threads import measure_threads
from benchmarks.speed.maps import NewGrid
from benchmarks.speed.scale import Scale
from phil.evaluation.timing import Job, interleaved

SIDES = (100, 316, 1000, 3162)
SEEDS, ROUNDS = 5, 9
QUICK_SIDES = (100, 316)
QUICK_SEEDS, QUICK_ROUNDS = 1, 2


def measure(scale: Scale) -> dict[str, Any]:
    """Time, threads, memory."""
    sides = QUICK_SIDES if scale.quick else SIDES
    return {
        "distance": DISTANCE,
        "most_expansions": LIMITS.expansions,
        "nodes": [side * side for side in sides],
        "methods": _queries(scale, sides),
        "threads": measure_threads(scale.quick),
        "memory": {
            name: {str(side * side): memory(name, side) for side in sides if side > PATCH}
            for name in methods()
        },
    }


def _queries(scale: Scale, sides: tuple[int, ...]) -> dict[str, Any]:
    """Medians over the seeds, by method and number of nodes; all sizes of a seed interleaved."""
    rows: dict[str, dict[str, list[dict[str, float]]]] = {
        name: {str(side * side): [] for side in sides} for name in methods()
    }
    for seed in range(QUICK_SEEDS if scale.quick else SEEDS):
        jobs: dict[str, Callable[[], phil.Result]] = {}
        before: dict[str, Job] = {}
        for side in sides:
            grid, start, goal = grid_around(side, seed)
            new = NewGrid(grid)
            for name, method in methods().items():
                jobs[f"{name}/{side * side}"] = partial(_search, new, start, goal, method)
            before[f"{LEARNED}/{side * side}"] = new.renew
        results = {job: search() for job, search in jobs.items()}
        rounds = QUICK_ROUNDS if scale.quick else ROUNDS
        for job, took in interleaved(jobs, rounds, before=before).items():
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
        name: {
            nodes: {figure: median(row[figure] for row in found) for figure in found[0]}
            for nodes, found in by_size.items()
        }
        for name, by_size in rows.items()
    }


def _search(new: NewGrid, start: Cell, goal: Cell, method: Method) -> phil.Result:
    heuristic, key = method
    return phil.search(new.grid, start, goal, heuristic, key=key, limits=LIMITS)
