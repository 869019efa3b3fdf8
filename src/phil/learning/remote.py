"""Candidates in training on workers: each learns in one of them, and its state comes back.

After every iteration, what has changed is sent here, where it is kept, so that a candidate whose
worker dies goes on in another one, and a run that is interrupted can be resumed. If workers are
idle, they make the roll-outs of the next iteration, which are sent to the candidate's worker.
"""

from __future__ import annotations

import warnings
from collections.abc import Generator
from contextlib import closing, suppress
from dataclasses import dataclass

import torch

from phil.learning.algorithm import Finished, imitate
from phil.learning.checkpoint import CandidateState
from phil.learning.learner import Learner
from phil.learning.rolling import alone
from phil.learning.rollout import Rollout
from phil.learning.spread import Lessons, Spread
from phil.workers import WorkerLostWarning, Workers
from phil.workers.lost import WorkerLost
from phil.workers.shared import Shared
from phil.workers.workers import ATTEMPTS

Handed = tuple[list[Rollout], float] | None  # roll-outs that were made elsewhere, and their time


@dataclass(frozen=True)
class Pupil:
    """A candidate by its place among those that are trained, its state, and its next roll-outs."""

    place: int
    title: str
    state: CandidateState
    rival: float
    handed: Handed

    def __str__(self) -> str:
        return self.title


def imitate_on(
    workers: Workers,
    shared: Shared[Lessons],
    spread: Spread,
    learner: Learner,
    place: int,
    rival: float,
) -> Generator[Finished, None, None]:
    """Train a candidate in a worker; yields after every iteration, as `imitate` does."""
    state = learner.state

    def next_rollouts() -> Handed:
        if state.finished(learner.settings) or not spread.pays:
            return None
        return spread.roll_out(learner, place, state.iteration + 1)

    attempts = 0
    while True:
        pupil = Pupil(place, learner.candidate.title, state, rival, next_rollouts())
        try:
            with closing(workers.iterate(_learn, shared, pupil)) as steps, suppress(StopIteration):
                finished, changed = next(steps)
                while True:
                    attempts = 0
                    state.follow(changed)
                    yield finished
                    finished, changed = steps.send(next_rollouts())
            return
        except WorkerLost as error:
            attempts += 1
            if attempts == ATTEMPTS:
                raise
            warnings.warn(
                f"{error}; {pupil} continues after iteration {state.iteration} in another one",
                WorkerLostWarning,
                stacklevel=2,
            )


def _learn(
    lessons: Lessons, pupil: Pupil
) -> Generator[tuple[Finished, CandidateState], Handed, None]:
    torch.set_num_threads(1)
    oracle, candidate = lessons.oracles[pupil.place], lessons.candidates[pupil.place]
    learner = Learner(candidate, lessons.settings, oracle, lessons.seed)
    learner.state.follow(pupil.state)
    learner.state.rollouts = list(pupil.state.rollouts)
    handed = [pupil.handed]
    here = alone(learner, lessons.roller(pupil.place))
    for finished in imitate(
        learner,
        oracle,
        lessons.validation,
        rival=pupil.rival,
        roll_out=lambda iteration: handed.pop() or here(iteration),
    ):
        handed.append((yield finished, learner.state.after_iteration()))
