"""Evolution strategies on all weights of a network, for what searches really cost.

Imitation teaches a network to rank nodes as the oracle does; what counts is the cost of its
searches, which has no gradient. Evolution strategies estimate one: in every generation, random
changes of all weights and their opposites are tried on the same few training problems, and the
weights take a step towards the changes that lowered the costs.

The sizes were chosen on validation maps, where the shipped heuristics expand 278 nodes (forest) and
906 (multiple_bugtraps): changes of 0.1 gave 261 and 867 after 20 generations, 260 and 721 after 50;
changes of 0.02 gave 278 and 873 after 20. A learning rate of 0.1, with changes of 0.03, made forest
worse (297). A moving average of the weights was no better than the weights.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from phil.heuristics.file import Tensors
from phil.heuristics.phil import PhilHeuristic, PhilMetadata
from phil.learning.adam import adam_step
from phil.learning.checkpoint import CandidateState
from phil.learning.objective import Objective, Score
from phil.learning.settings import TrainingSettings
from phil.problems.problem import Problem
from phil.workers import Workers
from phil.workers.shared import Shared

RATE = 0.3  # Adam's learning rate, relative to the size of the changes
# A changed network's search is stopped at so many times the expansions of the unchanged one's,
# and so many more, since short searches vary more.
HOPELESS, SHORT = 4, 200

Floats = NDArray[np.float32]


class WeightVector:
    """A network's tensors as one vector, in units of the root mean square of their tensor."""

    def __init__(self, tensors: Tensors) -> None:
        self._shapes = {name: tensors[name].shape for name in sorted(tensors)}
        units = {
            name: float(np.sqrt(np.sum(np.square(tensor)) / max(1, tensor.size)))
            for name, tensor in tensors.items()
        }
        self._units = np.concatenate(
            [
                np.full(math.prod(shape), units[name] or 1.0, np.float32)
                for name, shape in self._shapes.items()
            ]
        )

    def flatten(self, tensors: Tensors) -> Floats:
        """The vector of tensors."""
        values = np.concatenate([tensors[name].ravel() for name in self._shapes])
        flat: Floats = values / self._units
        return flat

    def tensors(self, vector: Floats) -> Tensors:
        """The tensors of a vector."""
        values = vector * self._units
        ends = np.cumsum([math.prod(shape) for shape in self._shapes.values()])
        parts = np.split(values, ends[:-1])
        return {
            name: part.reshape(shape)
            for (name, shape), part in zip(self._shapes.items(), parts, strict=True)
        }


@dataclass(frozen=True)
class Bench:
    """What changed networks are tried on."""

    metadata: PhilMetadata
    vector: WeightVector
    problems: Sequence[Problem]
    objective: Objective

    def heuristic(self, weights: Floats) -> PhilHeuristic:
        """The heuristic with these weights."""
        return PhilHeuristic(self.metadata, self.vector.tensors(weights))


@dataclass(frozen=True)
class Trial:
    """A changed network, the problems to try it on, and the expansions to stop at on each."""

    weights: Floats
    problems: Sequence[int]
    most: Sequence[int]

    def __str__(self) -> str:
        return f"a changed network on problems {', '.join(map(str, self.problems))}"


def try_out(bench: Bench, trial: Trial) -> float:
    """The mean logarithm of what its searches cost, so that hard problems do not count more."""
    problems = [bench.problems[k] for k in trial.problems]
    costs = bench.objective.costs(bench.heuristic(trial.weights), problems, trial.most)
    return float(np.log(costs).mean())


class Tuner:
    """Tunes a network by changes of one size; the same seed and number give the same weights."""

    def __init__(
        self,
        bench: Bench,
        start: PhilHeuristic,
        score: Score,
        settings: TrainingSettings,
        *,
        size: float,
        number: int,
        seed: int,
    ) -> None:
        self._bench = bench
        self._settings = settings
        self.size = size
        self.number = number
        self._random = seed, number
        weights = bench.vector.flatten(start.tensors)
        self.state = CandidateState(
            weights=weights,
            average=weights.copy(),
            exp_avg=np.zeros_like(weights),
            exp_avg_sq=np.zeros_like(weights),
            step=np.zeros((), np.float32),
            best=score.mean,
            best_expansions=score.expansions,
            best_calls=score.calls,
            best_tensors=start.tensors,
        )

    @property
    def title(self) -> str:
        """Its name in reports."""
        return title_of(self.size)

    def advance(self, workers: Workers, shared: Shared[Bench]) -> float:
        """Run a generation; returns the mean logarithm of the unchanged network's costs."""
        settings, state, bench = self._settings, self.state, self._bench
        state.step += 1
        generation = int(state.step)
        random = np.random.default_rng([*self._random, generation])
        count = min(settings.tune_problems, len(bench.problems))
        chosen = random.choice(len(bench.problems), count, replace=False).tolist()
        changes = random.standard_normal((settings.tune_samples, state.weights.size), np.float32)

        usual = bench.objective.method(self.heuristic())
        results = [usual.search(bench.problems[k]) for k in chosen]
        if settings.tune_limit:
            # A few long searches would take most of the time, and count no more than others.
            short = [result.expansions <= settings.tune_limit for result in results]
            chosen = [*compress(chosen, short)] or chosen
            results = [*compress(results, short)] or results
        most = [HOPELESS * result.expansions + SHORT for result in results]

        def trials() -> Iterator[Trial]:
            for change in changes:
                step = change * np.float32(self.size)
                for weights in (state.weights - step, state.weights + step):
                    yield Trial(weights, chosen, most)

        costs = np.array([*workers.map(try_out, shared, trials())]).reshape(-1, 2)
        # (Not the faster `@`: its sums depend on the machine.)
        slopes = standardised(costs[:, 1] - costs[:, 0]).astype(np.float32)
        gradient = np.einsum("s,sw->w", slopes, changes)
        adam_step(
            state.weights,
            gradient / np.float32(settings.tune_samples),
            state.exp_avg,
            state.exp_avg_sq,
            state.average,
            generation,
            RATE * self.size,
            math.inf,
            0.0,
        )
        return float(np.mean(np.log([bench.objective.cost(result) for result in results])))

    def heuristic(self) -> PhilHeuristic:
        """The heuristic to validate, with its own copy of the tensors."""
        return self._bench.heuristic(self.state.weights)


def title_of(size: float) -> str:
    """The name of the tuner with changes of a size."""
    return f"tuning by {size:g}"


def standardised(differences: NDArray[np.float64]) -> NDArray[np.float64]:
    """Differences with a root mean square of 1, unless all are 0."""
    size = float(np.sqrt(np.mean(np.square(differences))))
    return differences / size if size > 0 else differences
