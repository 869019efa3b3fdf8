"""Supervised learning: labelled nodes that do not depend on the learner.

There are two schemes. `rollouts` is SaIL with all searches rolled out by the oracle (beta = 1
throughout): a random open node of every step is labelled, and the network has SaIL's inputs.
`pairs` draws uniformly random pairs of node and goal, and their features are the only inputs;
PHIL's authors use this on general graphs, with 5 layers of width 256, as here.

All data are collected before the first iteration; the iterations only fit, and the best is kept.
SaIL's authors use RMSProp; here the network is fitted like SaIL's (see
`phil.learning.baselines.perceptron`). The error soon stops falling, but on some families expansions
continue to fall (alternating_gaps: 6,972 after 15 iterations, 4,259 after 33) and on others they
rise (single_bugtrap), because the learner's searches visit nodes that the oracle's never did. Hence
many short iterations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from phil.graphs.distances import oracle_distances
from phil.heuristics.mlp import MlpHeuristic, MlpMetadata
from phil.heuristics.mlp.heuristic import NO_OBSTACLES
from phil.heuristics.mlp.kernel import write_rows
from phil.heuristics.mlp.specification import pack, tensor_shapes
from phil.heuristics.scaling import frame
from phil.learning.baselines.baseline import BaselineSettings, baseline
from phil.learning.baselines.perceptron import (
    Floats,
    GroupDistances,
    Hidden,
    Regression,
    perceptron_metadata,
)
from phil.learning.baselines.records import PerceptronRoller, RecordSettings
from phil.learning.oracle import OracleProblems

Scheme = Literal["rollouts", "pairs"]

NODES_PER_GOAL = 100  # distances to a goal cost as much for one node as for all
HIDDEN: dict[Scheme, tuple[int, ...]] = {"rollouts": (100, 50), "pairs": (256,) * 5}


class SupervisedSettings(BaselineSettings):
    """The settings of supervised learning."""

    scheme: Scheme | None = Field(
        None, description="what is labelled (default: rollouts on grids, pairs elsewhere)"
    )
    iterations: int = Field(40, ge=1, description="iterations, each followed by a validation")
    searches: int = Field(600, ge=1, description="scheme rollouts: [m] searches of the oracle")
    steps: int = Field(4000, ge=1, description="scheme rollouts: maximum expansions of a search")
    pairs: int = Field(100_000, ge=1, description="scheme pairs: number of pairs")
    hidden: Hidden | None = Field(
        None, description="sizes of the hidden layers (default: those of the scheme's authors)"
    )
    group_distances: GroupDistances = False
    updates: int = Field(200, ge=1, description="Adam steps per iteration")
    batch: int = Field(256, ge=1, description="labelled nodes per Adam step")
    rate: float = Field(3e-3, gt=0, description="initial learning rate; cosine decay to 0")
    averaging: float = Field(
        0.995, ge=0, lt=1, description="decay of the averaged weights, per step"
    )


class Supervised:
    """The learner of supervised learning."""

    def __init__(self, problems: OracleProblems, settings: SupervisedSettings, seed: int) -> None:
        self._settings = settings
        self._random = np.random.default_rng(seed)
        usual = perceptron_metadata("supervised", problems, (1,)).inputs
        scheme = settings.scheme or ("rollouts" if usual == "grid" else "pairs")
        self._metadata = perceptron_metadata(
            "supervised",
            problems,
            settings.hidden or HIDDEN[scheme],
            "nodes" if scheme == "pairs" else usual,
            group_distances=settings.group_distances,
        )
        if scheme == "pairs":
            drawn = draw_pairs(problems, self._metadata, settings.pairs, self._random)
            self._inputs, self._targets = drawn.inputs, drawn.target
        else:
            self._inputs, self._targets = self._roll_out(problems)
        self.distances = self._targets.size
        self._regression = Regression(
            self._metadata.num_inputs,
            self._metadata.hidden,
            rate=settings.rate,
            averaging=settings.averaging,
            total=settings.iterations * settings.updates,
            seed=seed,
        )

    @property
    def iterations(self) -> int:
        """The total number of iterations."""
        return self._settings.iterations

    def iterate(self, number: int) -> float:
        """Continue the fit; returns the mean squared error."""
        return self._regression.fit(
            self._inputs,
            self._targets,
            self._settings.updates,
            self._settings.batch,
            self._random,
        )

    def heuristic(self) -> MlpHeuristic:
        """The heuristic learned so far."""
        return MlpHeuristic(self._metadata, self._regression.tensors())

    def _roll_out(self, problems: OracleProblems) -> tuple[Floats, Floats]:
        """Searches by the oracle on random problems, each once before any is repeated."""
        settings = self._settings
        shapes = tensor_shapes(self._metadata)
        nothing = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}
        weights = pack(self._metadata, nothing)
        roller = PerceptronRoller(problems, self._metadata)
        plan = RecordSettings(steps=settings.steps, records=settings.steps, explore=1.0)
        order = self._random.permutation(len(problems.problems))
        seeds = self._random.integers(2**62, size=settings.searches)
        rolled = [
            roller.roll(weights, int(order[k % order.size]), plan, int(seed))
            for k, seed in enumerate(seeds)
        ]
        return (
            np.concatenate([one.inputs for one in rolled]),
            np.concatenate([one.target for one in rolled]),
        )


@dataclass(frozen=True)
class LabelledPairs:
    """inputs (K, I): of a node on the way to a goal; target (K,): their scaled distance."""

    inputs: NDArray[np.float32]
    target: NDArray[np.float32]


def draw_pairs(
    problems: OracleProblems, metadata: MlpMetadata, count: int, random: np.random.Generator
) -> LabelledPairs:
    """Pairs of a random node and a random goal on the graph of a random problem.

    Each goal is used for many of the nodes that can reach it. The starts and goals of the problems
    are not used.
    """
    inputs, targets = [], []
    left = count
    while left > 0:
        problem = problems.problems[random.integers(len(problems.problems))]
        graph = problem.graph
        goal = int(random.choice(graph.node_ids))
        distance = oracle_distances(graph, goal, unit=problems.unit)
        nodes = random.choice(np.flatnonzero(np.isfinite(distance)), min(left, NODES_PER_GOAL))
        scale = frame(graph, metadata.scaling)
        there = ((graph.features[goal] - scale.centre) / scale.spread).astype(np.float32)
        rows = np.empty((nodes.size, metadata.num_inputs), np.float32)
        ends = np.cumsum(np.array(metadata.groups, np.int64))
        write_rows(ends, graph.arrays, scale, NO_OBSTACLES, there, nodes, rows)
        inputs.append(rows)
        targets.append(distance[nodes] / scale.distance[0])
        left -= nodes.size
    return LabelledPairs(np.concatenate(inputs), np.concatenate(targets).astype(np.float32))


METHOD = baseline("supervised", "supervised learning", SupervisedSettings, Supervised)
