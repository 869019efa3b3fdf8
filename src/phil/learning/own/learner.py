"""A network of the user's own in training: PHIL's roll-outs and losses, gradients by torch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from phil.errors import InputError, one_line
from phil.heuristics.own import (
    MakeNetwork,
    OwnHeuristic,
    OwnMetadata,
    inputs_of,
    make_network,
    network_name,
    values_of,
)
from phil.heuristics.scaling import frame
from phil.learning.fitting import Fitting
from phil.learning.gradient import loss_of
from phil.learning.kinds import kind_of
from phil.learning.learner import tensors_of
from phil.learning.oracle import OracleProblems, scaling_of
from phil.learning.own.roller import PythonRoller
from phil.learning.rollout import Rollout
from phil.learning.sampler import Sampler
from phil.learning.settings import TrainingSettings
from phil.search.guide import Heuristic

Floats = NDArray[np.float32]


class OwnLearner(Fitting[Heuristic]):
    """A user's own network and its optimiser."""

    def __init__(
        self, make: MakeNetwork, settings: TrainingSettings, oracle: OracleProblems, seed: int
    ) -> None:
        _, names = kind_of(oracle)
        self._make = make
        self._scaling = scaling_of(oracle)
        self._oracle = oracle
        super().__init__(lambda: self._checked(make_network(make, len(names))), settings, seed, 0)
        self._metadata = OwnMetadata(
            feature_names=names,
            added_features=oracle.features,
            network=network_name(self.current),
            scaling=self._scaling,
        )
        scales = [float(frame(p.graph, self._scaling).distance[0]) for p in oracle.problems]
        self._sampler: Sampler[Floats] = Sampler(settings, self, scales)

    def roller(self, oracle: OracleProblems) -> PythonRoller:
        """What rolls out searches by this network, in Python."""
        return PythonRoller(oracle, self.settings)

    def packed_weights(self) -> OwnHeuristic:
        """A heuristic with the current weights."""
        return OwnHeuristic(self._metadata, self._tensors(self.current), self._make)

    def heuristic(self) -> OwnHeuristic:
        """The heuristic to validate, with the averaged weights if averaging is on."""
        return OwnHeuristic(self._metadata, self._tensors(self.judged), self._make)

    def best(self) -> OwnHeuristic:
        """The heuristic of the iteration that was best in validation."""
        return OwnHeuristic(self._metadata, self.state.best_tensors, self._make)

    def gather(self, groups: Sequence[tuple[int, NDArray[np.int32], Floats]]) -> Floats:
        """What the network reads of nodes of several problems."""
        return np.concatenate([self._inputs(number, nodes) for number, nodes, _ in groups])

    def _inputs(self, number: int, nodes: NDArray[np.int32]) -> Floats:
        problem = self._oracle.problems[number]
        scale = frame(problem.graph, self._scaling)
        return inputs_of(self.current, problem.graph, scale, nodes, problem.goal)

    def _add_gradient(self, chosen: Sequence[Rollout], random: np.random.Generator) -> float:
        """Add the gradient of the loss on some roll-outs; returns the loss."""
        examples = self._sampler.examples(chosen, random)
        self.current.train()
        loss = loss_of(values_of(self.current, examples.batch), examples, self.settings)
        loss.backward()  # type: ignore[no-untyped-call]
        return float(loss.detach())

    def _tensors(self, network: nn.Module) -> Any:
        """The tensors of a network; only weights are averaged, so others are those of now."""
        kept = {name for name, _ in network.named_buffers()}
        now = tensors_of(self.current)
        return {name: now[name] if name in kept else x for name, x in tensors_of(network).items()}

    def _checked(self, network: Any) -> nn.Module:
        """The network, once it has shown that it can be trained."""
        name = network_name(network)
        if not isinstance(network, nn.Module):
            raise InputError(f"{name} must be a torch.nn.Module")
        problem = self._oracle.problems[0]
        nodes = np.array([problem.start, problem.goal], np.int32)
        scale = frame(problem.graph, self._scaling)
        if not any(True for _ in network.parameters()):
            raise InputError(f"{name} has no parameters, so there is nothing to train")
        for tensor, value in network.state_dict().items():
            if value.dtype != torch.float32:
                raise InputError(
                    f"tensor {tensor} of {name} holds {value.dtype}; a heuristic file holds "
                    "float32 alone (use LayerNorm in place of BatchNorm)"
                )
        try:
            inputs = inputs_of(network, problem.graph, scale, nodes, problem.goal)
            values = values_of(network.eval(), inputs)
        except InputError:
            raise
        except Exception as error:
            raise InputError(
                f"{name} failed on inputs of two nodes: {type(error).__name__}: {one_line(error)}"
            ) from error
        if not torch.isfinite(values).all():
            raise InputError(f"{name} gave {values.tolist()} for two nodes; values must be finite")
        if not values.requires_grad:
            raise InputError(f"the values of {name} do not depend on its parameters")
        return network
