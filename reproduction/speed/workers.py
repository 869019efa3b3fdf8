"""The part `workers`: what processes and a Ray cluster gain over one core, and what they cost.

Everything runs on this machine, where a cluster of two workers has two cores.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import phil
from phil.evaluation.timing import Job, interleaved
from phil.graphs import AnyGraph
from phil.problems import Problem, ProblemSet
from phil.problems.generated import generate_maps
from phil.workers import Workers, open_workers
from phil.workers.threads import Threads
from reproduction.speed.common import Scale, ratio

WORKERS = 2
ONE_CORE = "one core"
KINDS = {"processes": f"processes:{WORKERS}", "Ray": "ray"}
METHOD = "phil:map"
METHODS = (
    *(METHOD, "astar(octile)", "greedy(euclidean)", "wastar(octile, 2)", "bfs"),
    *("mha", "bfws(euclidean)"),  # which run in Python, once per expansion
)
SLEEP = 0.2  # seconds that simulated work takes
EACH = 10  # items of simulated work per worker


def measure(scale: Scale) -> dict[str, Any]:
    """Speed-ups by kind of workers, the cost of a start and of a task, memory, and the driver."""
    start = {name: _start_seconds(on) for name, on in KINDS.items()}
    with _opened() as workers:
        found: dict[str, Any] = {
            "workers": WORKERS,
            "work": {
                "evaluation": _compared(_evaluation, scale, workers, scale.pick(3, 1)),
                "queries": _compared(_queries, scale, workers, scale.pick(3, 1)),
                "training": _compared(_training, scale, workers, scale.pick(2, 1)),
            },
            "start_seconds": start,
            "task_ms": {name: _task_ms(each) for name, each in workers.items()},
            "memory": _memory(workers, scale),
            "constants": _constants(scale),
        }
    return found | {"driver": [*_driver(scale)]}  # which starts clusters of its own


@contextmanager
def _opened() -> Iterator[dict[str, Workers]]:
    with open_workers(KINDS["processes"]) as processes, open_workers(KINDS["Ray"]) as cluster:
        yield {"processes": processes, "Ray": cluster}


def _start_seconds(on: str) -> float:
    """The time until all workers have done something, and have ended."""
    began = time.perf_counter()
    with open_workers(on) as workers:
        [*workers.map(_nothing, workers.share(None), range(2 * WORKERS))]
    return time.perf_counter() - began


def _compared(
    work: Callable[[Scale], Callable[[str | Workers], object]],
    scale: Scale,
    workers: dict[str, Workers],
    rounds: int,
) -> dict[str, float]:
    """The seconds of one core, how many times faster workers are, and Ray against processes."""
    where: dict[str, str | Workers] = {ONE_CORE: "local", **workers}
    little, run = work(replace(scale, quick=True)), work(scale)
    for each in where.values():
        little(each)  # starts, imports and compiles what it needs
    jobs: dict[str, Job] = {name: partial(run, each) for name, each in where.items()}
    seconds = interleaved(jobs, rounds, clock=time.perf_counter)
    return {
        "seconds": median(seconds[ONE_CORE]),
        **{name: ratio(seconds[ONE_CORE], seconds[name]) for name in workers},
        "Ray over processes": ratio(seconds["Ray"], seconds["processes"]),
    }


def _evaluation(scale: Scale) -> Callable[[str | Workers], object]:
    problems = _problems(scale, scale.pick(400, 8))
    return lambda on: phil.evaluate(problems, METHODS, on=on)


def _queries(scale: Scale) -> Callable[[str | Workers], object]:
    graph = _problems(scale, 1)[0].graph
    pairs = _pairs(graph, scale.pick(15_000, 60))
    return lambda on: phil.search_many(graph, pairs, METHOD, threads=1, on=on)


def _training(scale: Scale) -> Callable[[str | Workers], object]:
    problems = tuple(_problems(scale, scale.pick(120, 8)))
    cut = 3 * len(problems) // 4
    some = ProblemSet("benchmark", problems[:cut], problems[cut:])
    settings = {
        "iterations": scale.pick(30, 1),
        "candidates": 2 * WORKERS,
        "plain": 0,
        "hard_candidates": 0,
        "tune": scale.pick(5, 1),
        "tune_samples": scale.pick(16, 2),
    }
    return lambda on: phil.train(some, settings=settings, workers=1, on=on, progress=False)


def _problems(scale: Scale, count: int) -> list[Problem]:
    side = scale.pick(201, 41)
    grids = [
        phil.GridGraph(free) for free in generate_maps("forest", count, seed=0, shape=(side, side))
    ]
    return [Problem(grid, (side - 1, 0), (0, side - 1)) for grid in grids]


def _pairs(graph: AnyGraph, count: int) -> list[tuple[int, int]]:
    """Random pairs of nodes that are connected."""
    assert graph.is_grid
    reached = np.flatnonzero(np.isfinite(phil.oracle_distances(graph, (0, 0))))
    chosen = np.random.default_rng(0).choice(reached, (count, 2))
    return [(int(start), int(goal)) for start, goal in chosen]


def _task_ms(workers: Workers, count: int = 300) -> float:
    """The time from handing out work that does nothing to its result, one after the other."""
    shared = workers.share(None)
    took = []
    for _ in range(count):
        began = time.perf_counter()
        [*workers.map(_nothing, shared, [0])]
        took.append(time.perf_counter() - began)
    return 1e3 * median(took)


def _nothing(_: None, __: int) -> None:
    return None


def _memory(workers: dict[str, Workers], scale: Scale) -> dict[str, Any]:
    """What a worker takes for itself to search a large grid, besides what all of them share."""
    side = scale.pick(3163, 200)
    grid = phil.GridGraph(np.ones((side, side), bool))
    own = {}
    for name, each in workers.items():
        grown = [*each.map(_search_large, each.share(grid), range(2 * WORKERS))]
        own[name] = max(grown)
    return {"nodes": grid.num_nodes, "graph_bytes": grid.free.nbytes, "own_bytes": own}


def _search_large(grid: phil.GridGraph, _: int) -> int:
    """The memory of its own that this process needed for a short search on the grid."""
    before = _private_bytes()
    rows, columns = grid.shape
    middle = rows // 2, columns // 2
    phil.search(grid, middle, (rows // 2 + 50, columns // 2 + 50), "euclidean")
    return max(0, _private_bytes() - before)


def _private_bytes() -> int:
    rows = [line.split() for line in Path("/proc/self/smaps_rollup").read_text().splitlines()]
    return 1024 * sum(int(row[1]) for row in rows if row[0].startswith("Private_"))


def _constants(scale: Scale) -> dict[str, float]:
    """What a query and a training problem cost on one core, without workers."""
    some = _problems(scale, 4)
    pairs = _pairs(some[0].graph, scale.pick(2000, 60))
    jobs: dict[str, Job] = {
        "query": lambda: phil.search_many(some[0].graph, pairs, METHOD, threads=1),
        "oracle": lambda: [phil.oracle_distances(each.graph, each.goal) for each in some],
    }
    for job in jobs.values():
        job()
    seconds = interleaved(jobs, scale.pick(5, 1), clock=time.perf_counter)
    grid = some[0].graph
    assert grid.is_grid
    distances = 8 * grid.num_nodes
    return {
        "query_ms": 1e3 * median(seconds["query"]) / len(pairs),
        "oracle_ms": 1e3 * median(seconds["oracle"]) / len(some),
        "problem_bytes": grid.free.nbytes + distances,
    }


def _driver(scale: Scale) -> Iterator[dict[str, Any]]:
    """What the driver spends on each item, with more and more workers that only sleep."""
    for count in scale.pick((4, 16, 64), (2, 4)):
        with Threads(count) as threads:
            yield {"kind": "threads", **_slept(threads)}
    for count in scale.pick((4, 16, 64), (2,)):
        with _logical_cluster(count) as cluster:
            yield {"kind": "Ray", **_slept(cluster)}


def _slept(workers: Workers) -> dict[str, Any]:
    shared = workers.share(None)
    for _ in workers.map(_sleep, shared, [SLEEP] * 2 * workers.count):
        pass  # until all workers have started
    items = EACH * workers.count
    began, busy = time.perf_counter(), time.process_time()
    for _ in workers.map(_sleep, shared, [SLEEP] * items):
        pass
    took, spent = time.perf_counter() - began, time.process_time() - busy
    return {
        "workers": workers.count,
        "items": items,
        "efficiency": EACH * SLEEP / took,
        "driver_ms": 1e3 * spent / items,
    }


def _sleep(_: None, seconds: float) -> None:
    time.sleep(seconds)


@contextmanager
def _logical_cluster(count: int) -> Iterator[Workers]:
    """A cluster with more workers than there are cores, which is enough for work that sleeps."""
    import ray

    ray.init(
        num_cpus=count, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR
    )
    try:
        with open_workers("ray") as workers:
            yield workers
    finally:
        ray.shutdown()
