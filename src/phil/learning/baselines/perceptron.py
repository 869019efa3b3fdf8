"""The perceptrons of several baselines: their inputs, and regression on recorded values."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Annotated

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import BeforeValidator, Field
from torch import Tensor, nn

from phil.heuristics.file import Tensors
from phil.heuristics.mlp import Inputs, MlpMetadata, MlpMethod
from phil.learning.kinds import kind_of
from phil.learning.oracle import OracleProblems, scaling_of
from phil.learning.settings import split_text

Floats = NDArray[np.float32]
Size = Annotated[int, Field(ge=1, le=4096)]
Hidden = Annotated[
    tuple[Size, ...], BeforeValidator(split_text), Field(min_length=1, max_length=16)
]
GroupDistances = Annotated[
    bool,
    Field(
        description="general graphs: the distances to the goal in each group of features are "
        "inputs, as they are of phil"
    ),
]


def perceptron_metadata(
    method: MlpMethod,
    problems: OracleProblems,
    hidden: tuple[int, ...],
    inputs: Inputs | None = None,
    *,
    group_distances: bool = False,
) -> MlpMetadata:
    """A perceptron for the graphs of some problems, by default with SaIL's inputs.

    3D maps get the inputs of general graphs, since SaIL's are defined on rows and columns. With
    `group_distances`, general graphs get the distances that PHIL reads.
    """
    is_grid, names = kind_of(problems)
    groups = problems.problems[0].graph.feature_groups
    return MlpMetadata(
        feature_names=names,
        added_features=problems.features,
        method=method,
        inputs=inputs or ("grid" if is_grid and len(names) == 2 else "graph"),
        hidden=hidden,
        scaling=scaling_of(problems),
        groups=tuple(group.size for group in groups) if group_distances and not is_grid else (),
    )


class Regression:
    """A ReLU perceptron, fitted to the least squared error by Adam.

    Its output is the moving average of its weights, since searches vary a lot from one step to the
    next. Inputs are scaled to the map but not whitened. (With uncorrelated inputs of standard
    deviation 1 the error is smaller, but searches are worse: the position of walls relative to a
    node then counts so much that values are rough.)
    """

    def __init__(
        self,
        inputs: int,
        hidden: tuple[int, ...],
        *,
        rate: float,
        averaging: float,
        total: int,  # steps over which the learning rate decays to 0
        seed: int,
    ) -> None:
        sizes = (inputs, *hidden, 1)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self._layers = [nn.Linear(before, after) for before, after in pairwise(sizes)]
        self._rate = rate
        self._averaging = averaging
        self._total = total
        self._parameters: list[Tensor] = [p for layer in self._layers for p in layer.parameters()]
        self._average = [p.detach().clone() for p in self._parameters]
        self._optimizer = torch.optim.Adam(self._parameters, lr=rate, fused=True)
        self._steps = 0

    def values(self, inputs: Floats) -> Floats:
        """The values of inputs by the averaged weights."""
        with torch.no_grad():
            found: Floats = self._forward(torch.from_numpy(inputs), self._average).numpy()
        return found

    def fit(
        self,
        inputs: Floats,
        targets: Floats,
        steps: int,
        batch: int,
        random: np.random.Generator,
    ) -> float:
        """Take Adam steps on random batches; returns their mean loss."""
        known = torch.from_numpy(inputs)
        wanted = torch.from_numpy(targets)
        losses = 0.0
        for rows in torch.from_numpy(random.integers(len(inputs), size=(steps, batch))):
            done = min(1.0, self._steps / self._total)
            self._optimizer.param_groups[0]["lr"] = self._rate * (1 + math.cos(math.pi * done)) / 2
            error = self._forward(known[rows], self._parameters) - wanted[rows]
            loss = error.square().mean()
            self._optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            self._optimizer.step()
            self._steps += 1
            share = min(self._averaging, self._steps / (self._steps + 10))
            with torch.no_grad():
                torch._foreach_lerp_(self._average, self._parameters, 1 - share)
            losses += loss.item()
        return losses / steps

    def tensors(self) -> Tensors:
        """The averaged weights, named as in a heuristic file."""
        arrays = [p.numpy().copy() for p in self._average]
        return {
            f"layers.{place // 2}.{('weight', 'bias')[place % 2]}": array
            for place, array in enumerate(arrays)
        }

    def _forward(self, x: Tensor, parameters: list[Tensor]) -> Tensor:
        last = len(parameters) // 2 - 1
        for layer in range(last + 1):
            x = nn.functional.linear(x, parameters[2 * layer], parameters[2 * layer + 1])
            x = torch.relu(x) if layer < last else x
        return x[:, 0]
