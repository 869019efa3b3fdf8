"""The plan of a training: every setting, feature, network and problem, fixed before it begins.

It is made in one place (`make_plan`), announced by the command line and carried out by `train`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, TypeVar

import numpy as np

from phil.errors import InputError
from phil.graphs.features import canonical
from phil.heuristics.phil.specification import NetworkSettings
from phil.heuristics.scaling import Scaling
from phil.learning.defaults import Default, usual_features
from phil.learning.oracle import (
    OracleProblems,
    SolvableProblems,
    network_settings,
    scaling_of,
    solvable,
    with_oracle,
)
from phil.learning.registry import load_method
from phil.learning.settings import TrainingSettings
from phil.problems.problem import ProblemSet

AUTO = "auto"

S = TypeVar("S")


@dataclass(frozen=True)
class Candidate:
    """One of the networks that PHIL trains and chooses from."""

    number: int
    network: NetworkSettings
    scaling: Scaling
    scaled: Literal["together", "each"]  # features of a group
    caution: float = 0.0  # toll of the oracle that it imitates (see `phil.learning.caution`)

    @property
    def title(self) -> str:
        """Its name in reports, counted from 1."""
        return self.title_of(self.number)

    @staticmethod
    def title_of(number: int) -> str:
        """The name of the candidate with a number."""
        return f"candidate {number + 1}"


@dataclass(frozen=True)
class Plan(Generic[S]):
    """What a training will do.

    Attributes
    ----------
    method, preset, seed
        As they were asked for.
    settings
        All settings of the method, after all defaults.
    defaults
        Those of the settings that follow from the graphs, with the reasons.
    features
        The recipe of features that were added to the graphs' own.
    set_name
        The name of the problem set.
    train, validation
        The problems to learn from, with the oracle's distances, and those to choose by.
    candidates
        The networks that PHIL trains first; none for the methods it is compared with.
    """

    method: str
    preset: str
    seed: int
    settings: S
    defaults: tuple[Default, ...]
    features: str
    set_name: str
    train: OracleProblems
    validation: SolvableProblems
    candidates: tuple[Candidate, ...] = ()

    def __str__(self) -> str:
        networks = f", {len(self.candidates)} networks" if len(self.candidates) > 1 else ""
        return (
            f"{load_method(self.method).title}, seed {self.seed}{networks}: "
            f"{len(self.train.problems)} problems to learn from, "
            f"{len(self.validation.problems)} to choose by"
        )


def make_plan(
    problems: ProblemSet,
    *,
    method: str = "phil",
    preset: str = "best",
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    features: str = AUTO,
) -> Plan[Any]:
    """Settle everything that a training depends on.

    Parameters
    ----------
    problems
        A set with train and validation problems.
    method, preset, seed, settings, features
        As `phil.train` takes them.

    Returns
    -------
    Plan
        Settings and features after all defaults, and the problems with the oracle's distances.

    Raises
    ------
    InputError
        If a name is unknown, a setting is out of range, or the problems cannot be learned from.

    Examples
    --------
    >>> from phil.graphs import Graph
    >>> from phil.problems import single_graph_set
    >>> ring = Graph.from_edges(30, [(node, (node + 1) % 30) for node in range(30)])
    >>> plan = make_plan(single_graph_set("ring", ring), preset="paper", settings={"width": 16})
    >>> plan.features, plan.settings.width, plan.settings.horizon
    ('degree', 16, 15)
    """
    if seed < 0:
        raise InputError(f"the seed must not be negative: {seed}")
    declared = load_method(method)
    if features != AUTO:
        features = canonical(features)
    chosen, defaults = declared.resolve(problems, preset, settings or {})
    recipe = usual_features(problems) if features == AUTO else features
    problems = problems.with_features(recipe)
    train = with_oracle(problems.train, "train", chosen.unit, chosen.dead_ends, recipe)
    validation = solvable(problems.validation[: chosen.validation], "validation")
    return Plan(
        method=method,
        preset=preset,
        seed=seed,
        settings=chosen,
        defaults=defaults,
        features=recipe,
        set_name=problems.name,
        train=train,
        validation=validation,
        candidates=declared.candidates(chosen, train, validation),
    )


def first_candidates(
    settings: TrainingSettings, train: OracleProblems, validation: SolvableProblems
) -> tuple[Candidate, ...]:
    """The networks that PHIL trains first: where it is to choose, they try both ways in turn."""
    network = network_settings(settings, train, validation)
    together, each = (scaling_of(train, together=chosen) for chosen in (True, False))
    candidates = []
    for number in range(settings.candidates):
        first_way = number % 2 == 0
        trail = first_way if settings.trail == "choose" else settings.trail == "yes"
        shared = first_way if settings.scaling == "choose" else settings.scaling == "together"
        scaling = together if shared else each
        candidates.append(
            Candidate(
                number=number,
                network=network.model_copy(update={"trail": trail}),
                scaling=scaling,
                scaled="together" if scaling == together else "each",
            )
        )
    return tuple(candidates)


def further_candidates(
    settings: TrainingSettings, winner: Candidate, *, cautious: bool
) -> tuple[Candidate, ...]:
    """The networks for a hard set: like the best so far, with the settings' cautions in turn."""
    cautions = settings.caution if cautious else (0.0,)
    return tuple(
        replace(winner, number=settings.candidates + k, caution=cautions[k % len(cautions)])
        for k in range(settings.hard_candidates)
    )


def identity(plan: Plan[TrainingSettings]) -> dict[str, Any]:
    """What tells a run from others: a run is resumed only if all of it is the same."""
    return {
        "settings": plan.settings.model_dump(mode="json"),
        "seed": plan.seed,
        "problems": _fingerprint(plan.train, plan.validation),
    }


def _fingerprint(*sets: SolvableProblems) -> str:
    """A hash of the problems."""
    digest = hashlib.sha256()
    numbers: dict[int, int] = {}  # of the graphs seen so far
    for problem in (problem for chosen in sets for problem in chosen.problems):
        graph = problem.graph
        if id(graph) not in numbers:
            numbers[id(graph)] = len(numbers)
            for array in graph.arrays:
                digest.update(np.asarray(array).tobytes())
        digest.update(json.dumps([numbers[id(graph)], problem.start, problem.goal]).encode())
    return digest.hexdigest()
