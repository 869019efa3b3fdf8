"""Wherever work runs, its results have the same bytes."""

from __future__ import annotations

import itertools
import json
import os
import signal
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import phil
from phil.errors import InputError
from phil.evaluation.advice import advise
from phil.evaluation.methods import parse_method
from phil.learning import Iteration
from phil.learning.spread import roll_out_turn
from phil.problems import single_graph_set
from phil.workers import WorkerLostWarning, Workers, open_workers
from reproduction.__main__ import main as reproduce
from tests.learning.small import small_set

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
QUICK = {
    "iterations": 3,
    "steps": 2,
    "rollouts": 2,
    "validate_every": 1,
    "candidates": 2,
    "hard": 1.0,
    "hard_candidates": 1,
    "tune": 4,
    "tune_samples": 4,
}


@pytest.fixture(scope="module")
def processes() -> Iterator[Workers]:
    with open_workers("processes:2") as workers:
        yield workers


@pytest.fixture(scope="module")
def ray_workers(cluster: Any) -> Iterator[Workers]:
    with open_workers(f"ray://{cluster.address}") as workers:
        yield workers


@pytest.fixture(params=["processes", "ray_workers"])
def workers(request: pytest.FixtureRequest) -> Workers:
    found: Workers = request.getfixturevalue(request.param)
    return found


GRID: Any = small_set().train[0].graph
FREE = [int(node) for node in np.flatnonzero(GRID.free)]
PAIRS = [*itertools.islice(itertools.product(FREE[:40:3], FREE[::-7]), 200)]


def random_graph(nodes: int, edges: int, directed: bool = False) -> phil.Graph:
    random = np.random.default_rng(0)
    ring = [(node, (node + 1) % nodes) for node in range(nodes)]
    ends = ring + [(int(a), int(b)) for a, b in random.integers(nodes, size=(edges, 2))]
    weights = random.random(len(ends)) + 0.1
    features = random.random((nodes, 2))
    return phil.Graph.from_edges(nodes, ends, weights=weights, features=features, directed=directed)


def facts(result: phil.Result) -> tuple[Any, ...]:
    """Everything of a result but the time."""
    return (
        *(result.outcome, result.path.tolist(), result.nodes, result.cost, result.expansions),
        *(result.reopened, result.generated, result.evaluations, result.neighbor_calls),
        *(result.lookahead_calls, result.lower_bound),
    )


@pytest.mark.parametrize("method", ["euclidean", "phil:forest", "astar(octile)", "hedge(phil:map)"])
def test_queries(workers: Workers, method: str) -> None:
    here = phil.search_many(GRID, PAIRS, method)
    there = phil.search_many(GRID, PAIRS, method, on=workers)
    assert [*map(facts, there)] == [*map(facts, here)]
    assert there[0].graph is GRID
    streamed = phil.search_stream(GRID, iter(PAIRS), method, on=workers)
    assert [*map(facts, streamed)] == [*map(facts, here)]


def test_queries_with_limits_and_bounds(workers: Workers) -> None:
    options: dict[str, Any] = {"bound": 1.5, "limits": phil.Limits(expansions=30)}
    here = phil.search_many(GRID, PAIRS[:40], "euclidean", **options)
    there = phil.search_many(GRID, PAIRS[:40], "euclidean", **options, on=workers)
    assert [*map(facts, there)] == [*map(facts, here)]


def test_an_invalid_pair_is_named(workers: Workers) -> None:
    endless = itertools.chain(PAIRS[:70], [(0, 10**9)], itertools.cycle(PAIRS))
    with pytest.raises(InputError, match=r"pairs\[70\]"):
        [*phil.search_stream(GRID, endless, "euclidean", on=workers)]
    with pytest.raises(InputError, match=r"pairs\[70\]"):
        phil.search_many(GRID, [*PAIRS[:70], (0, 10**9)], "euclidean", on=workers)


def test_a_stream_takes_no_more_pairs_than_it_needs(workers: Workers) -> None:
    taken = itertools.count()
    pairs = ((next(taken) and pair) or pair for pair in itertools.cycle(PAIRS))
    results = phil.search_stream(GRID, pairs, "euclidean", on=workers)
    [*itertools.islice(results, 10)]
    results.close()  # type: ignore[attr-defined]
    assert next(taken) < 20_000


def test_an_evaluation(workers: Workers) -> None:
    graph = random_graph(60, 200)
    problems = [*small_set().all, *single_graph_set("one", graph, count=30).all]
    methods = ["astar", "bfs", "landmarks"]
    here, there = phil.evaluate(problems, methods), phil.evaluate(problems, methods, on=workers)
    for score, same in zip(here, there, strict=True):
        assert [facts(run.result) for run in same.runs] == [facts(run.result) for run in score.runs]
        assert [run.optimal for run in same.runs] == [run.optimal for run in score.runs]
        assert [run.problem for run in same.runs] == [run.problem for run in score.runs]


def test_progress_is_told(workers: Workers) -> None:
    told: list[tuple[int, int]] = []
    phil.evaluate(small_set(), ["bfs"], on=workers, progress=lambda *at: told.append(at))
    assert told[-1] == (8, 8)
    assert told == sorted(told)


def test_advice(workers: Workers) -> None:
    problems = small_set().all
    methods = [parse_method(text) for text in ("astar(octile)", "euclidean")]
    here, there = advise(problems, methods), advise(problems, methods, on=workers)
    for one, same in zip(here.measured, there.measured, strict=True):
        assert same.expansions.tolist() == one.expansions.tolist()
        assert same.cost_ratios.tolist() == one.cost_ratios.tolist()


@pytest.fixture(scope="module")
def local_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    file = tmp_path_factory.mktemp("local") / "h.safetensors"
    phil.train(small_set(), settings=QUICK, output=file, progress=False)
    return file.read_bytes()


def test_a_training(workers: Workers, local_bytes: bytes, tmp_path: Path) -> None:
    file = tmp_path / "h.safetensors"
    phil.train(small_set(), settings=QUICK, output=file, on=workers)
    assert file.read_bytes() == local_bytes
    assert [*tmp_path.glob("*.checkpoint")] == []


ALONE = QUICK | {"candidates": 1, "plain": 0, "rollouts": 5, "hard_candidates": 0, "tune": 0}


@pytest.fixture(scope="module")
def alone_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """One candidate in one thread, which makes all roll-outs itself."""
    file = tmp_path_factory.mktemp("alone") / "h.safetensors"
    phil.train(small_set(), settings=ALONE, output=file, progress=False, workers=1)
    return file.read_bytes()


def test_roll_outs_spread_over_workers(
    workers: Workers, alone_bytes: bytes, tmp_path: Path
) -> None:
    file = tmp_path / "h.safetensors"
    phil.train(small_set(), settings=ALONE, output=file, on=workers)
    assert file.read_bytes() == alone_bytes


@pytest.mark.parametrize("on", ["local", "processes:3"])
def test_roll_outs_spread_over_three(on: str, alone_bytes: bytes, tmp_path: Path) -> None:
    file = tmp_path / "h.safetensors"
    phil.train(small_set(), settings=ALONE, output=file, progress=False, workers=3, on=on)
    assert file.read_bytes() == alone_bytes


def test_a_training_with_a_directed_graph(workers: Workers, tmp_path: Path) -> None:
    graph = random_graph(40, 90, directed=True)
    problems = single_graph_set("one", graph, count=40)
    for name, on in (("here", "local"), ("there", workers)):
        file = tmp_path / f"{name}.safetensors"
        phil.train(problems, settings=QUICK | {"tune": 0}, output=file, on=on)
    assert (tmp_path / "here.safetensors").read_bytes() == (
        tmp_path / "there.safetensors"
    ).read_bytes()


def test_a_training_whose_workers_are_killed(
    workers: Workers, local_bytes: bytes, tmp_path: Path
) -> None:
    """A candidate goes on in another worker after its own was killed."""
    killed: list[int] = []

    def report(iteration: Iteration) -> None:
        if iteration.number == 2:
            killed.extend(kill_workers())

    file = tmp_path / "h.safetensors"
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", WorkerLostWarning)
        phil.train(small_set(), settings=QUICK, output=file, on=workers, report=report)
    assert killed
    assert any(each.category is WorkerLostWarning for each in told)
    assert file.read_bytes() == local_bytes


def test_a_worker_killed_during_roll_outs(
    workers: Workers, alone_bytes: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its roll-outs are made by another one, and so is the training if it had the candidate."""
    killed: list[int] = []
    spread = type(workers).map

    def kill_after_the_first(self: Workers, function: Any, *arguments: Any) -> Iterator[Any]:
        results = spread(self, function, *arguments)
        yield next(results)
        if function is roll_out_turn and not killed:
            killed.extend(kill_workers())
        yield from results

    monkeypatch.setattr(type(workers), "map", kill_after_the_first)
    file = tmp_path / "h.safetensors"
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", WorkerLostWarning)
        phil.train(small_set(), settings=ALONE, output=file, on=workers)
    assert killed
    assert any(each.category is WorkerLostWarning for each in told)
    assert file.read_bytes() == alone_bytes


def kill_workers() -> list[int]:
    """Kill all processes that work for this one: its own children, and workers of its cluster."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        works = b"spawn_main" in command or command.startswith(b"ray::_Host")
        if works and os.getpid() in ancestors(int(folder.name)):
            os.kill(int(folder.name), signal.SIGKILL)
            found.append(int(folder.name))
    return found


def ancestors(process: int) -> Iterator[int]:
    while process > 1:
        try:
            status = Path(f"/proc/{process}/stat").read_text()
        except OSError:
            return
        process = int(status.rsplit(")", 1)[1].split()[1])
        yield process


def test_a_part_of_the_reproduction(workers: Workers, cluster: Any, tmp_path: Path) -> None:
    on = "processes:2" if type(workers).__name__ == "Processes" else f"ray://{cluster.address}"
    found = {}
    for name, where in (("here", "local"), ("there", on)):
        out = [f"--{what}={tmp_path / name / what}" for what in ("results", "docs", "heuristics")]
        arguments = ["table1", "--quick", "--families=forest", "--methods=astar,oracle,sail"]
        with pytest.raises(SystemExit) as ended:
            reproduce([*arguments, "--seeds=1", "--no-times", f"--on={where}", *out])
        assert not ended.value.code
        [file] = (tmp_path / name / "results").glob("table1*.json")
        found[name] = {
            part: without_times(value)
            for part, value in json.loads(file.read_text())["parts"].items()
        }
    assert found["here"] == found["there"]
    assert len(found["here"]) == 4


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        times = ("made", "seconds", "training_seconds", "milliseconds", "times")
        return {name: without_times(each) for name, each in value.items() if name not in times}
    return [*map(without_times, value)] if isinstance(value, list) else value
