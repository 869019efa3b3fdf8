"""Neural A* (Yonetani et al., ICML 2021), trained on maps that are scaled down if they are large.

The encoder gives every cell of a map a guidance cost. Differentiable A* searches with these costs,
and its gradient says how to change them to close fewer cells off a shortest path. Only the encoder
runs in torch.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import Field

from phil.errors import InputError
from phil.graphs import GridGraph
from phil.graphs.distances import hops_to
from phil.heuristics.neural_astar import (
    EncoderSettings,
    NeuralAstarHeuristic,
    NeuralAstarMetadata,
)
from phil.heuristics.neural_astar.encoder import block_of, picture, scaled_down
from phil.heuristics.neural_astar.kernel import optimistic
from phil.heuristics.neural_astar.network import Encoder
from phil.learning.baselines.baseline import BaselineSettings, baseline
from phil.learning.baselines.differentiable_astar import search_and_gradient
from phil.learning.oracle import OracleProblems


class NeuralAstarSettings(BaselineSettings):
    """The settings of Neural A*."""

    iterations: int = Field(12, ge=1, description="passes over the training problems")
    batch: int = Field(8, ge=1, description="problems per step of the optimiser")
    rate: float = Field(3e-3, gt=0, le=1, description="initial learning rate; cosine decay to 0")
    side: int = Field(
        67, ge=4, description="maximum side of a training map; larger ones are scaled down"
    )
    channels: tuple[int, ...] = Field(
        (32, 64, 64, 64), min_length=1, max_length=8, description="channels of the encoder's levels"
    )
    patch: int = Field(
        2, ge=1, le=16, description="side of the squares of cells that the encoder merges"
    )
    temperature: float = Field(
        1.0, gt=0, description="temperature of the softmax, relative to the paper's sqrt(side)"
    )
    most_cost: float = Field(1.0, gt=0, le=1000, description="maximum guidance cost of a cell")


@dataclass(frozen=True)
class Lesson:
    """A training problem, scaled down."""

    grid: GridGraph
    start: int
    goal: int
    path: NDArray[np.bool_]  # cells of a shortest path, flat


class NeuralAstar:
    """Trains an encoder; an iteration is a pass over all problems in random order."""

    distances = 0  # it learns from paths

    def __init__(self, train: OracleProblems, settings: NeuralAstarSettings, seed: int) -> None:
        self.iterations = settings.iterations
        self._settings = settings
        self._block, self._lessons = lessons(train, settings.side)
        self._left_out = len(train.problems) - len(self._lessons)
        self._random = np.random.default_rng([seed, 0])
        encoder = EncoderSettings(
            channels=settings.channels, patch=settings.patch, most_cost=settings.most_cost
        )
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(np.random.default_rng([seed, 1]).integers(2**62)))
            self._encoder = Encoder(encoder)
        self._optimizer = torch.optim.Adam(self._encoder.parameters(), settings.rate)

    def iterate(self, number: int) -> float:
        """Make one pass; returns the mean share of cells closed off the path or missed on it."""
        self._encoder.train()
        batches = self._batches()
        losses: list[float] = []
        for position, batch in enumerate(batches):
            done = (number - 1 + position / len(batches)) / self.iterations
            for group in self._optimizer.param_groups:
                group["lr"] = self._settings.rate * (1 + np.cos(np.pi * done)) / 2
            losses += self._learn(batch)
        return float(np.mean(losses))

    def heuristic(self) -> NeuralAstarHeuristic:
        """The heuristic learned so far."""
        metadata = NeuralAstarMetadata(
            feature_names=self._lessons[0].grid.feature_names,
            encoder=self._encoder.settings,
            block=self._block,
            training={"left_out": self._left_out},
        )
        return NeuralAstarHeuristic(metadata, self._encoder.tensors())

    def _batches(self) -> list[list[Lesson]]:
        """All lessons in random order; the maps of a batch have the same shape."""
        by_shape: defaultdict[tuple[int, int], list[Lesson]] = defaultdict(list)
        for number in self._random.permutation(len(self._lessons)):
            by_shape[self._lessons[number].grid.shape].append(self._lessons[number])
        size = self._settings.batch
        batches = [
            same[first : first + size]
            for same in by_shape.values()
            for first in range(0, len(same), size)
        ]
        return [batches[number] for number in self._random.permutation(len(batches))]

    def _learn(self, batch: list[Lesson]) -> list[float]:
        """Take one step of the optimiser; returns the loss of every lesson."""
        pictures = np.stack([picture(lesson.grid, lesson.start, lesson.goal) for lesson in batch])
        guidance = self._encoder(torch.from_numpy(pictures).permute(0, 3, 1, 2))
        known = guidance.detach().numpy()
        gradients = np.empty_like(known)
        # Keys are twice the paper's f.
        temperature = 2 * self._settings.temperature * max(known.shape[1:]) ** 0.5
        losses = []
        for number, lesson in enumerate(batch):
            wrong, gradient = search_and_gradient(
                lesson.grid,
                np.ascontiguousarray(known[number]).reshape(-1),
                lesson.start,
                lesson.goal,
                lesson.path,
                temperature,
            )
            gradients[number] = gradient.reshape(lesson.grid.shape) / len(batch)
            losses.append(wrong / gradient.size)
        self._optimizer.zero_grad()
        guidance.backward(torch.from_numpy(gradients))
        self._optimizer.step()
        return losses


def lessons(train: OracleProblems, side: int) -> tuple[int, list[Lesson]]:
    """The block size at which no map is larger than `side`, and the problems scaled down by it.

    Problems that lose their path are left out.
    """
    for problem in train.problems:
        if not problem.graph.is_grid:
            raise InputError(
                f"Neural A* works only on maps, but problem '{problem.name}' is on another kind of "
                "graph; choose another method"
            )
        problem.graph.plane(f"problem '{problem.name}': Neural A*")
    grids = [problem.graph for problem in train.problems if problem.graph.is_grid]
    block = -(-max(max(grid.shape) for grid in grids) // side)
    found = []
    for grid, problem in zip(grids, train.problems, strict=True):
        start, goal = (block_of(grid, block, node) for node in (problem.start, problem.goal))
        coarse = scaled_down(grid, block, problem.start, problem.goal)
        distances = hops_to(coarse, goal)
        if np.isfinite(distances[start]):
            found.append(Lesson(coarse, start, goal, shortest_path(coarse, distances, start, goal)))
    if not found:
        raise InputError(
            f"scaled down by {block}, none of the {len(grids)} training problems has a path; set "
            f"side to more than {side}"
        )
    return block, found


def shortest_path(
    grid: GridGraph, distances: NDArray[np.float64], start: int, goal: int
) -> NDArray[np.bool_]:
    """The cells of a shortest path in moves; of several moves, the one to the least h is taken."""
    path = np.zeros(grid.size, bool)
    node = start
    path[node] = True
    while node != goal:
        near = grid.neighbors(node)
        on = near[distances[near] < distances[node]]
        node = int(min(on, key=lambda other: optimistic(grid.arrays, int(other), goal)))
        path[node] = True
    return path


METHOD = baseline("neural_astar", "Neural A*", NeuralAstarSettings, NeuralAstar)
