"""What the baselines share: common settings, and the training loop.

A baseline is a module that declares its settings and its learner as `METHOD = baseline(...)`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

from phil.errors import InputError, unknown_name
from phil.heuristics.file import LearnedHeuristic, write_heuristic
from phil.learning.defaults import Default
from phil.learning.objective import Score
from phil.learning.one_thread import one_thread
from phil.learning.oracle import OracleProblems
from phil.learning.plan import Plan
from phil.learning.progress import PartSeconds, Progress, RunOptions, versions
from phil.learning.registry import LearningMethod
from phil.learning.settings import DeadEnds, validated
from phil.learning.validation import Validation
from phil.problems.problem import ProblemSet


class BaselineSettings(BaseModel):
    """The settings of all baselines; the defaults are those that train best."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    unit: ClassVar[Literal["auto"]] = "auto"  # of the oracle's distances
    dead_ends: ClassVar[DeadEnds] = "reverse"

    validation: int = Field(100, ge=1, description="maximum number of validation problems used")


class Baseline(Protocol):
    """A learner of a baseline method."""

    @property
    def iterations(self) -> int:
        """The total number of iterations."""
        ...

    @property
    def distances(self) -> int:
        """The number of labels from the oracle in the data so far."""
        ...

    def iterate(self, number: int) -> float:
        """Run iteration `number`, counted from 1; returns its loss."""
        ...

    def heuristic(self) -> LearnedHeuristic:
        """The heuristic learned so far, with its own copy of the tensors."""
        ...


Begin = Callable[[OracleProblems, Any, int], Baseline]  # training problems, settings, seed


def baseline(
    name: str, title: str, settings: type[BaselineSettings], begin: Begin
) -> LearningMethod:
    """Declare a method by its settings and its learner."""

    def resolve(
        problems: ProblemSet, preset: str, changes: Mapping[str, Any], features: str
    ) -> tuple[BaselineSettings, tuple[Default, ...]]:
        if preset != "best":
            raise InputError(f"{name} has no preset '{preset}'; only phil has presets")
        for change in changes:
            if change not in settings.model_fields:
                raise unknown_name(f"setting of {name}", change, settings.model_fields)
        return validated(settings, changes), ()

    def train(plan: Plan[BaselineSettings], run: RunOptions) -> LearnedHeuristic:
        # A second thread costs these small networks a core and saves hardly any time.
        with one_thread():
            return train_baseline(plan, run, begin(plan.train, plan.settings, plan.seed))

    return LearningMethod(title=title, settings=settings, resolve=resolve, train=train)


def train_baseline(
    plan: Plan[BaselineSettings], run: RunOptions, learner: Baseline
) -> LearnedHeuristic:
    """Iterate, validate, and keep the heuristic that is best on the validation problems."""
    validation = Validation(plan.validation)
    progress = Progress(run, validation.costs)
    best: tuple[Score, int, LearnedHeuristic] | None = None
    distances = 0
    for number in range(1, learner.iterations + 1):
        began = time.thread_time()
        loss = learner.iterate(number)
        learned = time.thread_time()
        heuristic = learner.heuristic()
        score = validation.score(heuristic, math.inf if best is None else best[0].mean)
        if score is not None and (best is None or score.mean < best[0].mean):
            best = score, number, heuristic
        assert best is not None, "the first iteration is always validated completely"
        iteration = progress.log(
            total=learner.iterations,
            candidate=plan.method,
            steps=number,
            loss=loss,
            validation=None if score is None else score.mean,
            best=best[0].mean,
            part_seconds=PartSeconds(
                learning=learned - began, validation=time.thread_time() - learned
            ),
            distances=learner.distances - distances,
        )
        distances = learner.distances
        progress.report(iteration)
    assert best is not None, "there is at least one iteration"
    score, best_number, heuristic = best
    trained = heuristic.described(
        training={
            "set": plan.set_name,
            "method": plan.method,
            "seed": plan.seed,
            "settings": plan.settings.model_dump(mode="json"),
            "problems": len(plan.train.problems),
            "unsolvable": plan.train.unsolvable,
            "directed": plan.train.problems[0].graph.directed,
            "iteration": best_number,
            "versions": versions(),
        },
        validation=validation.record(score),
    )
    if run.output is not None:
        write_heuristic(run.output, trained)
    return trained
