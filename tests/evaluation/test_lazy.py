"""Evaluation of sets that are larger than memory: the same scores, few graphs at a time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import phil
from phil.evaluation import Evaluation, Run
from phil.graphs import GridGraph
from phil.problems import ProblemSet
from phil.problems.generated import generate_maps
from phil.problems.lazy import LazyProblems
from tests.networks import PRESETS, random_heuristic

pytest.importorskip("pyarrow", reason="Parquet files need the extra ray")
MAPS = 20
CACHE = 30_000  # bytes: four of the maps


def given() -> ProblemSet:
    """Two problems on each map."""
    problems = []
    for number, free in enumerate(generate_maps("forest", MAPS, seed=0, shape=(61, 61))):
        grid = GridGraph(free)
        problems += [
            phil.Problem(grid, (60, 0), (0, 60), f"{number}/up", 60.0),
            phil.Problem(grid, (0, 60), (60, 0), f"{number}/down"),
        ]
    return ProblemSet("maps", test=tuple(problems))


@pytest.fixture
def lazy(tmp_path: Path) -> LazyProblems:
    """The same problems in a file, of which the cache holds a part."""
    phil.write_set(tmp_path / "maps.parquet", given())
    test = phil.open_set(tmp_path / "maps.parquet").test
    assert isinstance(test, LazyProblems)
    test.store.graphs.most = CACHE
    return test


def facts(scores: Evaluation) -> list[object]:
    return [(score.method, list(map(of_run, score.runs))) for score in scores]


def of_run(run: Run) -> tuple[object, ...]:
    result = run.result
    counts = result.expansions, result.calls, result.path.tolist(), result.cells
    return run.problem, run.optimal, run.published, *counts


METHODS: list[Any] = ["astar(octile)", "astar(landmarks)", random_heuristic(PRESETS["best"])]


def test_scores_are_those_of_a_set_in_memory(lazy: LazyProblems) -> None:
    most = 0

    def watch(done: int, total: int) -> None:
        nonlocal most
        most = max(most, len(lazy.store.graphs))

    scores = phil.evaluate(lazy, METHODS, progress=watch, preparing=watch)
    assert facts(scores) == facts(phil.evaluate(given(), METHODS))
    assert most <= 6  # of 20 graphs: those in the cache, and one in use
    assert scores.problems is lazy
    assert all(run.result.graph is None for score in scores for run in score.runs)
    assert scores.document()["published"]["checked"] == MAPS


def test_workers_read_for_themselves(lazy: LazyProblems) -> None:
    reads = lazy.store.graphs.reads
    scores = phil.evaluate(lazy[:20], METHODS[:1], on="processes:2")
    assert facts(scores) == facts(phil.evaluate(given().test[:20], METHODS[:1]))
    assert lazy.store.graphs.reads - reads <= 10  # to see which problems share an end
