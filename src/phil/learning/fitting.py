"""A network in training: Adam steps on roll-outs, and a moving average of the weights."""

from __future__ import annotations

import copy
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Generic

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from phil.heuristics.file import LearnedHeuristic
from phil.learning.adam import adam_step
from phil.learning.checkpoint import CandidateState
from phil.learning.gradient import flatten
from phil.learning.mixture import Mixture, RolloutId, W
from phil.learning.oracle import OracleProblems
from phil.learning.rollout import Rollout
from phil.learning.settings import TrainingSettings


class Fitting(ABC, Generic[W]):
    """A network and its optimiser; the same seed and number give the same weights.

    `make` gives the network; `number` tells the networks of a run apart.
    """

    def __init__(
        self, make: Callable[[], nn.Module], settings: TrainingSettings, seed: int, number: int
    ) -> None:
        self.settings = settings
        self._seed = seed
        self._number = number
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(np.random.default_rng([seed, number]).integers(2**62)))
            self.current = make()
        self.average = copy.deepcopy(self.current)
        self.weights, average = flatten(self.current), flatten(self.average)
        assert self.weights.grad is not None
        self._grads: NDArray[np.float32] = self.weights.grad.numpy()
        self.state = CandidateState(
            weights=self.weights.detach().numpy(),
            average=average.detach().numpy(),
            exp_avg=np.zeros(self.weights.numel(), np.float32),
            exp_avg_sq=np.zeros(self.weights.numel(), np.float32),
            step=np.zeros((), np.float32),
        )

    @property
    def judged(self) -> nn.Module:
        """The network to validate: with the averaged weights, if averaging is on."""
        return self.average if self.settings.average > 0 else self.current

    @abstractmethod
    def roller(self, oracle: OracleProblems) -> Mixture[W]:
        """What rolls out searches by this network."""

    @abstractmethod
    def packed_weights(self) -> W:
        """The current weights in the form that roll-outs take."""

    @abstractmethod
    def heuristic(self) -> LearnedHeuristic:
        """The heuristic to validate, with its own copy of the tensors."""

    @abstractmethod
    def _add_gradient(self, chosen: Sequence[Rollout], random: np.random.Generator) -> float:
        """Add the gradient of the loss on some roll-outs; returns the loss."""

    def random(self, iteration: int) -> np.random.Generator:
        """The random generator of an iteration; the same if the run was resumed."""
        return np.random.default_rng([self._seed, self._number, iteration])

    def rollouts(self, iteration: int) -> list[RolloutId]:
        """The roll-outs to make in an iteration."""
        return [
            RolloutId(self._seed, self._number, iteration, number)
            for number in range(self.settings.rollouts)
        ]

    def step(self, random: np.random.Generator) -> float:
        """Take one Adam step on a batch of roll-outs; returns the loss before it."""
        settings, state = self.settings, self.state
        order = random.permutation(len(state.rollouts))[: settings.batch]
        self._grads.fill(0.0)
        loss = self._add_gradient([state.rollouts[k] for k in order.tolist()], random)
        rate = learning_rate(settings, int(state.step))
        state.step += 1
        done = int(state.step)
        # At first the average follows the weights quickly, since early weights mean little.
        decay = min(settings.average, done / (done + 10))
        adam_step(
            state.weights,
            self._grads,
            state.exp_avg,
            state.exp_avg_sq,
            state.average,
            done,
            rate,
            settings.clip,
            decay,
        )
        return loss


def learning_rate(settings: TrainingSettings, step: int) -> float:
    """The learning rate of a step, counted from 0."""
    if settings.decay == "none":
        return settings.learning_rate
    done = step / (settings.iterations * settings.steps)
    return 0.5 * settings.learning_rate * (1 + math.cos(math.pi * done))
