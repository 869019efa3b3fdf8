"""The contract of all workers: order, errors, bounded memory, lost workers."""

from __future__ import annotations

import itertools
import os
import warnings
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phil.errors import InputError
from phil.workers import WorkerLostWarning, Workers, open_workers
from phil.workers.lost import WorkerLost
from phil.workers.threads import Threads
from phil.workers.workers import AHEAD, ATTEMPTS
from tests.workers import jobs

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
HERE, ELSEWHERE = ("local", "threads"), ("processes", "ray")


@pytest.fixture(scope="module")
def opened(request: pytest.FixtureRequest) -> Iterator[dict[str, Workers]]:
    """Workers of each kind, opened once."""
    with open_workers("local") as here, Threads(2) as threads, open_workers("processes:2") as other:
        found: dict[str, Any] = {"local": here, "threads": threads, "processes": other}
        yield found


@pytest.fixture(params=[*HERE, *ELSEWHERE])
def workers(request: pytest.FixtureRequest, opened: dict[str, Workers]) -> Workers:
    return _workers(request, opened)


@pytest.fixture(params=ELSEWHERE)
def elsewhere(request: pytest.FixtureRequest, opened: dict[str, Workers]) -> Workers:
    return _workers(request, opened)


def _workers(request: pytest.FixtureRequest, opened: dict[str, Workers]) -> Workers:
    kind: str = request.param
    if kind == "ray" and kind not in opened:
        opened[kind] = request.getfixturevalue("ray_workers")
    return opened[kind]


@pytest.fixture(scope="module")
def ray_workers(cluster: Any) -> Iterator[Workers]:
    with open_workers(f"ray://{cluster.address}") as workers:
        yield workers


def test_results_come_in_the_order_of_the_items(workers: Workers) -> None:
    shared = workers.share(np.arange(50) * 7)
    assert [*workers.map(jobs.pick, shared, range(50))] == [7 * k for k in range(50)]
    assert [*workers.map(jobs.slow_at_first, workers.share(None), range(6))] == [*range(6)]
    assert [*workers.map(jobs.pick, shared, [])] == []


def test_run_gives_every_result_once_as_it_is_done(workers: Workers) -> None:
    done = [*workers.run(jobs.slow_at_first, workers.share(None), range(6))]
    assert sorted(done) == [(k, k) for k in range(6)]
    if workers.count > 1:
        assert done[0][0] != 0  # which takes longest


def test_work_runs_side_by_side(elsewhere: Workers) -> None:
    assert elsewhere.count == 2
    found = {*elsewhere.map(jobs.who, elsewhere.share(None), range(12))}
    assert len(found) == 2
    assert os.getpid() not in found


def test_items_are_taken_as_results_are(workers: Workers) -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for k in itertools.count():
            taken.append(k)
            yield k % 50

    # Groups grow with the speed of the machine; without them, the bound is exact.
    results = workers.map(jobs.pick, workers.share(np.arange(50)), items(), grouped=False)
    with closing(results):  # or the workers would be left to wait for whoever takes the rest
        assert [*itertools.islice(results, 5)] == [0, 1, 2, 3, 4]
        assert len(taken) <= 5 + AHEAD * workers.count + 2 * workers.count


def test_invalid_input_fails_at_once(workers: Workers) -> None:
    with pytest.raises(InputError, match="number 2 is not allowed"):
        [*workers.map(jobs.refuse, workers.share(None), range(5))]
    assert [*workers.map(jobs.pick, workers.share(np.arange(3)), range(3))] == [0, 1, 2]


@pytest.mark.parametrize("deadly", [False, True])
def test_what_fails_is_done_again(elsewhere: Workers, deadly: bool, tmp_path: Path) -> None:
    shared = elsewhere.share(jobs.Clumsy(tmp_path, ATTEMPTS - 1, deadly))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", WorkerLostWarning)
        assert [*elsewhere.map(jobs.stumble, shared, range(6))] == [*range(6)]
    lost = [str(each.message) for each in told if each.category is WorkerLostWarning]
    assert len(lost) == (ATTEMPTS - 1 if deadly else 0)
    assert all("its work ('3') is done again" in text for text in lost)


def test_three_failures_are_the_last(elsewhere: Workers, tmp_path: Path) -> None:
    shared = elsewhere.share(jobs.Clumsy(tmp_path, ATTEMPTS, False))
    with pytest.raises(RuntimeError, match="stumbled") as raised:
        [*elsewhere.map(jobs.stumble, shared, range(6))]
    assert "after 3 attempts, while working on '3'" in raised.value.__notes__
    assert len([*tmp_path.iterdir()]) == ATTEMPTS


@pytest.mark.filterwarnings("ignore::phil.workers.WorkerLostWarning")
def test_three_dead_workers_are_the_last(elsewhere: Workers, tmp_path: Path) -> None:
    shared = elsewhere.share(jobs.Clumsy(tmp_path, ATTEMPTS, True))
    with pytest.raises(InputError, match=r"3 workers died .* on '3'"):
        [*elsewhere.map(jobs.stumble, shared, range(6))]


def test_here_an_error_is_raised_as_it_is(opened: dict[str, Workers], tmp_path: Path) -> None:
    for kind in HERE:
        here = opened[kind]
        folder = tmp_path / kind
        folder.mkdir()
        with pytest.raises(RuntimeError, match="stumbled"):
            [*here.map(jobs.stumble, here.share(jobs.Clumsy(folder, 9, False)), range(6))]
        assert len([*folder.iterdir()]) == 1


def test_a_generator_runs_step_by_step(workers: Workers) -> None:
    assert [*workers.iterate(jobs.count_up, workers.share(10), 4)] == [10, 11, 12, 13]
    some = workers.iterate(jobs.count_up, workers.share(10), 10**9)
    assert next(some) == 10
    some.close()  # and the worker is free again
    assert [*workers.map(jobs.pick, workers.share(np.arange(3)), range(3))] == [0, 1, 2]


def test_errors_of_a_generator(elsewhere: Workers) -> None:
    some = elsewhere.iterate(jobs.fail_midway, elsewhere.share(None), 5)
    assert [next(some), next(some)] == [0, 1]
    with pytest.raises(KeyError, match="midway"):
        next(some)
    some = elsewhere.iterate(jobs.die_midway, elsewhere.share(None), 5)
    assert [next(some), next(some)] == [0, 1]
    with pytest.raises(WorkerLost):
        next(some)


def test_arrays_are_not_copied(elsewhere: Workers) -> None:
    shared = elsewhere.share(np.arange(10**6))
    assert all(elsewhere.map(jobs.is_read_only, shared, range(4)))


def test_work_that_is_not_wanted_any_more_is_stopped(elsewhere: Workers) -> None:
    results = elsewhere.run(jobs.sleep, elsewhere.share(None), [0.0, 600.0, 600.0, 600.0])
    assert next(results) == (0, 0.0)
    results.close()
    assert [*elsewhere.map(jobs.pick, elsewhere.share(np.arange(3)), range(3))] == [0, 1, 2]


def test_what_cannot_be_sent_is_said(opened: dict[str, Workers]) -> None:
    with pytest.raises(InputError, match=r"cannot be sent to other processes: .*define functions"):
        opened["processes"].share(lambda: 3)
