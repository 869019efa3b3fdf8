"""Some seconds of full disks find nothing, and would find what is unclear, left or lost."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from phil.errors import InputError
from tests.campaign import full_disk, strikes
from tests.campaign.part import SECONDS, Budget
from tests.campaign.writers import Writer, writers

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs fork and /proc")


@pytest.mark.slow
def test_some_seconds() -> None:
    report = full_disk.PART.run(Budget(SECONDS))
    assert not report.faults
    assert len(report.counts) == len(full_disk.ERRORS) * len(writers())


def trace_back(folder: Path) -> None:
    (folder / "file").write_bytes(b"")


def leave_behind(folder: Path) -> None:
    temporary = folder / ".file.0123456789abcdef.tmp"
    try:
        temporary.write_bytes(b"new")
        temporary.rename(folder / "file")
    except OSError as error:
        raise InputError("it did not work") from error


def pretend(folder: Path) -> None:
    try:
        (folder / "file").write_bytes(b"new")
    except OSError:
        (folder / "file").unlink(missing_ok=True)


def careless() -> Sequence[Writer]:
    return tuple(
        Writer(write.__name__, write, write) for write in (trace_back, leave_behind, pretend)
    )


@pytest.mark.slow
def test_careless_writers_are_found() -> None:
    report = strikes.attack(full_disk.rows, full_disk.faults, Budget(60), careless)
    for fault in (
        "trace_back: No space left on device before operation 1 (open): ended with 1: Traceback",
        "leave_behind: Disk quota exceeded before operation 3 (rename): the message does not say",
        "leave_behind: Disk quota exceeded before operation 3 (rename): leaves .file.0123456789abc",
        "pretend: Input/output error half-way through operation 2 (write): claims to be done, but",
        "pretend: Permission denied before operation 1 (open): claims to be done, but",
    ):
        assert any(found.startswith(fault) for found in report.faults), fault
