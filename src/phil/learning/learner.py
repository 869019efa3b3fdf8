"""A network in training: Adam steps on roll-outs, and a moving average of the weights."""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from phil.heuristics.file import Tensors
from phil.heuristics.phil import PhilHeuristic, PhilMetadata
from phil.heuristics.phil.gradient import has_gradient
from phil.heuristics.phil.network import PhilNetwork
from phil.heuristics.phil.weights import Weights, pack
from phil.learning.adam import adam_step
from phil.learning.checkpoint import CandidateState
from phil.learning.gradient import CompiledGradient, flatten, node_loss
from phil.learning.oracle import OracleProblems
from phil.learning.plan import Candidate
from phil.learning.recurrent import sequence_loss
from phil.learning.rollout import Rollout
from phil.learning.sampler import Sampler
from phil.learning.settings import TrainingSettings


class Learner:
    """A candidate's network and optimiser; the same seed and candidate give the same weights."""

    def __init__(
        self,
        candidate: Candidate,
        settings: TrainingSettings,
        oracle: OracleProblems,
        seed: int,
    ) -> None:
        self.candidate = candidate
        self.settings = settings
        self._seed = seed
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(np.random.default_rng([seed, candidate.number]).integers(2**62)))
            self.network = PhilNetwork(candidate.network)
        self.average = copy.deepcopy(self.network)
        self._weights, average = flatten(self.network), flatten(self.average)
        assert self._weights.grad is not None
        self._grads: NDArray[np.float32] = self._weights.grad.numpy()
        self.state = CandidateState(
            weights=self._weights.detach().numpy(),
            average=average.detach().numpy(),
            exp_avg=np.zeros(self._weights.numel(), np.float32),
            exp_avg_sq=np.zeros(self._weights.numel(), np.float32),
            step=np.zeros((), np.float32),
        )
        self._compiled = (
            CompiledGradient(candidate.network, self._weights, settings)
            if has_gradient(candidate.network)
            else None
        )
        self._sampler = Sampler(candidate, settings, oracle)
        self._metadata = PhilMetadata(
            network=candidate.network,
            feature_names=oracle.problems[0].graph.feature_names,
            scaling=candidate.scaling,
        )

    def random(self, iteration: int) -> np.random.Generator:
        """The random generator of an iteration; the same if the run was resumed."""
        return np.random.default_rng([self._seed, self.candidate.number, iteration])

    def packed_weights(self) -> Weights:
        """The current weights in the layout of the compiled kernels."""
        spread = self.candidate.scaling.edge_spread
        return pack(self.network.settings, tensors_of(self.network), spread)

    def heuristic(self) -> PhilHeuristic:
        """The heuristic to validate, with the averaged weights if averaging is on."""
        judged = self.average if self.settings.average > 0 else self.network
        return PhilHeuristic(self._metadata, tensors_of(judged))

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

    def _add_gradient(self, chosen: Sequence[Rollout], random: np.random.Generator) -> float:
        """Add the gradient of the loss on some roll-outs; returns the loss."""
        if self.settings.remember:
            windows = self._sampler.windows(chosen, random)
            events = self._sampler.events(chosen, random) if self.settings.ranking else None
            loss = sequence_loss(self.network, windows, events, self.settings)
        else:
            examples = self._sampler.examples(chosen, random)
            if self._compiled is not None:
                return self._compiled.add(examples)
            loss = node_loss(self.network, examples, self.settings)
        loss.backward()  # type: ignore[no-untyped-call]
        return float(loss.detach())


def learning_rate(settings: TrainingSettings, step: int) -> float:
    """The learning rate of a step, counted from 0."""
    if settings.decay == "none":
        return settings.learning_rate
    done = step / (settings.iterations * settings.steps)
    return 0.5 * settings.learning_rate * (1 + math.cos(math.pi * done))


def tensors_of(network: PhilNetwork) -> Tensors:
    """A copy of a network's tensors as numpy arrays."""
    return {name: value.detach().numpy().copy() for name, value in network.state_dict().items()}
