"""Every reader of files with files that are damaged, lie or make no sense."""

from __future__ import annotations

import base64
import gc
import os
import re
import resource
import signal
import tempfile
import time
import warnings
import zlib
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import phil.memory
from phil.errors import InputError
from tests.campaign.mutation import Files, generated, mutated
from tests.campaign.part import Budget, Part, Report
from tests.campaign.readers import Reader, readers, save

FREE = 2**28  # bytes of memory that readers are told are free
ALLOWED = 2**29  # bytes beyond those in use before the attack
LONGEST = 5.0  # seconds of computing for one input
START = 900.0  # seconds until the first sign of life: kernels may have to be compiled
SILENCE = 60.0  # seconds without a sign of life after which the process is ended
LONGEST_MESSAGE = 2000  # characters
MOST_KEPT = 400  # inputs per reader from which others are made
MOST_FAULTS = 20
TURN = 0.2  # seconds for one reader before the next one's turn
FOLDER = "/dev/shm" if os.path.isdir("/dev/shm") else None  # in memory


class Hang(BaseException):
    """An input took too long; not an `Exception`, so that no reader catches it."""


def attack(attacks: Sequence[Attack], budget: Budget, alive: Callable[[Report], None]) -> Report:
    """Read changed files until the time is up; `alive` is called now and then."""
    report = Report()
    while not report.counts or (budget.left and len(report.faults) < MOST_FAULTS):
        for one in attacks:
            until = time.monotonic() + TURN
            while time.monotonic() < until:
                fault = one.next()
                report.counts[one.reader.name] += 1
                if fault is not None:
                    report.faults.append(fault)
            alive(report)
    return report


class Attack:
    """The inputs for one reader: those that gave something new are changed further."""

    def __init__(self, reader: Reader, seed: int, folder: str) -> None:
        self.reader = reader
        self._random = Random(f"{reader.name} {seed}")
        self._seeds = list(reader.seeds)
        self._kept = list(reader.seeds)
        self._known: set[str] = set()
        prefix = re.sub(r"\W", "_", reader.name)
        self._folder = Path(tempfile.mkdtemp(prefix=f"{prefix}-", dir=folder))
        self._saved: Files = {}
        for files in reader.seeds:
            self._try(files)

    def next(self) -> str | None:
        """Read another input; returns the fault, if it is a new one."""
        random = self._random
        if random.random() < 0.1:
            files = generated(random, self._seeds)
        else:
            pool = self._seeds if random.random() < 0.3 else self._kept
            files = mutated(random, random.choice(pool), self._kept)
        found, is_fault = self._try(files)
        if found in self._known:
            return None
        self._known.add(found)
        if is_fault:
            return f"{self.reader.name}: {found}; the files are {shown(files)}"
        if len(self._kept) < MOST_KEPT:
            self._kept.append(files)
        return None

    def _try(self, files: Files) -> tuple[str, bool]:
        """What an input gave, without its details, and whether that is a fault."""
        path = save(self._folder, files, self._saved)
        self._saved = files
        signal.setitimer(signal.ITIMER_PROF, LONGEST)
        try:
            found = self.reader.read(path)
            kind = f"{type(found).__name__} {_bare(repr(found)[:200])}"
            self.reader.check(found)
        except InputError as error:
            message = str(error)
            if not message.isprintable() or len(message) > LONGEST_MESSAGE:
                return f"a message that is long or not printable: {_place(error)}", True
            return f"{_place(error)} {_bare(message)}", False
        except (Exception, Hang) as error:
            return f"{type(error).__name__} {_bare(str(error))[:300]} at {_place(error)}", True
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        return kind, False


def shown(files: Files) -> str:
    """Files as text from which `restored` makes them again."""
    return repr({name: base64.b85encode(zlib.compress(data)) for name, data in files.items()})


def restored(text: str) -> Files:
    """The files in the text of a fault."""
    import ast

    packed: dict[str, bytes] = ast.literal_eval(text)
    return {name: zlib.decompress(base64.b85decode(data)) for name, data in packed.items()}


def _place(error: BaseException) -> str:
    """Where an error was raised."""
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    return "" if step is None else f"{step.tb_frame.f_code.co_filename}:{step.tb_lineno}"


def _bare(text: str) -> str:
    """A message without numbers, names and paths."""
    return re.sub(r"'[^']*'|\"[^\"]*\"|/\S+|[-\d.]+", "_", text)


def stop(signum: int, frame: FrameType | None) -> None:
    """The handler of the signal that an input took too long."""
    raise Hang


def _limit_memory() -> None:
    """Make this process one with little memory: what readers do not check first, fails."""
    phil.memory.available_bytes = lambda: FREE
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + ALLOWED
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def work(budget: Budget, folder: str, connection: Connection) -> None:
    """Attack in this process, and send reports."""
    warnings.simplefilter("error")
    signal.signal(signal.SIGPROF, stop)
    attacks = [Attack(reader, budget.seed, folder) for reader in readers()]
    _limit_memory()  # all that readers need is loaded now
    connection.send(attack(attacks, budget, connection.send))
    connection.close()


def run(budget: Budget) -> Report:
    """Attack in a process of its own, which may die; then another one goes on."""
    total = Report()
    number = 0
    while budget.left and len(total.faults) < MOST_FAULTS:
        seconds = budget.seconds - (time.monotonic() - budget.began)
        total.add(_in_process(Budget(seconds, budget.seed + 1000 * number)))
        number += 1
    return total


def _in_process(budget: Budget) -> Report:
    spawn = get_context("spawn")
    receiver, sender = spawn.Pipe(duplex=False)
    report, silent = Report(), False
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        process = spawn.Process(target=work, args=(budget, folder, sender))
        process.start()
        sender.close()
        try:
            silent = not receiver.poll(START)
            while not silent:
                report = receiver.recv()
                silent = not receiver.poll(SILENCE)
        except EOFError:
            pass
        if silent:
            process.kill()
        process.join()
        if process.exitcode:
            how = "was silent for too long" if silent else f"ended with {process.exitcode}"
            fault = f"the process {how}: seed {budget.seed}, {dict(report.counts)}"
            report.faults.append(f"{fault}; {_last_files(Path(folder))}")
    return report


def _last_files(folder: Path) -> str:
    """The reader whose files were written last, and these files."""
    written = [path for path in folder.rglob("*") if path.is_file()]
    if not written:
        return "no files were read"
    last = max(written, key=lambda path: path.stat().st_mtime_ns).relative_to(folder).parts[0]
    own = [path for path in written if path.relative_to(folder).parts[0] == last]
    files = {str(path.relative_to(folder / last)): path.read_bytes() for path in own}
    return f"last, {last} read the files {shown(files)}"


def reproduce(name: str, text: str) -> Any:
    """Read the files of a fault again, to see it."""
    reader = next(reader for reader in readers() if reader.name == name)
    with tempfile.TemporaryDirectory() as folder:
        found = reader.read(save(Path(folder), restored(text)))
        reader.check(found)
        return found


PART = Part(
    name="fuzz",
    title="Files that are damaged or malicious",
    about=(
        "Every reader is given files that were made from valid ones: with bytes, words, lines, "
        "numbers and parts of containers changed, left out, repeated or exchanged (with checksums "
        "made right again), packed, cut, and drawn anew from the words of a format. Inputs that "
        "give something new are changed further. Each gives a result or one `InputError` with a "
        "short printable message, within seconds and with little memory; graphs and heuristics "
        "that are read are sound, and are searched."
    ),
    unit="files",
    run=run,
)
