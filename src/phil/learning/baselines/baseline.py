"""The loop that trains every baseline: iterate, validate, keep the best, write it down."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from phil.errors import InputError, unknown_name
from phil.heuristics.file import LearnedHeuristic, write_heuristic
from phil.learning.oracle import OracleProblems, solvable, with_oracle
from phil.learning.progress import (
    Iteration,
    Log,
    PartSeconds,
    Report,
    beside,
    validation_record,
    versions,
)
from phil.learning.validation import classical_costs, expansions_of
from phil.problems.problem import ProblemSet


class BaselineSettings(BaseModel):
    """What the settings of all baselines have in common."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    validation: int = Field(100, ge=1, description="validation problems used, at most")


def baseline_settings(
    kind: type[BaselineSettings], method: str, changes: Mapping[str, Any]
) -> BaselineSettings:
    """The settings of a baseline with some of them changed."""
    for name in changes:
        if name not in kind.model_fields:
            raise unknown_name(f"setting of {method}", name, kind.model_fields)
    try:
        return kind.model_validate(changes)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        raise InputError(f"setting {name}={changes.get(name)}: {first['msg']}") from None


class Baseline(Protocol):
    """A method of learning, at work on some problems."""

    @property
    def iterations(self) -> int:
        """How many there are."""
        ...

    @property
    def distances(self) -> int:
        """Of the oracle, in all that it has learned from so far."""
        ...

    def iterate(self, number: int) -> float:
        """One iteration, counted from 1; its loss, or whatever it minimises."""
        ...

    def heuristic(self) -> LearnedHeuristic:
        """What it has learned so far, with tensors of its own."""
        ...


Begin = Callable[[OracleProblems, Any, int], Baseline]  # with train problems, settings and seed


def train_baseline(
    problems: ProblemSet,
    method: str,
    begin: Begin,
    settings: BaselineSettings,
    *,
    features: str,
    seed: int,
    output: Path | None,
    report: Report | None,
) -> LearnedHeuristic:
    """Train a baseline; of all its iterations, the best on the validation problems is kept.

    `features` were added to the graphs' own.
    """
    began = time.monotonic()
    known = with_oracle(problems.train, "train", features=features)
    judged = solvable(problems.validation[: settings.validation], "validation")
    costs = classical_costs(judged)
    baseline = begin(known, settings, seed)
    log = None if output is None else Log(beside(output, ".log.jsonl"))
    if log is not None:
        log.begin({})
    best: tuple[float, int, LearnedHeuristic, list[int]] | None = None
    known_distances = 0
    for number in range(1, baseline.iterations + 1):
        started = time.thread_time()
        loss = baseline.iterate(number)
        learned = time.thread_time()
        heuristic = baseline.heuristic()
        found = expansions_of(heuristic, judged.problems, best[0] if best else np.inf)
        mean = None if found is None else float(np.mean(found))
        if found is not None and mean is not None and (best is None or mean < best[0]):
            best = mean, number, heuristic, found
        iteration = Iteration(
            number=number,
            total=baseline.iterations,
            candidate=method,
            steps=number,
            loss=loss,
            validation=mean,
            best=best[0] if best else None,
            classical=costs.classical,
            classical_name=costs.classical_name,
            shortest=costs.shortest,
            seconds=time.monotonic() - began,
            part_seconds=PartSeconds(
                learning=learned - started, validation=time.thread_time() - learned
            ),
            distances=baseline.distances - known_distances,
        )
        known_distances = baseline.distances
        if log is not None:
            log.write(asdict(iteration))
        if report is not None:
            report(iteration)
    assert best is not None, "the first iteration is always validated to the end"
    _, chosen, heuristic, found = best
    trained = heuristic.described(
        training={
            "set": problems.name,
            "method": method,
            "seed": seed,
            "settings": settings.model_dump(mode="json"),
            "problems": len(known.problems),
            "unsolvable": known.unsolvable,
            "iteration": chosen,
            "versions": versions(),
        },
        validation=validation_record(found, judged.unsolvable, costs),
    )
    if output is not None:
        write_heuristic(output, trained)
    return trained
