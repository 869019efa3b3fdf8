"""Roll-outs of candidates on workers that have no candidate of their own to train."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from phil.heuristics.file import Tensors
from phil.heuristics.phil.weights import Weights
from phil.learning.mixture import RolloutId
from phil.learning.oracle import OracleProblems
from phil.learning.plan import Candidate
from phil.learning.rollout import Roller, Rollout, pack_for
from phil.learning.settings import TrainingSettings
from phil.learning.validation import Validation
from phil.workers import Workers
from phil.workers.shared import Shared

if TYPE_CHECKING:
    from phil.learning.learner import Learner  # with torch, which roll-outs do not need


class _Mine(threading.local):
    """What a thread keeps from one roll-out to the next."""

    def __init__(self) -> None:
        self.rollers: dict[int, Roller] = {}
        self.packed: tuple[Tensors, Weights] | None = None


@dataclass(frozen=True)
class Lessons:
    """What all candidates share: settings, what each learns from, and what judges them."""

    settings: TrainingSettings
    seed: int
    candidates: Sequence[Candidate]
    oracles: Sequence[OracleProblems]  # one per candidate
    validation: Validation

    @cached_property
    def _mine(self) -> _Mine:
        return _Mine()

    def roller(self, place: int) -> Roller:
        """What rolls out searches for the candidate at a place, in this thread."""
        rollers = self._mine.rollers
        if place not in rollers:
            rollers[place] = Roller(self.oracles[place], self.settings, self.candidates[place])
        return rollers[place]

    def packed(self, place: int, tensors: Tensors) -> Weights:
        """Weights of the candidate at a place, packed once for roll-outs that share them."""
        mine = self._mine
        if mine.packed is None or mine.packed[0] is not tensors:
            mine.packed = tensors, pack_for(self.candidates[place], tensors)
        return mine.packed[1]


@dataclass(frozen=True)
class Turn:
    """A roll-out to be made: which one, for the candidate at which place, with which weights."""

    which: RolloutId
    place: int
    tensors: Tensors

    def __str__(self) -> str:
        return str(self.which)


def roll_out_turn(lessons: Lessons, turn: Turn) -> tuple[Rollout, float]:
    """In a worker: make a roll-out; also tells the seconds of CPU that it took."""
    began = time.thread_time()
    weights = lessons.packed(turn.place, turn.tensors)
    rollout = lessons.roller(turn.place).roll_out(weights, turn.which)
    return rollout, time.thread_time() - began


class Spread:
    """Spreads roll-outs over workers while there are more of these than candidates."""

    def __init__(self, workers: Workers, shared: Shared[Lessons], candidates: int) -> None:
        self._workers = workers
        self._shared = shared
        self._left = candidates  # that are in training or will be
        self._lock = threading.Lock()

    @property
    def pays(self) -> bool:
        """Whether a worker would have nothing to do otherwise."""
        return self._left < self._workers.count

    def end(self) -> None:
        """Note that the training of a candidate has ended."""
        with self._lock:
            self._left -= 1

    def roll_out(self, learner: Learner, place: int, iteration: int) -> tuple[list[Rollout], float]:
        """The roll-outs of an iteration, and the seconds of CPU that they took."""
        tensors = learner.tensors()
        turns = [Turn(which, place, tensors) for which in learner.rollouts(iteration)]
        made = [*self._workers.map(roll_out_turn, self._shared, turns)]
        return [rollout for rollout, _ in made], sum(seconds for _, seconds in made)
