"""The mixture policy of Algorithm 1: who takes the steps of a roll-out, and where recording starts.

A roll-out is determined by the weights and by its `RolloutId`, so the roll-outs of an iteration can
be made in any order, and anywhere.

How a roll-out is carried out is left to a subclass: compiled for PHIL's own network, in Python for
others.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from phil.learning.settings import TrainingSettings

if TYPE_CHECKING:
    from phil.learning.rollout import Rollout

W = TypeVar("W")  # the learner's weights, in the form that its searches take


@dataclass(frozen=True)
class RolloutSettings:
    """The settings of one roll-out."""

    roll_in: int  # steps by the learner alone, before the mixture
    record_from: int  # the first step whose new nodes are recorded
    steps: int  # total steps, including the roll-in
    oracle_share: float  # beta: the share of oracle steps after the roll-in
    stop_at_goal: bool
    event_rate: float  # share of steps at which a ranking event is recorded
    event_size: int  # open nodes in a ranking event

    def after(self, roll_in: int) -> RolloutSettings:
        """The same number of recorded steps, after a roll-in of another length."""
        kept = self.steps - self.record_from
        return replace(self, roll_in=roll_in, record_from=roll_in, steps=roll_in + kept)


@dataclass(frozen=True)
class RolloutId:
    """Which of all roll-outs: its random numbers depend on nothing else."""

    seed: int
    candidate: int
    iteration: int
    number: int  # in the iteration, from 0

    @property
    def random(self) -> np.random.Generator:
        """Its random generator."""
        # A zero at the end would not count: that generator is the iteration's own.
        return np.random.default_rng([self.seed, self.candidate, self.iteration, 1 + self.number])

    def __str__(self) -> str:
        where = f"iteration {self.iteration} of candidate {self.candidate + 1}"
        return f"roll-out {self.number + 1} of {where}"


class Mixture(ABC, Generic[W]):
    """Rolls out searches on so many problems by the training settings."""

    def __init__(self, settings: TrainingSettings, problems: int) -> None:
        self._settings = settings
        self._count = problems

    @abstractmethod
    def roll(self, weights: W, problem: int, settings: RolloutSettings, seed: int) -> Rollout:
        """One roll-out on a problem, determined by seed and weights."""

    def roll_out(self, weights: W, which: RolloutId) -> Rollout:
        """A roll-out by the training settings that has recorded at least one node."""
        random = which.random
        problem = int(random.integers(self._count))
        seed = int(random.integers(2**62))
        chosen = self._choose(weights, problem, which.iteration, seed, random)
        rollout = self.roll(weights, problem, chosen, seed)
        while not rollout.nodes.size:
            # The search ended during the roll-in: shorten it.
            chosen = chosen.after(chosen.roll_in // 2)
            rollout = self.roll(weights, problem, chosen, seed)
        if self._settings.ranking and not len(rollout.events):
            # A short search may have nothing to rank, but its values can still be learned.
            event = _lone_event(self._settings.ranking_size)
            rollout = replace(rollout, events=event, spent=np.zeros(event.shape, np.float32))
        return rollout

    def _choose(
        self,
        weights: W,
        problem: int,
        iteration: int,
        seed: int,
        random: np.random.Generator,
    ) -> RolloutSettings:
        """Choose where the recording starts, and who takes the steps."""
        settings = self._settings
        mixture = RolloutSettings(
            roll_in=0,
            record_from=0,
            steps=settings.rollout or settings.horizon,
            oracle_share=settings.beta**iteration,
            stop_at_goal=settings.stop_at_goal,
            event_rate=settings.ranking_rate if settings.ranking else 0.0,
            event_size=settings.ranking_size,
        )
        if settings.rollout:
            return mixture.after(int(random.integers(settings.horizon - settings.rollout + 1)))
        if iteration > 1 and random.random() < settings.handover:
            # See how many steps the learner takes on its own; the oracle takes over at one of them.
            alone = replace(mixture, oracle_share=0.0, event_rate=0.0)
            steps = self.roll(weights, problem, alone, seed).steps
            return replace(mixture, roll_in=int(random.integers(steps + 1)), oracle_share=1.0)
        return mixture


def most_events(settings: RolloutSettings, steps: int) -> int:
    """Three times the expected number of ranking events; any further ones are dropped."""
    return int(3 * settings.event_rate * steps) + 1 if settings.event_rate > 0 else 0


def _lone_event(size: int) -> NDArray[np.int32]:
    """A ranking event with the first node only; its loss is 0."""
    event = np.full((1, size), -1, np.int32)
    event[0, 0] = 0
    return event
