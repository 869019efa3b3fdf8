"""The method `own`: Algorithm 1 with a network of the user's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from phil.errors import InputError, unknown_name
from phil.heuristics.file import OWN, LearnedHeuristic, write_heuristic
from phil.learning.algorithm import imitate
from phil.learning.defaults import Default, resolve_settings
from phil.learning.one_thread import one_thread
from phil.learning.own.learner import OwnLearner
from phil.learning.plan import Plan
from phil.learning.progress import Progress, RunOptions, versions
from phil.learning.registry import LearningMethod
from phil.learning.settings import TrainingSettings
from phil.learning.validation import Validation
from phil.problems.problem import ProblemSet

# The settings that mean something whatever the network; the others describe PHIL's own, or let
# several of those compete.
MEANINGFUL = (
    "search",
    "mean",
    "objective",
    "unit",
    "dead_ends",
    "horizon",
    "beta",
    "handover",
    "stop_at_goal",
    "iterations",
    "rollouts",
    "steps",
    "batch",
    "nodes",
    "learning_rate",
    "decay",
    "clip",
    "underestimates",
    "ranking",
    "ranking_size",
    "ranking_rate",
    "temperature",
    "average",
    "validate_every",
    "validation",
    "patience",
)


def resolve(
    problems: ProblemSet, preset: str, changes: Mapping[str, Any], features: str
) -> tuple[TrainingSettings, tuple[Default, ...]]:
    """PHIL's settings for the problems, as far as they mean anything for another network."""
    if preset != "best":
        raise InputError(
            f"the preset '{preset}' is of PHIL's own network; leave it out to train yours"
        )
    for name in changes:
        if name in MEANINGFUL:
            continue
        if name in TrainingSettings.model_fields:
            raise InputError(
                f"setting {name} is of PHIL's own network and means nothing for yours; there are: "
                f"{', '.join(MEANINGFUL)}"
            )
        raise unknown_name("setting", name, MEANINGFUL)
    settings, derived = resolve_settings(problems, preset, changes, features)
    return settings, tuple(each for each in derived if each.name in MEANINGFUL)


def train_own(plan: Plan[TrainingSettings], run: RunOptions) -> LearnedHeuristic:
    """Train a network of the user's own; keeps the iteration that is best in validation."""
    if run.network is None:
        raise InputError("method 'own' trains a network of yours; pass its class as network=")
    settings = plan.settings
    validation = Validation(plan.validation, settings.cost)
    with one_thread():
        learner = OwnLearner(run.network, settings, plan.train, plan.seed)
        progress = Progress(run, validation.costs)
        state = learner.state
        for finished in imitate(learner, plan.train, validation):
            progress.report(
                progress.log(
                    total=settings.iterations,
                    candidate=OWN,
                    steps=state.iteration * settings.steps,
                    loss=finished.loss,
                    validation=finished.validation,
                    best=state.best,
                    measure=settings.objective,
                    part_seconds=finished.seconds,
                    distances=sum(rollout.nodes.size for rollout in state.fresh),
                )
            )
        heuristic = learner.best().described(
            training={
                "set": plan.set_name,
                "method": OWN,
                "seed": plan.seed,
                "settings": settings.model_dump(mode="json", include=set(MEANINGFUL)),
                "problems": len(plan.train.problems),
                "unsolvable": plan.train.unsolvable,
                "iteration": state.best_iteration,
                "versions": versions(),
            },
            validation=validation.record(state.best_score),
        )
    if run.output is not None:
        write_heuristic(run.output, heuristic)
    return heuristic


METHOD = LearningMethod(
    title="PHIL with a network of your own",
    settings=TrainingSettings,
    resolve=resolve,
    train=train_own,
)
