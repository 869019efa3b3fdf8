"""Striking at every operation by which something is written, each in a process of its own."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.numpy import load_file

from phil.errors import InputError
from tests.campaign.faulty_disk import WRITE, FaultyDisk, watch_changes
from tests.campaign.part import Budget, Report
from tests.campaign.writers import OLD, Writer, contents, writers

MOST_SECONDS = 120  # of a process that hangs
DONE, FAILED, REFUSED = 0, 1, 2  # exit codes: refused with an `InputError`
TEMPORARY = re.compile(r"\..+\.[0-9a-f]{16}\.tmp")


@dataclass(frozen=True)
class Case:
    """One operation of a writer that is struck."""

    target: Target
    at: int
    half: bool = False
    error: int | None = None

    @property
    def operation(self) -> str:
        """What is struck."""
        return self.target.operations[self.at - 1]

    def __str__(self) -> str:
        part = "half-way through" if self.half else "before"
        blow = "killed" if self.error is None else os.strerror(self.error)
        return f"{self.target.writer.name}: {blow} {part} operation {self.at} ({self.operation})"


@dataclass(frozen=True)
class Ended:
    """How a process ended: its exit code, or minus the signal that killed it."""

    code: int
    said: str


class Target:
    """A writer, the operations that it takes, and what its folder holds before and after."""

    def __init__(self, writer: Writer, base: Path) -> None:
        self.writer = writer
        self._base = base
        folder = self.folder()
        self.before = contents(folder)
        writer.write(folder)
        self.after = contents(folder)
        shutil.rmtree(folder)
        counted = in_process(self._count)
        assert counted.code == DONE, counted.said
        self.operations: list[str] = json.loads(counted.said)

    def folder(self) -> Path:
        """A new folder, as it is before."""
        folder = Path(tempfile.mkdtemp(dir=self._base))
        for name in self.writer.replaced:
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(OLD)
        return folder

    def cases(self, error: int | None = None) -> list[Case]:
        """Every operation, and every write once more, half of which gets through."""
        numbered = list(enumerate(self.operations, 1))
        whole = [Case(self, at, error=error) for at, _ in numbered]
        return whole + [Case(self, at, True, error) for at, name in numbered if name == WRITE]

    def _count(self) -> str:
        folder = self.folder()
        changed = watch_changes(folder)
        disk = FaultyDisk(folder)
        self.writer.write(folder)
        if not changed or changed - disk.paths:
            raise AssertionError(f"changed, but not counted: {changed - disk.paths}")
        return json.dumps(disk.operations)

    def left(self, folder: Path) -> Iterator[str]:
        """What is wrong with the files that a failure has left."""
        there = contents(folder)
        yield from (f"{name} is gone" for name in self.before if name not in there)
        for name, found in there.items():
            path = folder / name
            if TEMPORARY.fullmatch(path.name) or path.suffix == ".jsonl":
                continue  # the log is appended to, and its last line may be cut off
            if path.suffix == ".json":
                is_whole = not isinstance(found, bytes)
            elif name in self.before or name in self.after:
                is_whole = found in (self.before.get(name), self.after.get(name))
            else:
                is_whole = _is_tensors(path)
            if not is_whole:
                yield f"{name} is neither the old file nor a new one"

    def differs(self, folder: Path) -> str | None:
        """How a folder differs from that of a writer which nothing has struck."""
        found = {
            name: content
            for name, content in contents(folder).items()
            if not _is_litter(folder, Path(name))
        }
        if found == self.after:
            return None
        names = sorted(found.keys() | self.after.keys())
        other = [name for name in names if found.get(name) != self.after.get(name)]
        return f"other files than those of an undisturbed run: {', '.join(other)}"


def _is_tensors(path: Path) -> bool:
    try:
        load_file(path)
    except SafetensorError:
        return False
    return True


def _is_litter(folder: Path, name: Path) -> bool:
    """Whether a file belongs to the checkpoint of a run that was done: it has no record."""
    checkpoint = folder / name.parent
    return checkpoint.suffix == ".checkpoint" and not any(checkpoint.glob("run*.json"))


def strike(case: Case) -> tuple[Path, Ended]:
    """The folder in which an operation was struck, and how the process ended."""
    folder = case.target.folder()

    def write() -> str:
        FaultyDisk(folder, case.at, half=case.half, error=case.error)
        case.target.writer.write(folder)
        return ""

    return folder, in_process(write)


def aftermath(case: Case, folder: Path) -> Iterator[str]:
    """What is wrong with what is left, and after the user has done it again an hour later."""
    yield from case.target.left(folder)
    if (fault := _write_again(case, folder)) is not None:
        yield fault
    shutil.rmtree(folder)


def _write_again(case: Case, folder: Path) -> str | None:
    for path in folder.rglob("*"):
        if TEMPORARY.fullmatch(path.name):
            os.utime(path, (0, 0))

    def again() -> str:
        case.target.writer.again(folder)
        return ""

    ended = in_process(again)
    if ended.code != DONE:
        return f"cannot be done again ({ended.code}): {ended.said}"
    return case.target.differs(folder)


def in_process(action: Callable[[], str]) -> Ended:
    """What an action says in a process that is forked from this one."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code, said = FAILED, ""
        try:
            signal.alarm(MOST_SECONDS)
            warnings.simplefilter("error")
            said = action()
            code = DONE
        except InputError as error:
            code, said = REFUSED, str(error)
        except BaseException:
            said = traceback.format_exc()
        finally:
            os.write(writing, said.encode())
            os._exit(code)
    os.close(writing)
    with open(reading, "rb") as stream:
        said = stream.read().decode()
    return Ended(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said)


Rows = Callable[[Target], Mapping[str, list[Case]]]
Faults = Callable[[Case], Iterator[str]]


def attack(
    rows: Rows,
    faults: Faults,
    budget: Budget,
    attacked: Callable[[], Sequence[Writer]] = writers,
) -> Report:
    """Try all cases, in an order that depends on the seed, for as long as there is time.

    Of each row at least one is tried.
    """
    # A process that has no threads yet can be forked.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_attack, rows, faults, budget, attacked).result()


def _attack(
    rows: Rows, faults: Faults, budget: Budget, attacked: Callable[[], Sequence[Writer]]
) -> Report:
    torch.set_num_threads(1)
    report = Report()
    with tempfile.TemporaryDirectory() as base:
        waiting: dict[str, list[Case]] = {}
        for writer in attacked():
            waiting |= rows(Target(writer, Path(base)))
        for row, cases in waiting.items():
            random.Random(f"{budget.seed} {row}").shuffle(cases)
        while any(waiting.values()):
            for row, cases in waiting.items():
                if cases and (budget.left or not report.counts[row]):
                    case = cases.pop()
                    report.counts[row] += 1
                    report.faults += [f"{case}: {fault}" for fault in faults(case)]
            if not budget.left:
                break
    return report
