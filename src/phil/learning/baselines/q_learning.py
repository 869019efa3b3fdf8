"""Q-learning: the cost of expanding an open node and then searching on until the goal is found.

A search is a Markov decision process: expanding an open node costs 1, and the episode ends when the
goal is in OPEN. Q is fitted to the cost of a step plus the least Q of the next OPEN, on the steps
of searches by the current Q with a share epsilon of random steps. No oracle is used.

Features, network, epsilon, k = 100 recorded steps per search, and learning from all searches so far
follow SaIL's authors. The differences are:
- Searches continue until the goal is found, and that step is always recorded: a sample of 100 out
  of thousands of steps would miss it, and no other step shows what is near the goal.
- Of the next OPEN, only the node that was best at the time is evaluated; evaluating all nodes would
  require storing all of OPEN.
- Later costs are discounted and bounded by their largest possible sum. Without this, values
  diverged on forest: what is learned about a node raises its neighbours' values, and these raise
  the node's.
- There is a target network, as in DQN: the averaged weights, evaluated again every few steps. (At
  every 20 steps, values rose by one expansion each time: too slow for searches of hundreds.)
- Inputs are scaled to the map; Adam with a decaying learning rate replaces RMSProp.

Results vary a lot between iterations (in one training run on forest from 750 to over 10,000
expansions); validation selects the best. Of eight settings, one run each, none was good on both
forest and mazes, and on mazes none came close to greedy search.
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
    steps: int = Field(40_000, ge=1, description="[T] maximum expansions of a search")
    epsilon: float = Field(0.9, ge=0, le=1, description="initial share of random steps")
    decay: float = Field(0.5, ge=0, le=1, description="decay of epsilon per iteration")
    discount: float = Field(0.995, ge=0, le=1, description="discount of later costs, per step")
    hidden: Hidden = Field((100, 50), description="sizes of the hidden layers")
    rounds: int = Field(300, ge=1, description="times per iteration that targets are computed")
    updates: int = Field(4, ge=1, description="Adam steps on the same targets")
    batch: int = Field(64, ge=1, description="records per Adam step")
    rate: float = Field(3e-3, gt=0, description="initial learning rate; cosine decay to 0")
    averaging: float = Field(0.9, ge=0, lt=1, description="decay of the averaged weights, per step")


class QLearning:
    """The learner of Q-learning."""

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
        """The total number of iterations."""
        return self._settings.iterations

    def iterate(self, number: int) -> float:
        """Roll out, add the records, and fit; returns the mean squared error of the last round."""
        settings = self._settings
        self._replay.extend(self._roll_out(settings.epsilon * settings.decay ** (number - 1)))
        inputs = np.concatenate([one.inputs for one in self._replay])
        following = np.concatenate([one.following for one in self._replay])
        met = np.concatenate([one.met for one in self._replay])
        cost = np.concatenate([np.full(one.met.size, 1 / one.scale) for one in self._replay])
        most = cost / max(1 - settings.discount, 1e-6)  # the discounted cost of an endless search
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
        """The heuristic learned so far."""
        return MlpHeuristic(self._metadata, self._regression.tensors())

    def _roll_out(self, epsilon: float) -> list[Records]:
        """Searches on random problems by the current Q, with some random steps."""
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
