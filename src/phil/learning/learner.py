"""PHIL's own network in training."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
from torch import nn

from phil.heuristics.file import Tensors
from phil.heuristics.phil import PhilHeuristic, PhilMetadata
from phil.heuristics.phil.gradient import has_gradient
from phil.heuristics.phil.network import PhilNetwork
from phil.heuristics.phil.weights import Weights
from phil.learning.fitting import Fitting
from phil.learning.gradient import CompiledGradient, node_loss
from phil.learning.oracle import OracleProblems
from phil.learning.plan import Candidate
from phil.learning.recurrent import sequence_loss
from phil.learning.rollout import Roller, Rollout, pack_for
from phil.learning.sampler import phil_sampler
from phil.learning.settings import TrainingSettings


class Learner(Fitting[Weights]):
    """A candidate's network and optimiser."""

    def __init__(
        self,
        candidate: Candidate,
        settings: TrainingSettings,
        oracle: OracleProblems,
        seed: int,
    ) -> None:
        super().__init__(lambda: PhilNetwork(candidate.network), settings, seed, candidate.number)
        self.candidate = candidate
        self._compiled = (
            CompiledGradient(candidate.network, self.weights, settings)
            if has_gradient(candidate.network)
            else None
        )
        self._sampler = phil_sampler(candidate, settings, oracle)
        self._metadata = PhilMetadata(
            network=candidate.network,
            feature_names=oracle.problems[0].graph.feature_names,
            scaling=candidate.scaling,
        )

    @property
    def network(self) -> PhilNetwork:
        """The network as it is now."""
        return cast(PhilNetwork, self.current)

    def roller(self, oracle: OracleProblems) -> Roller:
        """What rolls out searches by this network, compiled."""
        return Roller(oracle, self.settings, self.candidate)

    def tensors(self) -> Tensors:
        """A copy of the current weights."""
        return tensors_of(self.network)

    def packed_weights(self) -> Weights:
        """The current weights in the layout of the compiled kernels."""
        return pack_for(self.candidate, self.tensors())

    def heuristic(self) -> PhilHeuristic:
        """The heuristic to validate, with the averaged weights if averaging is on."""
        return PhilHeuristic(self._metadata, tensors_of(self.judged))

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


def tensors_of(network: nn.Module) -> Tensors:
    """A copy of a network's tensors as numpy arrays."""
    return {name: value.detach().numpy().copy() for name, value in network.state_dict().items()}
