"""Training PHIL: candidate networks compete on the validation problems, and the best is kept.

All decisions depend on expansions or calls, never on time unless `tune_seconds` is set, so runs are
reproducible: the same problems, settings and seed give the same heuristic, whether the run was
interrupted or not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from functools import partial
from threading import Event, Lock

import numpy as np
import torch

from phil.heuristics.file import write_heuristic
from phil.heuristics.phil import PhilHeuristic, PhilMetadata
from phil.learning.algorithm import Finished, imitate
from phil.learning.caution import Waste, measure_waste, with_caution
from phil.learning.checkpoint import Checkpoint
from phil.learning.defaults import resolve_settings
from phil.learning.evolution import title_of
from phil.learning.learner import Learner
from phil.learning.oracle import OracleProblems
from phil.learning.outlook import Outlook
from phil.learning.plan import Candidate, Plan, first_candidates, further_candidates, identity
from phil.learning.progress import Progress, RunOptions, versions
from phil.learning.registry import LearningMethod
from phil.learning.remote import imitate_on
from phil.learning.rolling import alone
from phil.learning.settings import TrainingSettings
from phil.learning.spread import Lessons, Spread
from phil.learning.tuning import ROUND, Tuning, is_tuned
from phil.learning.validation import Validation
from phil.workers.shared import Shared

# Candidates whose mean costs differ by less are as good as each other: their order changes
# with the seed.
TIE = 1.1


def train_phil(plan: Plan[TrainingSettings], run: RunOptions) -> PhilHeuristic:
    """Train the first candidates, further ones if the set is hard, and tune the best of them."""
    settings = plan.settings
    validation = Validation(plan.validation, settings.cost)
    competition = Competition(plan, validation, run)
    competition.hold(plan.candidates)
    is_hard = competition.expansions > settings.hard * validation.costs.shortest
    if is_hard and settings.hard_candidates:
        waste = None
        if any(settings.caution):
            waste = measure_waste(competition.heuristic(), plan.train.problems)
        leaders = competition.leaders
        competition.hold(further_candidates(settings, leaders, cautious=waste is not None), waste)
    heuristic = competition.tuned() if is_tuned(settings) else competition.heuristic()
    if run.output is not None:
        write_heuristic(run.output, heuristic)
    competition.close()
    return heuristic


class Competition:
    """Trains candidates in parallel, independently of each other, and saves every iteration."""

    def __init__(
        self, plan: Plan[TrainingSettings], validation: Validation, run: RunOptions
    ) -> None:
        self._plan = plan
        self._validation = validation
        self._workers = run.workers
        self._learners: list[Learner] = []
        self._outlook = Outlook(plan, run.workers.count)
        self._lock = Lock()
        self._stop = Event()
        folder = run.beside(".checkpoint")
        self._checkpoint = None if folder is None else Checkpoint(folder, identity(plan))
        kept: dict[int, int] = {}
        if self._checkpoint is not None and run.resume:
            self._checkpoint.load()
            kept = self._checkpoint.iterations
        elif self._checkpoint is not None:
            self._checkpoint.create()
        self._progress = Progress(
            run,
            validation.costs,
            kept=dict(self._kept_steps(number, done) for number, done in kept.items()),
            number=sum(kept.values()),
        )

    @property
    def best(self) -> float:
        """The lowest mean cost of any candidate so far."""
        bests = (learner.state.best for learner in self._learners)
        return min((best for best in bests if best is not None), default=math.inf)

    @property
    def expansions(self) -> float:
        """The mean expansions of the best candidate so far."""
        return float(np.mean(self.winner.state.best_expansions))

    @property
    def winner(self) -> Learner:
        """The candidate with the lowest mean cost so far."""
        return min(self._learners, key=lambda learner: learner.state.best or math.inf)

    @property
    def leaders(self) -> list[Candidate]:
        """The best candidate so far, and those that are as good up to chance."""
        close = [one for one in self._learners if (one.state.best or math.inf) <= TIE * self.best]
        return [one.candidate for one in sorted(close, key=lambda one: one.state.best or math.inf)]

    def hold(self, candidates: Sequence[Candidate], waste: Waste | None = None) -> None:
        """Train candidates to completion; cautious ones imitate an oracle that avoids `waste`."""
        rival = self.best
        oracles = [
            with_caution(self._plan.train, waste, candidate.caution)
            if waste is not None and candidate.caution
            else self._plan.train
            for candidate in candidates
        ]
        learners = [
            Learner(candidate, self._plan.settings, oracle, self._plan.seed)
            for candidate, oracle in zip(candidates, oracles, strict=True)
        ]
        if self._checkpoint is not None:
            for learner, oracle in zip(learners, oracles, strict=True):
                self._checkpoint.restore(
                    learner.candidate, learner.state, oracle, self._plan.settings
                )
        self._learners += learners
        plan, where = self._plan, self._workers
        shared = where.share(
            Lessons(plan.settings, plan.seed, candidates, oracles, self._validation)
        )
        spread = Spread(where, shared, len(learners))
        train = partial(self._train, shared, spread, rival)
        with ThreadPoolExecutor(
            self._workers.count, initializer=torch.set_num_threads, initargs=(1,)
        ) as pool:
            try:
                list(pool.map(train, range(len(learners)), learners, oracles))
            except BaseException:
                # On Ctrl-C, let the candidates finish their iteration.
                self._stop.set()
                raise

    def _train(
        self,
        shared: Shared[Lessons],
        spread: Spread,
        rival: float,
        place: int,
        learner: Learner,
        oracle: OracleProblems,
    ) -> None:
        """Train the candidate at a place to completion, in this process or in a worker."""
        where = self._workers
        if where.is_here:
            here = alone(learner, learner.roller(oracle))
            iterations = imitate(
                learner,
                oracle,
                self._validation,
                rival=rival,
                roll_out=lambda iteration: (
                    spread.roll_out(learner, place, iteration) if spread.pays else here(iteration)
                ),
            )
        else:
            iterations = imitate_on(where, shared, spread, learner, place, rival)
        try:
            with closing(iterations):  # which frees its worker
                while not self._stop.is_set() and (finished := next(iterations, None)) is not None:
                    with self._lock:
                        self._keep(learner, finished)
        except BaseException:
            # Stop the other candidates too; `pool.map` would report the error only after them.
            self._stop.set()
            raise
        finally:
            spread.end()

    def _keep(self, learner: Learner, finished: Finished) -> None:
        """Log, save and report a finished iteration."""
        settings, state = self._plan.settings, learner.state
        if finished.validation is not None:
            self._outlook.validated(finished.seconds.validation)
        planned = self._outlook.iterations([one.state for one in self._learners])
        done = sum(one.state.iteration for one in self._learners)
        pace = self._progress.pace.seconds(done)
        iteration = self._progress.log(
            total=planned + self._outlook.rounds(pace),
            left=self._outlook.seconds(planned - done, pace),
            candidate=learner.candidate.title,
            steps=state.iteration * settings.steps,
            loss=finished.loss,
            validation=finished.validation,
            best=self.best if math.isfinite(self.best) else None,
            measure=settings.objective,
            part_seconds=finished.seconds,
            distances=sum(rollout.nodes.size for rollout in state.fresh),
        )
        # On resuming, the log is cut to the checkpoint's iterations, so it must not lag behind.
        if self._checkpoint is not None:
            self._checkpoint.save(learner.candidate.number, state)
        self._progress.report(iteration)

    def tuned(self) -> PhilHeuristic:
        """Tune the best heuristic."""
        plan, winner, checkpoint = self._plan, self.winner, self._checkpoint
        heuristic = self.heuristic()
        tuning = Tuning(
            heuristic,
            winner.state.best_score,
            plan.train.problems,
            self._validation,
            plan.settings,
            seed=plan.seed,
            number=self._first_tuner,
        )
        if checkpoint is not None:
            for tuner in tuning.tuners:
                candidate = replace(winner.candidate, number=tuner.number)
                checkpoint.restore_tuner(candidate, tuner.state, ROUND)
        before = sum(learner.state.iteration for learner in self._learners)
        self._progress.begin_stage()
        for finished in tuning.run(self._workers):
            facts = tuning.facts(finished)
            iteration = self._progress.log(**facts | {"total": before + facts["total"]})
            if checkpoint is not None:
                checkpoint.save(finished.tuner.number, finished.tuner.state)
            self._progress.report(iteration)
        return tuning.heuristic(heuristic)

    @property
    def _first_tuner(self) -> int:
        """The number under which the first tuner is saved, after those of all candidates."""
        return self._plan.settings.candidates + self._plan.settings.hard_candidates

    def _kept_steps(self, number: int, iterations: int) -> tuple[str, int]:
        """The title of a candidate or tuner, and the steps of the iterations it has saved."""
        settings, tuner = self._plan.settings, number - self._first_tuner
        if not 0 <= tuner < len(settings.tune_sizes):  # plain candidates come after the tuners
            return Candidate.title_of(number), iterations * settings.steps
        return title_of(settings.tune_sizes[tuner]), iterations * ROUND

    def heuristic(self) -> PhilHeuristic:
        """The best heuristic of imitation so far, with its metadata."""
        plan, winner = self._plan, self.winner
        metadata = PhilMetadata(
            network=winner.candidate.network,
            feature_names=plan.train.problems[0].graph.feature_names,
            added_features=plan.features,
            scaling=winner.candidate.scaling,
            training={
                "set": plan.set_name,
                "preset": plan.preset,
                "seed": plan.seed,
                "settings": plan.settings.model_dump(mode="json"),
                "problems": len(plan.train.problems),
                "unsolvable": plan.train.unsolvable,
                "directed": plan.train.problems[0].graph.directed,
                "candidates": {
                    str(learner.candidate.number + 1): {
                        "best": learner.state.best,
                        "iteration": learner.state.best_iteration,
                        "trail": learner.candidate.network.trail,
                        "scaled": learner.candidate.scaled,
                        "caution": learner.candidate.caution,
                    }
                    for learner in self._learners
                },
                "versions": versions(),
            },
            validation=self._validation.record(winner.state.best_score),
        )
        return PhilHeuristic(metadata, winner.state.best_tensors, plan.set_name)

    def close(self) -> None:
        """Delete the checkpoint of a finished run."""
        if self._checkpoint is not None:
            self._checkpoint.remove()


METHOD = LearningMethod(
    title="PHIL",
    settings=TrainingSettings,
    resolve=resolve_settings,
    train=train_phil,
    candidates=first_candidates,
    resumable=True,
)
