"""Q-learning: what the expansion of an open node costs until the goal is found.

A search is a Markov decision process: expanding an open node costs 1, and it ends when the goal is
in OPEN. Q is fitted to the cost of a step plus the least Q of the next OPEN; the steps are those of
searches by the Q learned so far, with a share epsilon of random ones. No oracle is asked.

Features, network, epsilon, k = 100 steps of every search, and learning from all searches so far are
as SaIL's authors have them. What differs, and why:
- Searches go on until the goal is found, and that step is always recorded: 100 of thousands of
  steps would miss it, and no other says what is near the goal.
- Of the next OPEN, only the node that was best when the step was taken is asked for its Q now;
  asking all would mean keeping all of OPEN.
- Later costs are discounted, and bounded by what they can sum to. Without this, values grew without
  end on forest: what is learned about a node raises its neighbours, and these raise the node.
- There is a target network, as in DQN: the averaged weights, asked again every few steps. (Asked
  once per 20 steps, values rose by one expansion each time: too slow for searches of hundreds.)
- Inputs are scaled to the map; Adam with a decaying rate replaces RMSProp.

Results vary a lot between iterations (in one training on forest between 750 and over 10,000
expansions); validation chooses. Of eight settings, with one training each, none was good on both
forest and mazes, and on mazes none came near greedy search.
"""

from __future__ import annotations

import numpy as np
from pydantic import Field

from phil.heuristics.mlp import MlpHeuristic
from phil.heuristics.mlp.specification import pack
from phil.learning.baselines.baseline import BaselineSettings, baseline
from phil.learning.baselines.perceptron import Hidden, Regression, perceptron_metadata
from phil.learning.baselines.records import PerceptronRoller, Records, RecordSettings
from phil.learning.oracle import OracleProblems


class QLearningSettings(BaselineSettings):
    """The settings of Q-learning."""

    iterations: int = Field(15, ge=1, description="[N] iterations: searches, then a fit")
    searches: int = Field(100, ge=1, description="[m] searches per iteration")
    records: int = Field(100, ge=1, description="[k] steps recorded per search")
    steps: int = Field(40_000, ge=1, description="[T] expansions of a search, at most")
    epsilon: float = Field(0.9, ge=0, le=1, description="share of random steps, to begin with")
    decay: float = Field(0.5, ge=0, le=1, description="decay of epsilon per iteration")
    discount: float = Field(0.995, ge=0, le=1, description="discount of later costs, per step")
    hidden: Hidden = Field((100, 50), description="sizes of the hidden layers")
    rounds: int = Field(300, ge=1, description="times an iteration asks Q for new targets")
    updates: int = Field(4, ge=1, description="Adam steps on the same targets")
    batch: int = Field(64, ge=1, description="records per Adam step")
    rate: float = Field(3e-3, gt=0, description="learning rate; falls to 0 as a cosine")
    averaging: float = Field(0.9, ge=0, lt=1, description="decay of the averaged weights, per step")


class QLearning:
    """Q-learning at work on some problems."""

    distances = 0  # it learns from its own steps

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
        """Roll out, add what was recorded, and fit; the mean squared error of the last round."""
        settings = self._settings
        self._replay.extend(self._roll_out(settings.epsilon * settings.decay ** (number - 1)))
        inputs = np.concatenate([one.inputs for one in self._replay])
        following = np.concatenate([one.following for one in self._replay])
        met = np.concatenate([one.met for one in self._replay])
        cost = np.concatenate([np.full(one.met.size, 1 / one.scale) for one in self._replay])
        most = cost / max(1 - settings.discount, 1e-6)  # of steps that never end
        loss = 0.0
        for _ in range(settings.rounds):
            rows = self._random.integers(met.size, size=settings.updates * settings.batch)
            least = np.clip(self._regression.values(following[rows]), 0.0, most[rows])
            after = np.where(met[rows], 0.0, settings.discount * least)
            targets = (cost[rows] + after).astype(np.float32)
            loss = self._regression.fit(
                inputs[rows], targets, settings.updates, settings.batch, self._random
            )
        return loss

    def heuristic(self) -> MlpHeuristic:
        """What has been learned so far."""
        return MlpHeuristic(self._metadata, self._regression.tensors())

    def _roll_out(self, epsilon: float) -> list[Records]:
        """Searches by what has been learned, some of their steps random, on random problems."""
        settings = self._settings
        weights = pack(self._metadata, self.heuristic().tensors)
        plan = RecordSettings(
            steps=settings.steps,
            records=settings.records,
            explore=epsilon,
            explorer="random",
            random_records=0.0,
            until_met=True,
        )
        order = self._random.permutation(self._count)
        seeds = self._random.integers(2**62, size=settings.searches)
        return [
            self._roller.roll(weights, int(order[k % order.size]), plan, int(seed))
            for k, seed in enumerate(seeds)
        ]


METHOD = baseline("q_learning", "Q-learning", QLearningSettings, QLearning)
