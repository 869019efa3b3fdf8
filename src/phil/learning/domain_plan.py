"""The plan of a training run on a domain: everything is fixed and explored before it starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from phil.errors import InputError
from phil.heuristics.registry import load_heuristic
from phil.heuristics.scaling import Scaling, divisors
from phil.learning.defaults import Default
from phil.learning.lessons import Lessons
from phil.learning.oracle import OracleProblems, SolvableProblems, network_settings
from phil.learning.plan import AUTO, Candidate, Plan
from phil.learning.settings import ON_DOMAINS, TrainingSettings, check_names, training_settings
from phil.problems.domain import Domain
from phil.text import visible

SAMPLE = 500  # problems whose starts and goals the scaling of features is measured on

# The settings that must have a certain value, and why.
FIXED = {
    "neighbors": (0, "training knows only some of the neighbours of a node"),
    "candidates": (1, "one network is trained"),
    "tune": (0, "tuning needs graphs that are known in full"),
    "tune_seconds": (0, "tuning needs graphs that are known in full"),
}


@dataclass(frozen=True)
class DomainPlan(Plan[TrainingSettings]):
    """Everything that determines a training run on a domain; `train` has its first problems."""

    lessons: Lessons[Any] | None = None
    trials: tuple[tuple[Any, Any], ...] = ()  # start and goal of the validation problems

    def __str__(self) -> str:
        return (
            f"PHIL, seed {self.seed}: {self.settings.rounds} rounds, "
            f"{len(self.train.problems)} training problems in the first, "
            f"{len(self.trials)} validation problems"
        )


def plan_for_domain(
    domain: Domain[Any],
    *,
    method: str = "phil",
    preset: str = "best",
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    features: str = AUTO,
) -> DomainPlan:
    """Fix everything that a training run depends on, and explore; arguments as of `phil.train`."""
    if seed < 0:
        raise InputError(f"the seed must not be negative, but it is {seed}")
    changes = settings or {}
    chosen = _settings(method, preset, changes, features)
    lessons = Lessons(domain, chosen)
    random = np.random.default_rng([seed, 0])
    trials = tuple(lessons.draw(random) for _ in range(chosen.validation))
    scaling = _scaling(lessons, domain, random, together=chosen.scaling == "together")
    lessons.prepare(random, load_heuristic("zero"))
    train = lessons.oracle()
    defaults = _defaults(train, changes)
    chosen = chosen.model_copy(update={default.name: default.value for default in defaults})
    scaling = scaling.model_copy(update={"distance": train.mean_distance})
    network = network_settings(chosen, train)
    return DomainPlan(
        method=method,
        preset=preset,
        seed=seed,
        settings=chosen,
        defaults=defaults,
        features="",
        set_name=visible(domain.name),
        train=train,
        validation=SolvableProblems((), 0),
        candidates=(
            Candidate(0, network, scaling, "together" if chosen.scaling == "together" else "each"),
        ),
        lessons=lessons,
        trials=trials,
    )


def _settings(
    method: str, preset: str, changes: Mapping[str, Any], features: str
) -> TrainingSettings:
    """All settings; raises `InputError` if some of them are not possible on a domain."""
    if method != "phil":
        raise InputError(f"{method} cannot be trained on a domain; only phil can")
    if preset != "best":
        raise InputError(f"preset {preset}: on a domain, only the preset best can be trained")
    if features not in (AUTO, ""):
        raise InputError(
            f"features {features}: they are computed on a whole graph, so searches on an implicit "
            "graph could not use them; let its own features return what the heuristic should read"
        )
    check_names(preset, changes)
    chosen = training_settings(preset, changes, ON_DOMAINS)
    for name, (value, reason) in FIXED.items():
        if getattr(chosen, name) != value:
            raise InputError(f"setting {name}: on a domain, it must be {value}, since {reason}")
    if chosen.search.startswith("bounded"):
        raise InputError(f"setting search={chosen.search}: on a domain, train for greedy or wastar")
    return chosen


def _defaults(train: OracleProblems, changes: Mapping[str, Any]) -> tuple[Default, ...]:
    """The settings derived from what was explored, unless they are changed."""
    if "temperature" in changes:
        return ()
    graphs = {id(problem.graph): problem.graph for problem in train.problems}.values()
    weights = [graph.arrays.weights for graph in graphs if graph.is_weighted]
    edge = float(np.mean(np.concatenate(weights))) if weights and train.unit == "cost" else 1.0
    return (Default("temperature", float(f"{edge or 1.0:.3g}"), "the mean cost of an edge"),)


def _scaling(
    lessons: Lessons[Any], domain: Domain[Any], random: np.random.Generator, *, together: bool
) -> Scaling:
    """The scaling of features, by their spread over starts and goals of all difficulties.

    The nodes that are explored are not typical: near a goal, some features hardly ever change.
    """
    ends = [lessons.draw(random, random.random()) for _ in range(SAMPLE)]
    rows = np.concatenate([domain.graph.discover(*pair).features for pair in ends])
    spread = rows.std(axis=0, dtype=np.float64)
    if together:
        spread[:] = np.sqrt(np.mean(spread**2))
    return Scaling(
        grid=False,
        centre=tuple(rows.mean(axis=0, dtype=np.float64).tolist()),
        spread=tuple(divisors(spread).tolist()),
        edge_spread=(1.0,) * domain.graph.edge_dim,
    )
