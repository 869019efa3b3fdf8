"""Training one heuristic of a table, once, and what is told about it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from phil.evaluation import Method, Solver
from phil.heuristics.registry import read_any
from phil.problems.problem import ProblemSet
from phil.search import GREEDY
from reproduction.legacy.columns import Column


def train_once(
    output: Path,
    problems: ProblemSet,
    column: Column,
    seed: int,
    *,
    quick: bool,
    features: str | None = None,
) -> Path:
    """Train a heuristic unless its file is there; an interrupted training of PHIL goes on."""
    if not output.exists():
        # Here, so that results can be read and compared where torch is not installed.
        from phil.learning import train
        from phil.learning.methods import AUTO

        output.parent.mkdir(parents=True, exist_ok=True)
        train(
            problems,
            method=column.method,
            preset=column.preset,
            seed=seed,
            settings=dict(column.quick if quick else column.settings),
            features=AUTO if features is None else features,
            output=output,
            resume=Path(f"{output}.checkpoint").exists(),
            workers=1,
        )
    return output


def training_json(file: Path) -> dict[str, Any]:
    """What a training took, how it went, and how the heuristic that was kept validated."""
    rows = [json.loads(line) for line in Path(f"{file}.log.jsonl").read_text().splitlines()]
    return {
        # Of one core: a part never has more.
        "training_seconds": round(sum(sum(row["part_seconds"].values()) for row in rows), 1),
        "curve": [
            [row["number"], row["validation"]] for row in rows if row["validation"] is not None
        ],
        "loss": [[row["number"], round_to(row["loss"])] for row in rows],
        "validation": read_any(file).metadata.validation,
    }


def training_summary(part: Mapping[str, Any]) -> dict[str, Any]:
    """What a table keeps of a training, from the part that did it (see `training_json`)."""
    return {
        "seed": part["seed"],
        "seconds": part["training_seconds"],
        "validation": part["validation"]["expansions"]["mean"],
        "curve": part["curve"],
        "loss": part["loss"],
    }


def trained_method(column: Column, file: Path) -> Solver:
    """Greedy search by a trained heuristic, under the name of its column."""
    return Method(column.name, GREEDY, read_any(file, column.name))


def round_to(value: float | None, digits: int = 4) -> float | None:
    """A number with so many digits that count, for files that stay small.

    >>> round_to(0.00123456)
    0.001235
    """
    return None if value is None else float(f"{value:.{digits}g}")
