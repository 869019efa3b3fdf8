"""Some seconds of load find nothing, and would find what grows or differs."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

from phil.search import Result, search_many
from tests.campaign import load
from tests.campaign.part import SECONDS, Budget, Report
from tests.campaign.watch import OWN, Watch

pytestmark = pytest.mark.skipif(not OWN.exists(), reason="what processes hold is read from /proc")

ROWS = 5


@pytest.mark.slow
def test_some_seconds() -> None:
    report = load.PART.run(Budget(SECONDS))
    assert not report.faults
    assert len(report.counts) == ROWS


def faults_with_a_leak() -> list[str]:
    """What queries report, each of which leaves a kilobyte behind."""
    kept: list[bytearray] = []
    digest = load.digest

    def leaking(results: Sequence[Result]) -> list[bytes]:
        kept.extend(bytearray(1024) for _ in results)
        return digest(results)

    load.digest = leaking
    return [*load.queries(Budget(0), Report())]


@pytest.mark.slow
def test_a_kilobyte_per_query_is_found() -> None:
    # In a process of its own, which has no memory left over from other tests.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        [fault] = pool.submit(faults_with_a_leak).result()
    assert fault.startswith("this process, 60 batches of queries: megabytes grew from")


def test_other_results_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*given: Any, threads: int, **options: Any) -> list[Result]:
        found = search_many(*given, threads=threads, **options)
        return found if threads == 1 else found[::-1]

    monkeypatch.setattr(load, "search_many", wrong)
    assert "two threads give other results" in next(load.queries(Budget(0), Report()))


@pytest.mark.parametrize("moment", [(0.5, 0, 0), (0.0, 1, 0), (0.0, 0, 1)])
def test_what_grows_is_found(moment: tuple[float, int, int]) -> None:
    growing = [(moment[0] * k, moment[1] * k, moment[2] * k) for k in range(120)]
    assert len([*Watch(growing).growth()]) == 1
    settled = growing[:40] + growing[39:40] * 80
    assert not [*Watch(settled).growth()]
