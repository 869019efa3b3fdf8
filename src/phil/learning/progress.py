"""What every training tells: of each iteration, in its log, and in the heuristic's file."""

from __future__ import annotations

import json
import math
import platform
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

from phil.errors import InputError
from phil.files import write_atomic
from phil.learning.validation import ClassicalCosts


@dataclass(frozen=True)
class PartSeconds:
    """What an iteration took, by part, in seconds of the one core that a candidate uses."""

    rollout: float = 0.0
    learning: float = 0.0
    validation: float = 0.0


@dataclass(frozen=True)
class Iteration:
    """What training reports after each iteration of a candidate."""

    number: int  # of all iterations, counted from 1
    total: int
    candidate: str
    steps: int  # Adam steps of this candidate so far
    loss: float
    validation: float | None  # mean expansions of this iteration, where it was validated
    best: float | None  # the best so far, of all candidates
    classical: float  # the best classical method on the same problems
    classical_name: str
    shortest: float  # the limit: what the oracle expands
    seconds: float  # since training began
    part_seconds: PartSeconds = field(default_factory=PartSeconds)  # of this iteration
    distances: int = 0  # of the oracle that this iteration added to what is learned from


Report = Callable[[Iteration], None]


@dataclass(frozen=True)
class Run:
    """How a plan is carried out: where files go, and who is told."""

    output: Path | None = None
    resume: bool = False
    workers: int = 1
    report: Report | None = None
    began: float = field(default_factory=time.monotonic)

    def beside(self, suffix: str) -> Path | None:
        """A file beside the heuristic's, if there is one."""
        if self.output is None:
            return None
        return self.output.with_name(self.output.name + suffix)


class Progress:
    """Tells of a run's iterations: a line each in the log, and a call of `report`.

    `kept` are the steps of each candidate that a resumed run does not do again; `number` counts
    their iterations.
    """

    def __init__(
        self,
        run: Run,
        costs: ClassicalCosts,
        *,
        kept: Mapping[str, int] | None = None,
        number: int = 0,
    ) -> None:
        self._run = run
        self._costs = costs
        self._number = number
        path = run.beside(".log.jsonl")
        self._log = None if path is None else Log(path)
        if self._log is not None:
            self._log.begin(kept or {})

    def log(self, **facts: Any) -> Iteration:
        """Write down the iteration that comes next; `facts` are what only the method knows."""
        iteration = Iteration(
            number=self._number + 1,
            classical=self._costs.classical,
            classical_name=self._costs.classical_name,
            shortest=self._costs.shortest,
            seconds=time.monotonic() - self._run.began,
            **facts,
        )
        if self._log is not None:
            self._log.write(asdict(iteration))
        return iteration

    def report(self, iteration: Iteration) -> None:
        """Count an iteration that is kept, and tell whoever wants to know."""
        self._number = iteration.number
        if self._run.report is not None:
            self._run.report(iteration)


def versions() -> dict[str, str]:
    """The versions of what a trained heuristic depends on."""
    return {
        "phil": version("phil-search"),
        "torch": torch.__version__,
        "python": platform.python_version(),
    }


class Log:
    """A file with one JSON object per line and iteration; it survives a crash between any two."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def begin(self, steps: Mapping[str, int]) -> None:
        """Keep the lines of a run up to the steps that each candidate has done."""
        lines: list[str] = []
        if steps and self._path.exists():
            lines = self._path.read_text().splitlines(keepends=True)
        write_atomic(self._path, "".join(line for line in lines if _is_done(line, steps)).encode())

    def write(self, row: dict[str, Any]) -> None:
        """Add a line; a number that is not finite becomes null."""
        clean = {
            key: None if isinstance(value, float) and not math.isfinite(value) else value
            for key, value in row.items()
        }
        try:
            with open(self._path, "a") as stream:
                stream.write(json.dumps(clean) + "\n")
        except OSError as error:
            raise InputError(f"cannot write {self._path}: {error.strerror or error}") from error


def _is_done(line: str, steps: Mapping[str, int]) -> bool:
    """Whether a line is whole and of an iteration that a resumed run will not do again."""
    try:
        row = json.loads(line)
        return bool(row["steps"] <= steps.get(row["candidate"], 0))
    except (ValueError, KeyError, TypeError):
        return False
