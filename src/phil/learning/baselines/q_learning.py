"""Q-learning: what the expansion of an open node costs until the goal is met.

A search is a Markov decision process: expanding an open node costs 1, and it ends when the goal is
in OPEN. Q is fitted to the cost of a step plus the least Q of the next OPEN. No oracle is asked.
"""

from __future__ import annotations

import numpy as np
from pydantic import Field

from phil.heuristics.mlp import MlpHeuristic
from phil.heuristics.mlp.weights import pack
from phil.learning.baselines.perceptron import Hidden, perceptron_metadata
from phil.learning.baselines.regression import Regression
from phil.learning.baselines.rollout import PerceptronRoller, Records, RolloutPlan
from phil.learning.baselines.settings import BaselineSettings
from phil.learning.problems import OracleProblems


class QLearningSettings(BaselineSettings):
    """The settings of Q-learning."""

    iterations: int = Field(15, ge=1, description="N: iterations, each with searches and a fit")
    searches: int = Field(100, ge=1, description="m: searches per iteration")
    records: int = Field(100, ge=1, description="k: steps written down per search")
    steps: int = Field(40_000, ge=1, description="T: expansions of a search, at most")
    epsilon: float = Field(0.9, ge=0, le=1, description="share of random steps, to begin with")
    decay: float = Field(0.5, ge=0, le=1, description="of epsilon, from one iteration to the next")
    hidden: Hidden = Field((100, 50), description="sizes of the hidden layers")
    rounds: int = Field(100, ge=1, description="times an iteration asks Q for new targets")
    updates: int = Field(20, ge=1, description="Adam steps on the same targets")
    batch: int = Field(256, ge=1, description="records per Adam step")
    rate: float = Field(3e-3, gt=0, description="learning rate; falls to 0 as a cosine")
    averaging: float = Field(0.9, ge=0, lt=1, description="of the weights given away, per step")


class QLearning:
    """Q-learning at work on some problems."""

    def __init__(self, problems: OracleProblems, settings: QLearningSettings, seed: int) -> None:
        self._count = len(problems.problems)
        self._settings = settings
        self._random = np.random.default_rng(seed)
        self._metadata = perceptron_metadata("q_learning", problems, settings.hidden)
        self._roller = PerceptronRoller(problems, self._metadata)
        self._replay: list[Records] = []
        self._regression = Regression(
            self._metadata.num_inputs,
            settings.hidden,
            rate=settings.rate,
            averaging=settings.averaging,
            total=settings.iterations * settings.rounds * settings.updates,
            seed=seed,
        )

    @property
    def iterations(self) -> int:
        """N."""
        return self._settings.iterations

    def iterate(self, number: int) -> float:
        """Roll out, add what was met, and fit; the mean squared error of the last round."""
        s = self._settings
        self._replay.extend(self._roll_out(s.epsilon * s.decay ** (number - 1)))
        inputs = np.concatenate([one.inputs for one in self._replay])
        following = np.concatenate([one.following for one in self._replay])
        met = np.concatenate([one.met for one in self._replay])
        cost = np.concatenate([np.full(one.met.size, 1 / one.scale) for one in self._replay])
        loss = 0.0
        for _ in range(s.rounds):
            rows = self._random.integers(met.size, size=s.updates * s.batch)
            least = np.maximum(self._regression.values(following[rows]), 0.0)
            targets = (cost[rows] + np.where(met[rows], 0.0, least)).astype(np.float32)
            loss = self._regression.fit(inputs[rows], targets, s.updates, s.batch, self._random)
        return loss

    def heuristic(self) -> MlpHeuristic:
        """What has been learned so far."""
        return MlpHeuristic(self._metadata, self._regression.tensors())

    def _roll_out(self, epsilon: float) -> list[Records]:
        """Searches by what has been learned, some of their steps random; at first all are equal."""
        settings = self._settings
        weights = pack(self._metadata, self.heuristic().tensors)
        plan = RolloutPlan(
            steps=settings.steps,
            records=settings.records,
            explore=epsilon,
            explorer="random",
            random_records=0.0,
            until_met=True,
        )
        chosen = self._random.permutation(np.arange(settings.searches) % self._count)
        seeds = self._random.integers(2**62, size=chosen.size)
        return [
            self._roller.roll(weights, int(problem), plan, int(seed))
            for problem, seed in zip(chosen, seeds, strict=True)
        ]
