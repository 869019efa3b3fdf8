"""The cross-entropy method: a Gaussian over a network's weights, moved to the best of its samples.

An iteration samples networks, runs each on a few problems, and fits the mean and the standard
deviation of every weight to the networks with the fewest expansions. The result is the network at
the mean. No oracle is used.

What SaIL's authors leave open is settled as follows:
- The mean starts at 0, and the standard deviation such that outputs vary as much as inputs. (With
  the Euclidean distance as initial mean, 30 iterations, validation maps: 295 instead of 437
  expansions on alternating_gaps, but 1,167 instead of 397 on single_bugtrap, where it never got
  away from greedy search.)
- A share of the initial standard deviation, which falls to 0 towards the end, is added to every
  later one (the noise of Szita and Lorincz, 2006): a standard deviation fitted to 8 networks
  shrinks whether they agree or not.
- A sample is abandoned as soon as it cannot be among the best. This affects only the running time,
  and searches need no other limit.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from phil.heuristics.file import Tensors
from phil.heuristics.mlp import MlpHeuristic, MlpMetadata
from phil.heuristics.mlp.specification import tensor_shapes
from phil.learning.baselines.baseline import BaselineSettings, baseline
from phil.learning.baselines.perceptron import perceptron_metadata
from phil.learning.oracle import OracleProblems
from phil.problems.problem import Problem
from phil.search import Limits, search
from phil.search.guide import Heuristic

BIAS_SPREAD = 0.1  # initial standard deviation of biases; inputs are about 1


class CemSettings(BaselineSettings):
    """The settings of the cross-entropy method."""

    iterations: int = Field(40, ge=1, description="how often the Gaussian is fitted")
    samples: int = Field(40, ge=1, description="networks sampled per iteration")
    maps: int = Field(5, ge=1, description="problems on which each network is run")
    elite: float = Field(
        0.2, gt=0, le=1, description="share of the networks that the Gaussian is fitted to"
    )
    width: int = Field(100, ge=1, le=4096, description="units of the hidden layer")
    spread: float = Field(
        1.0, gt=0, description="standard deviation of the initial networks' outputs"
    )
    noise: float = Field(
        0.1,
        ge=0,
        description="share of the initial standard deviation added to later ones; falls to 0",
    )


class Cem:
    """The learner of the cross-entropy method."""

    distances = 0  # it learns from its own expansions

    def __init__(self, problems: OracleProblems, settings: CemSettings, seed: int) -> None:
        self._problems = problems.problems
        self._settings = settings
        self._random = np.random.default_rng(seed)
        self._metadata = perceptron_metadata("cem", problems, (settings.width,))
        self._first = settings.spread * first_spread(self._metadata)
        self._mean = np.zeros(self._first.size)
        self._spread = self._first

    @property
    def iterations(self) -> int:
        """The total number of iterations."""
        return self._settings.iterations

    def iterate(self, number: int) -> float:
        """Sample, search and fit; returns the mean expansions of the best networks."""
        settings = self._settings
        count = min(settings.maps, len(self._problems))
        chosen = self._random.choice(len(self._problems), count, replace=False)
        problems = [self._problems[k] for k in chosen]
        size = (settings.samples, self._mean.size)
        drawn = self._mean + self._spread * self._random.normal(size=size)
        elite = max(1, round(settings.elite * settings.samples))
        totals = np.full(settings.samples, np.inf)
        for k in range(settings.samples):
            most = np.sort(totals)[elite - 1]
            totals[k] = total_expansions(self._network(drawn[k]), problems, most)
        best = np.argsort(totals, kind="stable")[:elite]
        noise = settings.noise * (1 - number / settings.iterations)
        self._mean = drawn[best].mean(axis=0)
        self._spread = drawn[best].std(axis=0) + noise * self._first
        return float(totals[best].mean() / count)

    def heuristic(self) -> MlpHeuristic:
        """The network at the mean."""
        return self._network(self._mean)

    def _network(self, point: NDArray[np.float64]) -> MlpHeuristic:
        return MlpHeuristic(self._metadata, as_tensors(self._metadata, point))


def total_expansions(heuristic: Heuristic, problems: Sequence[Problem], most: float) -> float:
    """Total expansions on all problems; infinite as soon as they exceed `most`."""
    total = 0
    for problem in problems:
        limits = None if most == np.inf else Limits(int(most) - total + 1)
        ends = problem.graph, problem.start, problem.goal
        total += search(*ends, heuristic, limits=limits).expansions
        if total > most:
            return np.inf
    return float(total)


def first_spread(metadata: MlpMetadata) -> NDArray[np.float64]:
    """The standard deviation of every weight such that outputs vary as much as inputs."""
    return np.concatenate(
        [
            np.full(np.prod(shape), 1 / np.sqrt(shape[1]) if len(shape) == 2 else BIAS_SPREAD)
            for shape in tensor_shapes(metadata).values()
        ]
    )


def as_tensors(metadata: MlpMetadata, point: NDArray[np.float64]) -> Tensors:
    """A flat vector of weights as the tensors of a network."""
    shapes = tensor_shapes(metadata)
    ends = np.cumsum([np.prod(shape) for shape in shapes.values()])
    parts = np.split(point.astype(np.float32), ends[:-1])
    return {
        name: part.reshape(shape) for (name, shape), part in zip(shapes.items(), parts, strict=True)
    }


METHOD = baseline("cem", "the cross-entropy method", CemSettings, Cem)
