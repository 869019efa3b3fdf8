"""What every training tells: of each iteration, in its log, and in the heuristic's file."""

from __future__ import annotations

import json
import math
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
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


def versions() -> dict[str, str]:
    """The versions of what a trained heuristic depends on."""
    return {
        "phil": version("phil-search"),
        "torch": torch.__version__,
        "python": platform.python_version(),
    }


def validation_record(
    expansions: Sequence[int], unsolvable: int, reference: ClassicalCosts
) -> dict[str, Any]:
    """How a heuristic scored on the validation problems, and what they cost without learning."""
    found = np.array(expansions)
    return {
        "problems": int(found.size),
        "unsolvable": unsolvable,
        "expansions": {
            "mean": float(found.mean()),
            "median": float(np.median(found)),
            "max": int(found.max()),
        },
        "classical": {"method": reference.classical_name, "mean": reference.classical},
        "shortest_path": reference.shortest,
    }


def beside(output: Path, suffix: str) -> Path:
    """The file beside a heuristic's file that a training writes."""
    return output.with_name(output.name + suffix)


class Log:
    """A file of JSON lines that survives a crash between any two of them."""

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
