"""How training runs report their iterations: to a callback, and to a log file."""

from __future__ import annotations

import json
import math
import platform
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import torch

from phil.errors import InputError
from phil.files import append, write_atomic
from phil.heuristics.own import MakeNetwork
from phil.learning.objective import Measure
from phil.learning.validation import ClassicalCosts
from phil.workers import Workers
from phil.workers.local import LocalWorkers


@dataclass(frozen=True)
class PartSeconds:
    """The CPU time of an iteration's parts, in seconds (a candidate uses one core)."""

    rollout: float = 0.0
    learning: float = 0.0
    validation: float = 0.0


@dataclass(frozen=True)
class Iteration:
    """What training reports after each iteration of a candidate, and after rounds of tuning.

    Attributes
    ----------
    number : int
        Counted from 1, over all candidates and the rounds of tuning.
    total : int
        The number of iterations at most, with further candidates and tuning.
    candidate : str
        The network that is trained.
    steps : int
        Adam steps of this candidate so far; in tuning, generations.
    loss : float
        The loss; in tuning, the geometric mean of the costs on training problems.
    validation : float
        The mean cost on the validation problems; None if it was not measured.
    best : float
        The best so far, over all candidates.
    classical, classical_name
        The mean cost of the best classical method, and its name.
    shortest : float
        The mean expansions of the oracle, the lower limit.
    seconds : float
        The time since training began.
    part_seconds : PartSeconds
        The time of this iteration's parts.
    distances : int
        The labels from the oracle that this iteration added to the data set.
    stage : {"imitation", "tuning"}
        The stage of the run.
    measure : str
        What costs are measured in, such as "expansions".
    left : float
        The seconds that the rest of the run will take; None if that is not known.
    """

    number: int
    total: int
    candidate: str
    steps: int
    loss: float
    validation: float | None
    best: float | None
    classical: float
    classical_name: str
    shortest: float
    seconds: float
    part_seconds: PartSeconds = field(default_factory=PartSeconds)
    distances: int = 0
    stage: Literal["imitation", "tuning"] = "imitation"
    measure: Measure = "expansions"
    left: float | None = None


Report = Callable[[Iteration], None]


@dataclass(frozen=True)
class RunOptions:
    """How a plan is carried out: output file, workers, and progress callback."""

    output: Path | None = None
    resume: bool = False
    workers: Workers = field(default_factory=LocalWorkers)
    report: Report | None = None
    network: MakeNetwork | None = None  # of the user's own
    began: float = field(default_factory=time.monotonic)

    def beside(self, suffix: str) -> Path | None:
        """The path next to the output file, with a suffix; None without an output file."""
        if self.output is None:
            return None
        return self.output.with_name(self.output.name + suffix)


class Pace:
    """How long steps take, measured from now on; `done` of them were done before."""

    def __init__(self, done: int = 0) -> None:
        self._done = done
        self._since = time.monotonic()

    def seconds(self, done: int) -> float:
        """The seconds per step, of which `done` are done now."""
        return (time.monotonic() - self._since) / max(1, done - self._done)


class Progress:
    """Reports the iterations of a run: a line each in the log, and a call of `report`.

    For a resumed run, `kept` has the Adam steps of each candidate that were done before, and
    `number` the iterations.
    """

    def __init__(
        self,
        run: RunOptions,
        costs: ClassicalCosts,
        *,
        kept: Mapping[str, int] | None = None,
        number: int = 0,
    ) -> None:
        self._run = run
        self._costs = costs
        self._number = number
        self.pace = Pace(number)
        path = run.beside(".log.jsonl")
        self._log = None if path is None else Log(path)
        if self._log is not None:
            self._log.begin(kept or {})

    def log(self, **facts: Any) -> Iteration:
        """Log the next iteration; `facts` are the fields that the method fills in."""
        iteration = Iteration(
            number=self._number + 1,
            classical=self._costs.classical,
            classical_name=self._costs.classical_name,
            shortest=self._costs.shortest,
            seconds=time.monotonic() - self._run.began,
            **facts,
        )
        if iteration.left is None:
            steps = iteration.total - iteration.number
            iteration = replace(iteration, left=steps * self.pace.seconds(iteration.number))
        if self._log is not None:
            self._log.write(asdict(iteration))
        return iteration

    def begin_stage(self) -> None:
        """Measure the pace anew, since iterations of another kind follow."""
        self.pace = Pace(self._number)

    def report(self, iteration: Iteration) -> None:
        """Count a completed iteration, and report it."""
        self._number = iteration.number
        if self._run.report is not None:
            self._run.report(iteration)


def versions() -> dict[str, str]:
    """The versions of the software that a trained heuristic depends on."""
    return {
        "phil": version("phil-search"),
        "torch": torch.__version__,
        "python": platform.python_version(),
    }


class Log:
    """A JSON lines file with one object per iteration, which survives crashes."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def begin(self, steps: Mapping[str, int]) -> None:
        """Keep only the lines up to the steps that each candidate has completed, numbered anew."""
        lines: list[bytes] = []
        if steps:
            try:
                lines = self._path.read_bytes().splitlines(keepends=True)
            except FileNotFoundError:
                pass  # somebody has removed it: it begins anew
            except OSError as error:
                raise InputError(f"cannot read {self._path}: {error.strerror or error}") from error
        done = [row for line in lines if (row := _done(line, steps)) is not None]
        numbered = [row | {"number": number} for number, row in enumerate(done, 1)]
        write_atomic(self._path, b"".join(map(_line, numbered)))

    def write(self, row: dict[str, Any]) -> None:
        """Append a line, down to the disk; numbers that are not finite become null."""
        clean = {
            key: None if isinstance(value, float) and not math.isfinite(value) else value
            for key, value in row.items()
        }
        append(self._path, _line(clean))


def _line(row: Mapping[str, Any]) -> bytes:
    return (json.dumps(row) + "\n").encode()


def _done(line: bytes, steps: Mapping[str, int]) -> dict[str, Any] | None:
    """The row of a line that is complete and whose iteration will not be repeated."""
    try:
        row: dict[str, Any] = json.loads(line)
        is_done = row["steps"] <= steps.get(row["candidate"], 0)
        return row if is_done and line.endswith(b"\n") else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
