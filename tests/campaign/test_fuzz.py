"""The attack on readers finds no fault, and finds those that are planted."""

from __future__ import annotations

import signal
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from phil.errors import InputError
from tests.campaign import fuzz
from tests.campaign.part import SECONDS, Budget, Report
from tests.campaign.readers import Reader, readers

SEED = {"a.txt": b"one 1\ntwo 2\n"}


@pytest.mark.slow
def test_some_seconds() -> None:
    report = fuzz.run(Budget(SECONDS))
    assert not report.faults
    assert report.counts.keys() == {reader.name for reader in readers()}
    assert min(report.counts.values()) > 0


def warn(path: Path) -> None:
    if b"two" not in path.read_bytes():
        warnings.warn("missing", RuntimeWarning, stacklevel=1)


def crash(path: Path) -> int:
    return len(path.read_bytes().split(b"\n")[1].split()[1])


def shout(path: Path) -> None:
    raise InputError(path.read_bytes().decode("latin-1"))


def hang(path: Path) -> None:
    data = path.read_bytes()
    while data.count(b"2") != 1:
        pass


def swell(path: Path) -> int:
    numbers = [word for word in path.read_bytes().split() if word.isdigit()]
    return np.zeros(int(numbers[-1][:12])).size


def accept(path: Path) -> bytes:
    return path.read_bytes()


def refuse(found: bytes) -> None:
    assert b"1" in found


@pytest.fixture(autouse=True)
def _limits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(fuzz, "LONGEST", 0.2)
    before = signal.signal(signal.SIGPROF, fuzz.stop)
    yield
    signal.signal(signal.SIGPROF, before)


@pytest.mark.parametrize(
    ("reader", "words"),
    [
        (Reader("planted", [SEED], warn), "RuntimeWarning missing"),
        (Reader("planted", [SEED], crash), "IndexError"),
        (Reader("planted", [SEED], shout), "a message that is long or not printable"),
        (Reader("planted", [SEED], hang), "Hang"),
        (Reader("planted", [SEED], swell), "MemoryError"),
        (Reader("planted", [SEED], accept, refuse), "AssertionError"),
    ],
    ids=lambda value: value.read.__name__ if isinstance(value, Reader) else None,
)
def test_planted_faults_are_found(tmp_path: Path, reader: Reader, words: str) -> None:
    attacks = [fuzz.Attack(reader, 0, str(tmp_path))]
    report = fuzz.attack(attacks, Budget(3), lambda report: None)
    assert any(words in fault for fault in report.faults)
    files = fuzz.restored(report.faults[0].split("the files are ")[1])
    assert list(files) == ["a.txt"]


def test_the_same_seed_gives_the_same_files(tmp_path: Path) -> None:
    def seen(seed: int) -> list[bytes]:
        read: list[bytes] = []
        reader = Reader("planted", [SEED], lambda path: read.append(path.read_bytes()))
        attack = fuzz.Attack(reader, seed, str(tmp_path))
        for _ in range(50):
            attack.next()
        return read

    assert seen(1) == seen(1) != seen(2)


@pytest.mark.parametrize("end", ["dies", "is silent"])
def test_a_process_that_ends_is_a_fault(monkeypatch: pytest.MonkeyPatch, end: str) -> None:
    work: Callable[..., None] = _die if end == "dies" else _sleep
    monkeypatch.setattr(fuzz, "work", work)
    if end == "is silent":
        monkeypatch.setattr(fuzz, "START", 1.0)
    monkeypatch.setattr(fuzz, "MOST_FAULTS", 1)
    report: Report = fuzz.run(Budget(60))
    assert len(report.faults) == 1
    assert ("ended with 7" if end == "dies" else "silent for too long") in report.faults[0]
    if end == "dies":
        assert "last, planted-" in report.faults[0]
        assert fuzz.restored(report.faults[0].split("read the files ")[1]) == SEED


def _die(budget: Budget, folder: str, *_: object) -> None:
    fuzz.Attack(Reader("planted", [SEED], accept), 0, folder)
    raise SystemExit(7)


def _sleep(*_: object) -> None:
    signal.pause()
