"""The plan of a training run: every setting, feature, network and problem, fixed in advance.

`make_plan` makes it, the command line announces it, and `train` carries it out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

import numpy as np

from phil.compiled import Struct
from phil.errors import InputError
from phil.graphs.features import canonical
from phil.heuristics.phil.specification import NetworkSettings
from phil.heuristics.scaling import Lengths, Scaling
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
from phil.text import visible
from phil.workers import Workers

if TYPE_CHECKING:
    from hashlib import _Hash as Hash

AUTO = "auto"
CHOOSE = "choose"

S = TypeVar("S")


@dataclass(frozen=True)
class Candidate:
    """One of the networks that PHIL trains; validation selects the best."""

    number: int
    network: NetworkSettings
    scaling: Scaling
    scaled: Literal["together", "each"]  # how the features of a group are scaled
    caution: float = 0.0  # largest toll of the oracle it imitates (see `phil.learning.caution`)

    @property
    def title(self) -> str:
        """Its name in reports; numbers count from 1."""
        return self.title_of(self.number)

    @staticmethod
    def title_of(number: int) -> str:
        """The name of the candidate with a number."""
        return f"candidate {number + 1}"


@dataclass(frozen=True)
class Plan(Generic[S]):
    """Everything that determines a training run."""

    method: str
    preset: str
    seed: int
    settings: S  # of the method, after all defaults
    defaults: tuple[Default, ...]  # those settings that were derived from the graphs
    features: str  # recipe of the features added to the graphs' own
    set_name: str
    train: OracleProblems
    validation: SolvableProblems
    candidates: tuple[Candidate, ...] = ()  # that PHIL trains first; baselines have none

    def __str__(self) -> str:
        networks = f", {len(self.candidates)} networks" if len(self.candidates) > 1 else ""
        return (
            f"{load_method(self.method).title}, seed {self.seed}{networks}: "
            f"{len(self.train.problems)} training problems, "
            f"{len(self.validation.problems)} validation problems"
        )


def make_plan(
    problems: ProblemSet,
    *,
    method: str = "phil",
    preset: str = "best",
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    features: str = AUTO,
    workers: Workers | None = None,
) -> Plan[Any]:
    """Fix everything that a training run depends on; takes the arguments of `phil.train`.

    `workers` compute the distances of the training problems; the plan does not depend on them.

    >>> from phil.graphs import Graph
    >>> from phil.problems import single_graph_set
    >>> ring = Graph.from_edges(30, [(node, (node + 1) % 30) for node in range(30)])
    >>> plan = make_plan(single_graph_set("ring", ring), preset="paper", settings={"width": 16})
    >>> plan.features, plan.settings.width, plan.settings.horizon
    ('degree', 16, 30)
    """
    if seed < 0:
        raise InputError(f"the seed must not be negative, but it is {seed}")
    declared = load_method(method)
    if features == AUTO:
        # The baselines and the paper's method read the coordinates of maps alone.
        features = usual_features(problems, on_maps=(method, preset) == ("phil", "best"))
    recipe = canonical(features)
    chosen, defaults = declared.resolve(problems, preset, settings or {}, recipe)
    given, problems = problems.validation, problems.with_features(recipe)
    train = with_oracle(
        problems.train, "train", chosen.unit, chosen.dead_ends, recipe, workers=workers
    )
    some = problems.validation[: chosen.validation]
    validation = solvable(some, "validation", given, problems.train)
    return Plan(
        method=method,
        preset=preset,
        seed=seed,
        settings=chosen,
        defaults=defaults,
        features=recipe,
        set_name=visible(problems.name),  # files hold valid text only
        train=train,
        validation=validation,
        candidates=declared.candidates(chosen, train, validation),
    )


def first_candidates(
    settings: TrainingSettings, train: OracleProblems, validation: SolvableProblems
) -> tuple[Candidate, ...]:
    """The networks that PHIL trains first; settings of `choose` alternate between them."""
    network = network_settings(settings, train, validation)
    lengths: Lengths = "cells" if settings.lengths == "cells" else "distance"
    together, each = (
        scaling_of(train, together=chosen, lengths=lengths) for chosen in (True, False)
    )
    open_ways = [
        name for name in ("frame", "trail", "scaling") if getattr(settings, name) == CHOOSE
    ]
    candidates = []
    for number in range(settings.candidates):
        # The candidates take all ways in turn.
        first_way = {name: (number >> k) % 2 == 0 for k, name in enumerate(open_ways)}
        frame = first_way.get("frame", settings.frame == "goal") and network.axes > 0
        trail = first_way.get("trail", settings.trail == "yes")
        scaling = together if first_way.get("scaling", settings.scaling == "together") else each
        candidates.append(
            Candidate(
                number=number,
                network=network.model_copy(
                    update={
                        "trail": trail,
                        "frame": "goal" if frame else "map",
                        "local": frame and settings.lengths == "both",
                    }
                ),
                scaling=scaling,
                scaled="together" if scaling == together else "each",
            )
        )
    # What a search knows and how it came to a node do not help where all maps are nearly the same.
    alone = {"trail": False, "known": 0, "lazy": False, "frame": "map", "local": False}
    # After the numbers of the candidates for hard sets and of the tuners.
    first = settings.candidates + settings.hard_candidates + len(settings.tune_sizes)
    candidates += [
        Candidate(first + k, network.model_copy(update=alone), each, "each")
        for k in range(settings.plain if network.axes else 0)
    ]
    return tuple(candidates)


def further_candidates(
    settings: TrainingSettings, leaders: Sequence[Candidate], *, cautious: bool
) -> tuple[Candidate, ...]:
    """The further networks for a hard set: like the best so far, each with its own caution."""
    cautions = settings.caution if cautious else (0.0,)
    return tuple(
        replace(
            leaders[k % len(leaders)],
            number=settings.candidates + k,
            caution=cautions[k % len(cautions)],
        )
        for k in range(settings.hard_candidates)
    )


def identity(plan: Plan[TrainingSettings]) -> dict[str, Any]:
    """What identifies a run: it is resumed only if all of this is unchanged."""
    return {
        "settings": plan.settings.model_dump(mode="json"),
        "seed": plan.seed,
        "problems": _fingerprint(plan.train, plan.validation),
    }


def _fingerprint(*sets: SolvableProblems) -> str:
    """A hash of everything about the problems that training depends on."""
    digest = hashlib.sha256()
    numbers: dict[int, int] = {}  # of the graphs so far, by id
    for chosen in sets:
        digest.update(f"{len(chosen.problems)} problems;".encode())
        for problem in chosen.problems:
            graph = problem.graph
            if id(graph) not in numbers:
                numbers[id(graph)] = len(numbers)
                _hash_fields(digest, graph.arrays)
                groups = [asdict(group) for group in graph.feature_groups]
                digest.update(json.dumps([graph.directed, graph.feature_names, groups]).encode())
            digest.update(json.dumps([numbers[id(graph)], problem.start, problem.goal]).encode())
    return digest.hexdigest()


def _hash_fields(digest: Hash, fields: Struct) -> None:
    for field in fields:
        if isinstance(field, Struct):
            _hash_fields(digest, field)
        else:
            array = np.asarray(field)
            digest.update(f"{array.shape};".encode())
            digest.update(array.tobytes())
