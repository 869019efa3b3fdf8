"""Very many queries and training steps in one process: nothing may grow, and results stay equal."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from hashlib import blake2b
from itertools import chain
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

import numpy as np

from phil.graphs import GridGraph
from phil.heuristics.registry import load_heuristic
from phil.search import ASTAR, GREEDY, Key, Result, search, search_many
from phil.search.guide import Heuristic
from tests.campaign.part import Budget, Part, Report
from tests.campaign.watch import Held, Watch, held

if TYPE_CHECKING:
    from phil.learning import Iteration

# What the batches of queries are answered with, in turn: a tenth by a learned heuristic.
METHODS: tuple[tuple[str, Key], ...] = (
    *(("euclidean", GREEDY), ("octile", ASTAR), ("manhattan", GREEDY)) * 2,
    *(("landmarks", ASTAR), ("zero", ASTAR), ("obstacles", GREEDY), ("phil:forest", GREEDY)),
)
SIDE = 41
BATCH = 1000  # queries
ALONE = 20  # queries of a batch that are also answered one by one
PROCESSES = 2
FEWEST = 6 * len(METHODS)  # batches
RUNS = 5  # different training runs, each of which is repeated again and again

# A training run of a moment; its small steps are what matters.
SETTINGS: dict[str, Any] = {
    "width": 8,
    "memory": 4,
    "iterations": 3,
    "hard_candidates": 0,
    "tune": 0,
    "rollouts": 2,
    "steps": 10,
    "batch": 4,
    "validate_every": 1,
}
FEWEST_RUNS = 3 * RUNS
# A training run that goes on: its data set, which grows with every iteration, hardly does.
ENDLESS = SETTINGS | {"iterations": 10**9, "steps": 2000, "trail": "no", "validate_every": 10}
FEWEST_ITERATIONS = 6

Pairs = Sequence[tuple[int, int]]


def run(budget: Budget) -> Report:
    """Queries for half of the time, then short training runs, then one training run."""
    report = Report()
    for attack, share in ((queries, 0.5), (training, 0.6), (one_training, 1.0)):
        until = Budget(share * budget.seconds, budget.seed, budget.began)
        report.faults += [f"seed {budget.seed}: {fault}" for fault in attack(until, report)]
    return report


def queries(budget: Budget, report: Report) -> Iterator[str]:
    """The faults of queries in threads and processes."""
    random = np.random.default_rng(budget.seed)
    grid = GridGraph(random.random((SIDE, SIDE)) < 0.85)
    nodes = np.flatnonzero(grid.free)
    watches: defaultdict[str, Watch] = defaultdict(Watch)
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        number = 0
        while budget.left or number < FEWEST:
            name, key = METHODS[number % len(METHODS)]
            heuristic = load_heuristic(name)
            pairs = [(start, goal) for start, goal in random.choice(nodes, (BATCH, 2)).tolist()]
            one = digest(search_many(grid, pairs, heuristic, key=key, threads=1))
            two = digest(search_many(grid, pairs, heuristic, key=key, threads=2))
            parts = [
                pool.submit(_elsewhere, grid, heuristic, key, pairs[first::PROCESSES])
                for first in range(PROCESSES)
            ]
            there = [part.result() for part in parts]
            few = [search(grid, *pair, heuristic, key=key) for pair in pairs[:ALONE]]
            report.counts["queries in one thread"] += BATCH
            report.counts["queries in two threads"] += BATCH
            report.counts["queries in processes"] += BATCH
            where = f"batch {number} ({name})"
            if one != two:
                yield f"{where}: two threads give other results than one"
            if one != [*chain.from_iterable(zip(*(found for found, _, _ in there), strict=True))]:
                yield f"{where}: processes give other results than threads"
            if one[:ALONE] != digest(few):
                yield f"{where}: queries one by one give other results than many at once"
            watches["this process"].add(held())
            for _, other, moment in there:
                watches[f"process {other}"].add(moment)
            number += 1
    for process, watch in watches.items():
        yield from (f"{process}, {number} batches of queries: {fault}" for fault in watch.growth())


def digest(results: Sequence[Result]) -> list[bytes]:
    """All of the results but the time they took, in few bytes."""
    return [_digest(result) for result in results]


def _digest(result: Result) -> bytes:
    facts = vars(result) | {"path": result.path.tobytes(), "seconds": 0.0, "graph": None}
    return blake2b(repr(facts).encode(), digest_size=8).digest()


def _elsewhere(
    grid: GridGraph, heuristic: Heuristic, key: Key, pairs: Pairs
) -> tuple[list[bytes], int, Held]:
    """What another process finds with what it was sent, and what it holds."""
    results = search_many(grid, pairs, heuristic, key=key, threads=1)
    return digest(results), os.getpid(), held()


def training(budget: Budget, report: Report) -> Iterator[str]:
    """The faults of training runs."""
    from phil.learning import train
    from tests.learning.small import small_set

    def count(_: object) -> None:
        report.counts["steps of short trainings"] += SETTINGS["steps"]

    problems = small_set()
    watch = Watch()
    first: dict[int, bytes] = {}
    number = 0
    while budget.left or number < FEWEST_RUNS:
        seed = budget.seed + number % RUNS
        learned = train(
            problems, settings=SETTINGS, seed=seed, workers=1 + number // RUNS % 2, report=count
        )
        tensors = b"".join(tensor.tobytes() for _, tensor in sorted(learned.tensors.items()))
        told = blake2b(tensors).digest()
        if first.setdefault(seed, told) != told:
            yield f"training run {number} learned something else than before with seed {seed}"
        watch.add(held())
        number += 1
    yield from (f"{number} training runs: {fault}" for fault in watch.growth())


def one_training(budget: Budget, report: Report) -> Iterator[str]:
    """The faults of one training run, which is ended when the time is up."""
    from phil.learning import train
    from tests.learning.small import small_set

    class Enough(Exception):
        pass

    watch = Watch()

    def look(iteration: Iteration) -> None:
        report.counts["steps of one training"] += ENDLESS["steps"]
        watch.add(held())
        if not budget.left and iteration.number >= FEWEST_ITERATIONS:
            raise Enough

    with suppress(Enough):
        train(small_set(), settings=ENDLESS, seed=budget.seed, report=look)
    yield from (f"one training run: {fault}" for fault in watch.growth())


PART = Part(
    name="load",
    title="Long runs",
    about=(
        "Queries on one map, a thousand at a time, in one thread, in two threads and in two "
        "processes that are sent the map and the heuristic anew each time; then training runs of "
        "small steps, again and again, and at last one that does not end. Results must be the same "
        "in all of them and each time, and from halfway to the end no process may take more "
        "memory, files or threads."
    ),
    unit="queries and steps",
    run=run,
)
