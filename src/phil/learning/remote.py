"""Candidates in training on workers: each learns in one of them, and its state comes back.

After every iteration, what has changed is sent here, where it is kept, so that a candidate whose
worker dies goes on in another one, and a run that is interrupted can be resumed.
"""

from __future__ import annotations

import warnings
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

import torch

from phil.learning.algorithm import Finished, imitate
from phil.learning.checkpoint import CandidateState
from phil.learning.learner import Learner
from phil.learning.oracle import OracleProblems
from phil.learning.plan import Candidate
from phil.learning.settings import TrainingSettings
from phil.learning.validation import Validation
from phil.workers import WorkerLostWarning, Workers
from phil.workers.lost import WorkerLost
from phil.workers.shared import Shared
from phil.workers.workers import ATTEMPTS


@dataclass(frozen=True)
class Lessons:
    """What all candidates share: settings, what each learns from, and what judges them."""

    settings: TrainingSettings
    seed: int
    oracles: Sequence[OracleProblems]  # one per candidate
    validation: Validation


@dataclass(frozen=True)
class Pupil:
    """A candidate, its number among those that are trained, and its state so far."""

    number: int
    candidate: Candidate
    state: CandidateState
    rival: float

    def __str__(self) -> str:
        return self.candidate.title


def imitate_on(
    workers: Workers, shared: Shared[Lessons], learner: Learner, number: int, rival: float
) -> Generator[Finished, None, None]:
    """Train a candidate in a worker; yields after every iteration, as `imitate` does."""
    attempts = 0
    while True:
        pupil = Pupil(number, learner.candidate, learner.state, rival)
        try:
            with closing(workers.iterate(_learn, shared, pupil)) as iterations:
                for finished, state in iterations:
                    attempts = 0
                    learner.state.follow(state)
                    yield finished
            return
        except WorkerLost as error:
            attempts += 1
            if attempts == ATTEMPTS:
                raise
            done = learner.state.iteration
            warnings.warn(
                f"{error}; {pupil} continues after iteration {done} in another one",
                WorkerLostWarning,
                stacklevel=2,
            )


def _learn(lessons: Lessons, pupil: Pupil) -> Iterator[tuple[Finished, CandidateState]]:
    torch.set_num_threads(1)
    oracle = lessons.oracles[pupil.number]
    learner = Learner(pupil.candidate, lessons.settings, oracle, lessons.seed)
    learner.state.follow(pupil.state)
    learner.state.rollouts = list(pupil.state.rollouts)
    for finished in imitate(learner, oracle, lessons.validation, rival=pupil.rival):
        yield finished, learner.state.after_iteration()
