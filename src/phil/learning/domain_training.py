"""Training on a domain, in rounds: what it has solved teaches the network to solve more.

Every round runs Algorithm 1 on the parts of the graph that are known, from the weights of the round
before. Then the best network so far solves random problems, whose paths become known too. Arfaee,
Zilles and Holte ("Learning heuristic functions for large state spaces", 2011) bootstrap heuristics
in the same way, by regression.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from phil.graphs import ImplicitGraph
from phil.heuristics.file import write_heuristic
from phil.heuristics.phil import PhilHeuristic
from phil.learning.algorithm import imitate
from phil.learning.checkpoint import CandidateState
from phil.learning.domain_plan import DomainPlan
from phil.learning.learner import Learner
from phil.learning.objective import Score
from phil.learning.progress import Progress, RunOptions, versions
from phil.learning.settings import TrainingSettings
from phil.learning.validation import ClassicalCosts, summary
from phil.problems.domain import Domain
from phil.search.best_first import search
from phil.search.guide import Heuristic
from phil.search.result import Limits


class DomainValidation:
    """Runs heuristics on the validation problems; a search that is given up costs its limit."""

    def __init__(
        self,
        graph: ImplicitGraph[Any],
        trials: Sequence[tuple[Any, Any]],
        settings: TrainingSettings,
    ) -> None:
        self._graph = graph
        self._trials = trials
        self._objective = settings.cost
        self._limits = Limits(expansions=settings.attempt_limit)
        # No method is known to do better without learning, and no path to be shortest.
        limit = float(settings.attempt_limit)
        self.costs = ClassicalCosts(limit, "limit", (math.nan,))

    def score(self, heuristic: Heuristic, best: float = math.inf) -> Score:
        """The costs on all problems."""
        key = self._objective.key
        return self._objective.score(
            [
                search(self._graph, start, goal, heuristic, key=key, limits=self._limits)
                for start, goal in self._trials
            ]
        )

    def record(self, score: Score) -> dict[str, Any]:
        """The scores of a heuristic, for its file."""
        return {
            "problems": len(score.expansions),
            "search": self._objective.search,
            "expansions": summary(score.expansions),
            "calls": summary(score.calls),
        }


@dataclass(frozen=True)
class Best:
    """The heuristic that was best in validation so far."""

    heuristic: PhilHeuristic
    score: Score
    round: int


def train_on_domain(domain: Domain[Any], plan: DomainPlan, run: RunOptions) -> PhilHeuristic:
    """Carry out a plan; the result is the network that was best in validation."""
    settings, lessons, oracle = plan.settings, plan.lessons, plan.train
    assert lessons is not None
    validation = DomainValidation(domain.graph, plan.trials, settings)
    progress = Progress(run, validation.costs)
    solved: list[int] = []
    best: Best | None = None
    before: CandidateState | None = None
    for number in range(settings.rounds):
        if best is not None:
            random = np.random.default_rng([plan.seed, number])
            solved.append(lessons.solve(random, best.heuristic))
            oracle = lessons.oracle()
        candidate = replace(plan.candidates[0], number=number)
        learner = Learner(candidate, settings, oracle, plan.seed)
        state = learner.state
        if before is not None:
            state.weights[:] = before.weights
            state.average[:] = before.average
        for finished in imitate(learner, oracle, validation):
            if state.best is not None and (best is None or state.best < best.score.mean):
                network = PhilHeuristic(
                    learner.heuristic().metadata, state.best_tensors, plan.set_name
                )
                best = Best(network, state.best_score, number + 1)
            progress.report(
                progress.log(
                    total=settings.rounds * settings.iterations,
                    candidate=f"round {number + 1}",
                    steps=state.iteration * settings.steps,
                    loss=finished.loss,
                    validation=finished.validation,
                    best=None if best is None else best.score.mean,
                    measure=settings.objective,
                    part_seconds=finished.seconds,
                    distances=sum(rollout.nodes.size for rollout in state.fresh),
                )
            )
        before = replace(state, rollouts=[], fresh=())  # those take memory
    assert best is not None, "every round ends with a validation"
    heuristic = best.heuristic.described(
        training={
            "set": plan.set_name,
            "preset": plan.preset,
            "seed": plan.seed,
            "settings": settings.model_dump(mode="json"),
            "problems": len(oracle.problems),
            "round": best.round,
            "solved": solved,  # of the problems tried after each round
            "versions": versions(),
        },
        validation=validation.record(best.score),
    )
    if run.output is not None:
        write_heuristic(run.output, heuristic)
    return heuristic
