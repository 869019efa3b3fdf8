"""Some seconds of kills find nothing, and would find what is lost."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.campaign import kills, strikes
from tests.campaign.part import SECONDS, Budget
from tests.campaign.writers import Writer, writers

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs fork and /proc")


@pytest.mark.slow
def test_some_seconds() -> None:
    report = kills.PART.run(Budget(SECONDS))
    assert not report.faults
    assert len(report.counts) == 2 * len(writers())


def in_place(folder: Path) -> None:
    (folder / "file").write_bytes(b"a new file")


def remove_first(folder: Path) -> None:
    (folder / "file").unlink()
    (folder / "file").write_bytes(b"a new file")


def count_runs(folder: Path) -> None:
    done = len([*folder.glob("run-*")])
    (folder / f"run-{done}").mkdir()
    (folder / f"run-{done}" / "file").write_bytes(b"")


def careless() -> Sequence[Writer]:
    return (
        Writer("in place", in_place, in_place, ("file",)),
        Writer("remove first", remove_first, in_place, ("file",)),
        Writer("count runs", count_runs, count_runs),
    )


@pytest.mark.slow
def test_careless_writers_are_found() -> None:
    report = strikes.attack(kills.rows, kills.faults, Budget(60), careless)
    whole = "file is neither the old file nor a new one"
    for fault in (
        f"in place: killed before operation 2 (write): {whole}",
        f"in place: killed half-way through operation 2 (write): {whole}",
        "remove first: killed before operation 2 (open): file is gone",
        "count runs: killed before operation 2 (open): other files than those of an undisturbed",
    ):
        assert any(found.startswith(fault) for found in report.faults), fault
    assert not any("operation 1 " in found for found in report.faults)
