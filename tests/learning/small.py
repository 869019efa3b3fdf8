"""Problems small enough to learn from in a moment, and settings that take one."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Timer
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from phil.graphs import Graph, GridGraph
from phil.graphs.distances import hops_to
from phil.heuristics.phil import PhilHeuristic, PhilMetadata
from phil.heuristics.phil.network import PhilNetwork
from phil.heuristics.scaling import Scaling, frame
from phil.learning.learner import Learner, tensors_of
from phil.learning.oracle import OracleProblems, network_settings, scaling_of, with_oracle
from phil.learning.plan import Candidate
from phil.learning.settings import training_settings
from phil.problems.problem import Problem, ProblemSet

# A run of a tenth of a second: two candidates, each iteration validated.
QUICK: dict[str, Any] = {
    "width": 8,
    "memory": 4,
    "iterations": 3,
    "plain": 0,
    "hard_candidates": 0,
    "tune": 0,
    "frame": "map",
    "objective": "expansions",
    "rollouts": 2,
    "steps": 2,
    "batch": 4,
    "validate_every": 1,
}


def scattered_map(side: int, seed: int) -> NDArray[np.bool_]:
    """A map with a quarter of its cells blocked, and a path between the two far corners."""
    random = np.random.default_rng(seed)
    while True:
        free = random.random((side, side)) > 0.25
        free[-1, 0] = free[0, -1] = True
        grid = GridGraph(free)
        if np.isfinite(hops_to(grid, grid.node(0, side - 1))[grid.node(side - 1, 0)]):
            return free


def corner_problem(free: NDArray[np.bool_], name: str = "") -> Problem:
    """From the bottom-left to the top-right cell."""
    grid = GridGraph(free)
    rows, columns = grid.shape
    return Problem(grid, grid.node(rows - 1, 0), grid.node(0, columns - 1), name)


def grid_problems(count: int, *, seed: int = 0, side: int = 21) -> tuple[Problem, ...]:
    """Solvable problems on scattered maps."""
    return tuple(
        corner_problem(scattered_map(side, 1000 * seed + k), f"{seed}/{k}") for k in range(count)
    )


def walled_off(side: int = 21) -> Problem:
    """A problem without a path."""
    free = np.ones((side, side), bool)
    free[side // 2] = False
    return corner_problem(free, "walled off")


def ring_graph(seed: int, *, nodes: int = 40, edge_features: int = 0) -> Graph:
    """A ring with chords and random features."""
    random = np.random.default_rng(seed)
    ring = np.stack([np.arange(nodes), np.roll(np.arange(nodes), -1)], axis=1)
    edges = np.concatenate([ring, random.integers(nodes, size=(nodes // 4, 2))])
    return Graph.from_edges(
        nodes,
        edges,
        5 + random.normal(size=(nodes, 3)) * [1, 10, 0.1],
        edge_features=random.normal(size=(len(edges), edge_features)) if edge_features else None,
    )


def graph_problems(
    count: int, *, seed: int = 0, nodes: int = 40, edge_features: int = 0
) -> tuple[Problem, ...]:
    """Problems on rings with chords."""
    graphs = (
        ring_graph(1000 * seed + k, nodes=nodes, edge_features=edge_features) for k in range(count)
    )
    return tuple(Problem(graph, 0, nodes // 2, f"{seed}/{k}") for k, graph in enumerate(graphs))


def small_set() -> ProblemSet:
    """A few train and validation problems."""
    return ProblemSet("small", grid_problems(4), grid_problems(4, seed=1))


LOOKING_AHEAD = {
    "trail": "yes",
    "frame": "map",
    "known": 0,
    "lazy": False,
    "neighbors": 8,
    "walls": True,
    "memory": 16,
}


class Setup:
    """Problems with their oracle, and a network of a preset with its first weights."""

    def __init__(
        self,
        problems: Sequence[Problem],
        preset: str = "best",
        changes: Mapping[str, object] | None = None,
        *,
        seed: int = 0,
    ) -> None:
        # The network here reads what can be told by hand from a node alone, and looks ahead.
        chosen: dict[str, object] = {**LOOKING_AHEAD} if preset == "best" else {}
        self.settings = training_settings(preset, {**chosen, **(changes or {})})
        self.oracle: OracleProblems = with_oracle(problems, "train")
        self.scaling: Scaling = scaling_of(self.oracle)
        self.network_settings = network_settings(self.settings, self.oracle)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.network = PhilNetwork(self.network_settings)
        metadata = PhilMetadata(
            network=self.network_settings,
            feature_names=problems[0].graph.feature_names,
            scaling=self.scaling,
        )
        self.heuristic = PhilHeuristic(metadata, tensors_of(self.network))

    def candidate(self, number: int = 0) -> Candidate:
        """A candidate with such a network."""
        return Candidate(number, self.network_settings, self.scaling, "together")

    def learner(self, number: int = 0, *, seed: int = 0) -> Learner:
        """A candidate that has learned nothing yet."""
        return Learner(self.candidate(number), self.settings, self.oracle, seed)


class PlainTrail:
    """How a search comes to its nodes: scaled depth, last step, decaying mean of all steps."""

    def __init__(self, setup: Setup, problem: Problem) -> None:
        self._features = problem.graph.features.astype(np.float64)
        self._frame = frame(problem.graph, setup.scaling)
        self._size = setup.network_settings.trail_size
        self._trend = {problem.start: np.zeros(self._features.shape[1])}

    def follow(self, node: int, new: list[int], depth: int) -> NDArray[np.float32]:
        """The trails of the new nodes that expanding a node uncovers."""
        rows = np.zeros((len(new), self._size), np.float32)
        for k, other in enumerate(new):
            step = (self._features[other] - self._features[node]) / self._frame.step
            trend = self._trend[other] = 0.9 * self._trend[node] + 0.1 * step
            rows[k] = [depth / self._frame.distance[0], *step, *trend][: self._size]
        return rows


# Long enough to be killed in either round.
LONG = QUICK | {"iterations": 20, "hard_candidates": 2, "hard": 1.0, "validate_every": 2}


def train_until_killed(output: Path, after: int) -> None:
    """A run that kills its own process at some moment after so many iterations."""
    from phil.learning import Iteration, train

    def report(iteration: Iteration) -> None:
        if iteration.number == after:
            delay = float(np.random.default_rng().random() / 20)
            Timer(delay, os.kill, (os.getpid(), signal.SIGKILL)).start()

    train(small_set(), settings=LONG, output=output, report=report)
