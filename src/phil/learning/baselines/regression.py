"""A perceptron fitted to the values of recorded inputs: shared by SaIL and its relatives."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from phil.heuristics.file import Tensors

Floats = NDArray[np.float32]

LEAST_SPREAD = 1e-3  # of inputs, below which they are not stretched any further


class Whitening:
    """A linear change of the inputs after which they are uncorrelated and of deviation 1.

    Where a wall is relative to a node is a small difference of two coordinates; as it stands, it
    hardly moves the network. The change is multiplied into the first layer of what is given away.
    """

    def __init__(self, inputs: Floats) -> None:
        rows = inputs.astype(np.float64)
        self.centre = rows.mean(axis=0)
        spread, axes = np.linalg.eigh(np.cov(rows, rowvar=False))
        self.matrix = axes / np.sqrt(np.maximum(spread, LEAST_SPREAD**2))

    def __call__(self, inputs: Floats) -> Floats:
        """The changed inputs."""
        changed: Floats = ((inputs - self.centre) @ self.matrix).astype(np.float32)
        return changed

    def folded(self, weight: Floats, bias: Floats) -> tuple[Floats, Floats]:
        """The first layer on inputs as they are."""
        whole = self.matrix @ weight.T.astype(np.float64)
        return whole.T.astype(np.float32), (bias - self.centre @ whole).astype(np.float32)


class Regression:
    """A perceptron with ReLU, fitted by Adam to the least squared error.

    Its averaged weights are what it gives away: from one step to the next single searches change a
    lot, the average does not.
    """

    def __init__(
        self,
        whitening: Whitening,
        hidden: tuple[int, ...],
        *,
        rate: float,
        averaging: float,
        total: int,  # steps over which the rate falls to 0
        seed: int,
    ) -> None:
        self._whitening = whitening
        sizes = (whitening.centre.size, *hidden, 1)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self._layers = [nn.Linear(before, after) for before, after in pairwise(sizes)]
        self._rate = rate
        self._averaging = averaging
        self._total = total
        self._parameters = [p for layer in self._layers for p in layer.parameters()]
        self._average = [p.detach().clone() for p in self._parameters]
        self._optimizer = torch.optim.Adam(self._parameters, lr=rate, foreach=True)
        self._steps = 0

    def values(self, inputs: Floats) -> Floats:
        """What the network says of inputs now, with its averaged weights."""
        x = torch.from_numpy(self._whitening(inputs))
        with torch.no_grad():
            found: Floats = self._forward(x, self._average).numpy()
        return found

    def fit(
        self,
        inputs: Floats,
        targets: Floats,
        steps: int,
        batch: int,
        random: np.random.Generator,
    ) -> float:
        """So many steps on random batches; their mean loss."""
        known = torch.from_numpy(self._whitening(inputs))
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
                for kept, now in zip(self._average, self._parameters, strict=True):
                    kept.lerp_(now, 1 - share)
            losses += loss.item()
        return losses / steps

    def tensors(self) -> Tensors:
        """The averaged weights, for inputs as they are recorded."""
        arrays = [p.numpy().copy() for p in self._average]
        arrays[:2] = self._whitening.folded(arrays[0], arrays[1])
        return {
            f"layers.{place // 2}.{('weight', 'bias')[place % 2]}": array
            for place, array in enumerate(arrays)
        }

    def _forward(self, x: Tensor, parameters: list[Tensor] | list[nn.Parameter]) -> Tensor:
        last = len(parameters) // 2 - 1
        for layer in range(last + 1):
            x = nn.functional.linear(x, parameters[2 * layer], parameters[2 * layer + 1])
            x = torch.relu(x) if layer < last else x
        return x[:, 0]
