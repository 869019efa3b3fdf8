"""Measures some figures of whatever version of phil is found, in a process of its own.

    python reproduction/speed/probe.py NAME [--quick]

It uses nothing but the public interface, so that `reproduction.speed.versions` can run it with an
older version. The figures are printed as one JSON object.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

import phil

QUICK = "--quick" in sys.argv
SIDE = 41 if QUICK else 801
ROUNDS = 2 if QUICK else 9
CORNERS = (0, 0), (SIDE - 1, SIDE - 1)


def free_cells(blocked: float) -> NDArray[np.bool_]:
    """A map with random obstacles, whose corners are free."""
    free: NDArray[np.bool_] = np.random.default_rng(0).random((SIDE, SIDE)) >= blocked
    free[0, 0] = free[-1, -1] = True
    return free


def two_walls() -> NDArray[np.bool_]:
    """A map with two long walls between its corners."""
    free = np.ones((SIDE, SIDE), bool)
    free[SIDE // 10 :, SIDE // 3] = False
    free[: -SIDE // 10, 2 * SIDE // 3] = False
    return free


def least(job: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    """The shortest of some repeats, in seconds."""
    times = []
    for _ in range(ROUNDS):
        began = clock()
        job()
        times.append(clock() - began)
    return min(times)


def first_astar() -> dict[str, float]:
    """CPU seconds from the start of a process to its first path."""
    grid = phil.GridGraph(free_cells(0.1))
    phil.search(grid, *CORNERS, phil.load("euclidean"), key=phil.ASTAR)
    return {"seconds": time.process_time()}


def first_learned() -> dict[str, float]:
    """The same with a shipped heuristic."""
    phil.search(phil.GridGraph(free_cells(0.1)), *CORNERS, phil.load("phil:forest"))
    return {"seconds": time.process_time()}


def _tiny_set() -> Any:
    from phil.problems.generated import generate_maps

    def problems(split: str) -> Iterator[Any]:
        for free in generate_maps("forest", 2, seed=0, split=split, shape=(41, 41)):
            grid = phil.GridGraph(free)
            yield phil.Problem(grid, grid.node_ids[0], grid.node_ids[-1])

    splits = {split: tuple(problems(split)) for split in ("train", "validation")}
    return phil.ProblemSet("tiny", **splits)


def first_training() -> dict[str, float]:
    """CPU seconds of a process's first training, which is tiny, after a first search."""
    first_learned()
    problems = _tiny_set()
    settings = {
        "iterations": 2,
        "hard_candidates": 0,
        "steps": 4,
        "rollouts": 2,
        "horizon": 100,
        "tune": 0,
    }
    began = time.process_time()
    phil.train(problems, settings=settings)
    return {"seconds": time.process_time() - began}


def training() -> dict[str, float]:
    """Wall time of training with the default preset, with compiled code."""
    first_training()
    found = {}
    for family in () if QUICK else ("forest", "multiple_bugtraps"):
        problems = phil.open_set(f"grids/{family}")
        began = time.perf_counter()
        phil.train(problems)
        found[family] = time.perf_counter() - began
    return found


def astar() -> dict[str, float]:
    """The time of A* relative to pyastar2d; all moves cost 1."""
    try:
        from pyastar2d import astar_path
    except ImportError:  # an extra, `bench`
        return {}
    octile = phil.load("octile")

    def ratio(free: NDArray[np.bool_]) -> float:
        grid = phil.GridGraph(free, diagonal_cost=1.0)
        costs = np.where(free, 1.0, np.inf).astype(np.float32)
        phil.search(grid, *CORNERS, octile, key=phil.ASTAR)
        ours = least(lambda: phil.search(grid, *CORNERS, octile, key=phil.ASTAR))
        return ours / least(lambda: astar_path(costs, *CORNERS, allow_diagonal=True))

    maps = {"10 %": free_cells(0.1), "35 %": free_cells(0.35), "walls": two_walls()}
    return {name: ratio(free) for name, free in maps.items()}


def threads() -> dict[str, float]:
    """How much a second thread speeds up many short greedy queries."""
    grid = phil.GridGraph(free_cells(0.2)[:201, :201])
    nodes = np.random.default_rng(1).choice(grid.node_ids, (100 if QUICK else 4000, 2))
    pairs = [(int(start), int(goal)) for start, goal in nodes]
    euclidean = phil.load("euclidean")

    def run(count: int) -> float:
        return least(
            lambda: phil.search_many(grid, pairs, euclidean, threads=count), time.perf_counter
        )

    run(2)
    one, two = run(1), run(2)
    return {"speedup": one / two, "us": 1e6 * one / len(pairs)}


def several() -> dict[str, float]:
    """Microseconds per expansion and heuristic of searches with several queues."""
    grid = phil.GridGraph(two_walls())
    names = ("euclidean", "manhattan", "obstacles")
    loaded = [phil.load(name) for name in names]
    limits = phil.Limits(expansions=20_000)
    found = {}
    for name, count, weights in (("mha", 3, {}), ("mha w1 w2", 2, {"w1": 2.0, "w2": 2.0})):

        def run(count: int = count, weights: Any = weights) -> Any:
            return phil.search_mha(grid, *CORNERS, loaded[:count], limits=limits, **weights)

        found[name] = 1e6 * least(run) / run().expansions / count
    from phil.evaluation import parse_method

    problem = phil.Problem(grid, grid.node(0, 0), grid.node(SIDE - 1, SIDE - 1))
    method = parse_method("bfws(euclidean)")
    expanded = method.search(problem, limits).expansions
    found["bfws"] = 1e6 * least(lambda: method.search(problem, limits)) / expanded
    return found


def implicit() -> dict[str, float]:
    """Microseconds per expansion of an implicit graph beside the user's own function."""
    free = two_walls()
    around = [(x, y) for x in range(-2, 3) for y in range(-2, 3) if x or y]
    around.sort(key=lambda step: step[0] ** 2 + step[1] ** 2)  # 4 beside, 8 around, and beyond

    def graph_of(degree: int, *, costs: bool = False, grid: bool = False) -> tuple[Any, Any]:
        steps = around[:degree]

        def neighbors(node: tuple[int, int]) -> list[tuple[int, int]]:
            row, column = node
            return [
                (row + x, column + y)
                for x, y in steps
                if 0 <= row + x < SIDE and 0 <= column + y < SIDE and free[row + x, column + y]
            ]

        def priced(node: tuple[int, int]) -> dict[tuple[int, int], float]:
            return dict.fromkeys(neighbors(node), 1.5)

        if grid:
            return neighbors, phil.ImplicitGraph.on_grid(neighbors, free.shape, connectivity=degree)
        ask: Any = priced if costs else neighbors
        return ask, phil.ImplicitGraph(ask, features=lambda node: node, dim=2)

    limits = phil.Limits(expansions=5000)

    def added(asked: tuple[Any, Any], name: str, key: phil.Key) -> float:
        (ask, graph), heuristic = asked, phil.load(name)

        def run(trace: bool = False) -> Any:
            return phil.search(graph, *CORNERS, heuristic, key=key, limits=limits, trace=trace)

        trace = run(trace=True).trace
        alone = least(lambda: [ask(node) for node in trace])
        return 1e6 * (least(run) - alone) / len(trace)

    return {
        "zero": added(graph_of(8), "zero", phil.BFS),
        "euclidean": added(graph_of(8), "euclidean", phil.GREEDY),
        "costs": added(graph_of(8, costs=True), "euclidean", phil.ASTAR),
        "grid": added(graph_of(8, grid=True), "zero", phil.BFS),
        **{f"zero {k}": added(graph_of(k), "zero", phil.BFS) for k in (4, 16, 24)},
    }


def network() -> dict[str, float]:
    """Microseconds per evaluated node of a shipped heuristic, and how much precomputing saves."""
    from phil.heuristics.phil import PhilHeuristic

    learned: Any = phil.load("phil:forest")
    grid = phil.GridGraph(free_cells(0.1))
    limits = phil.Limits(expansions=3000)

    def fresh() -> Any:  # without what was computed for the goal before
        other = PhilHeuristic(learned.metadata, learned.tensors)
        _ = other.weights
        return other

    waiting = [fresh() for _ in range(ROUNDS + 1)]
    result = phil.search(grid, *CORNERS, waiting.pop(), limits=limits)
    lazy = least(lambda: phil.search(grid, *CORNERS, waiting.pop(), limits=limits))
    filled = PhilHeuristic(learned.metadata, learned.tensors, precompute=True)
    phil.search(grid, *CORNERS, filled, limits=limits)
    ready = least(lambda: phil.search(grid, *CORNERS, filled, limits=limits))
    return {"us": 1e6 * lazy / result.evaluations, "precomputed": lazy / ready}


PROBES = (
    first_astar,
    first_learned,
    first_training,
    training,
    astar,
    threads,
    several,
    implicit,
    network,
)

if __name__ == "__main__":
    [chosen] = [probe for probe in PROBES if probe.__name__ == sys.argv[1]]
    print(json.dumps(chosen()))
