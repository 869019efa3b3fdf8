"""What every training tells: of each iteration, and of itself in the heuristic's file."""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch

from phil.learning.validation import Reference


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
    expansions: Sequence[int], unsolvable: int, reference: Reference
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
