"""SaIL: search as imitation learning (Bhardwaj, Choudhury and Scherer, CoRL 2017).

Searches are rolled out by a mixture of the oracle and the learner. Open nodes are labelled with the
oracle's distance and added to the data set; the network is fitted to all of it.

The 17 features, the network, the squared error, the mixture and the data aggregation are the
authors'. The differences are:
- Searches run for up to 4,000 expansions; the authors' 1,100 end before the goal on hard maps. An
  iteration has 200 searches with 200 records each instead of 50.
- There are two runs from scratch, and validation selects the better one. In one, any open node is
  recorded, as by the authors; in the other, 7 of 10 records are of the expanded node, where an
  error matters. (One training run each: 523 expansions against 756 on shifting_gaps, but 1,555
  against 1,289 at one half on single_bugtrap; in any run expansions vary a lot between iterations.)
- A record has the features that its node had when it entered OPEN, since its value in the queue was
  computed from them.
- Inputs and distances are scaled to the map; Adam with a decaying learning rate replaces RMSProp;
  weights are averaged. (On single_bugtrap, runs of 12,000 steps with 100 searches per iteration
  gave 1,275 to 1,555 expansions on 70 validation maps; one of 36,000 steps with 200 gave 846.)
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from pydantic import BeforeValidator, Field

from phil.heuristics.mlp import MlpHeuristic
from phil.heuristics.mlp.specification import pack
from phil.learning.baselines.baseline import BaselineSettings, baseline
from phil.learning.baselines.perceptron import (
    GroupDistances,
    Hidden,
    Regression,
    perceptron_metadata,
)
from phil.learning.baselines.records import PerceptronRoller, RecordSettings
from phil.learning.oracle import OracleProblems
from phil.learning.settings import split_text

Share = Annotated[float, Field(ge=0, le=1)]
Shares = Annotated[tuple[Share, ...], BeforeValidator(split_text), Field(min_length=1)]


class SailSettings(BaselineSettings):
    """The settings of SaIL."""

    iterations: int = Field(15, ge=1, description="[N] iterations of a run: searches, then a fit")
    searches: int = Field(200, ge=1, description="[m] searches per iteration")
    records: int = Field(200, ge=1, description="[k] open nodes recorded per search")
    steps: int = Field(4000, ge=1, description="[T] maximum expansions of a search")
    beta: float = Field(
        0.7, ge=0, le=1, description="in iteration i, the share of oracle steps is beta^(i - 1)"
    )
    explored: Shares = Field(
        (1.0, 0.3), description="share of records of random open nodes, for each run"
    )
    hidden: Hidden = Field((100, 50), description="sizes of the hidden layers")
    group_distances: GroupDistances = False
    updates: int = Field(2400, ge=1, description="Adam steps per iteration")
    batch: int = Field(512, ge=1, description="records per Adam step")
    rate: float = Field(3e-3, gt=0, description="initial learning rate; cosine decay to 0")
    averaging: float = Field(
        0.999, ge=0, lt=1, description="decay of the averaged weights, per step"
    )


class Sail:
    """The learner of SaIL."""

    def __init__(self, problems: OracleProblems, settings: SailSettings, seed: int) -> None:
        self.distances = 0
        self._count = len(problems.problems)
        self._settings = settings
        self._random = np.random.default_rng(seed)
        self._metadata = perceptron_metadata(
            "sail", problems, settings.hidden, group_distances=settings.group_distances
        )
        self._roller = PerceptronRoller(problems, self._metadata)
        self._begin()

    @property
    def iterations(self) -> int:
        """The total number of iterations, over all runs."""
        return len(self._settings.explored) * self._settings.iterations

    def iterate(self, number: int) -> float:
        """Roll out, add the records, and fit; returns the mean squared error."""
        settings = self._settings
        run, before = divmod(number - 1, settings.iterations)
        if run > 0 and before == 0:
            self._begin()
        self._collect(settings.beta**before, settings.explored[run])
        return self._regression.fit(
            self._inputs, self._targets, settings.updates, settings.batch, self._random
        )

    def heuristic(self) -> MlpHeuristic:
        """The heuristic learned so far."""
        return MlpHeuristic(self._metadata, self._regression.tensors())

    def _begin(self) -> None:
        """Start a run from scratch."""
        self._inputs = np.zeros((0, self._metadata.num_inputs), np.float32)
        self._targets = np.zeros(0, np.float32)
        settings = self._settings
        self._regression = Regression(
            self._metadata.num_inputs,
            settings.hidden,
            rate=settings.rate,
            averaging=settings.averaging,
            total=settings.iterations * settings.updates,
            seed=int(self._random.integers(2**62)),
        )

    def _collect(self, share: float, explored: float) -> None:
        """Roll out searches by the mixture of oracle and learner, and add their records."""
        settings = self._settings
        weights = pack(self._metadata, self.heuristic().tensors)
        plan = RecordSettings(
            steps=settings.steps,
            records=settings.records,
            explore=share,
            random_records=explored,
        )
        chosen = self._random.permutation(np.arange(settings.searches) % self._count)
        if settings.searches < self._count:
            chosen = self._random.choice(self._count, settings.searches, replace=False)
        seeds = self._random.integers(2**62, size=chosen.size)
        rolled = [
            self._roller.roll(weights, int(problem), plan, int(seed))
            for problem, seed in zip(chosen, seeds, strict=True)
        ]
        self._inputs = np.concatenate([self._inputs, *(one.inputs for one in rolled)])
        self._targets = np.concatenate([self._targets, *(one.target for one in rolled)])
        self.distances += sum(one.target.size for one in rolled)


METHOD = baseline("sail", "SaIL: search as imitation learning", SailSettings, Sail)
