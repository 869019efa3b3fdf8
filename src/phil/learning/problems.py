"""Training problems made ready: oracle distances known, unsolvable ones set aside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import Graph, GridGraph
from phil.graphs.distances import hops_to
from phil.heuristics.phil.scaling import Scaling, measure
from phil.heuristics.phil.settings import NetworkSettings
from phil.learning.settings import TrainingSettings
from phil.problems.problem import Problem


@dataclass(frozen=True)
class OracleProblems:
    """Solvable problems with the distances of all nodes to the goal, in moves."""

    problems: tuple[Problem, ...]
    distances: tuple[NDArray[np.float64], ...]
    unsolvable: int

    @property
    def mean_distance(self) -> float:
        """The mean number of moves from start to goal."""
        return float(
            np.mean([d[p.start] for p, d in zip(self.problems, self.distances, strict=True)])
        )


def with_oracle(problems: Sequence[Problem], split: str) -> OracleProblems:
    """Ask the oracle; problems without a path, or with none to go, teach nothing: left out."""
    if not problems:
        raise InputError(f"the problem set has no {split} problems; training needs some")
    distances = [hops_to(problem.graph, problem.goal) for problem in problems]
    solvable = [
        (problem, distance)
        for problem, distance in zip(problems, distances, strict=True)
        if 0 < distance[problem.start] < np.inf
    ]
    if not solvable:
        raise InputError(
            f"none of the {len(problems)} {split} problems has a path from start to another goal"
        )
    for problem, distance in solvable:
        _check_dead_ends(problem, distance)
    return OracleProblems(
        problems=tuple(problem for problem, _ in solvable),
        distances=tuple(distance for _, distance in solvable),
        unsolvable=sum(
            bool(np.isinf(distance[problem.start]))
            for problem, distance in zip(problems, distances, strict=True)
        ),
    )


def _check_dead_ends(problem: Problem, distance: NDArray[np.float64]) -> None:
    graph = problem.graph
    if not graph.directed:
        return
    met = np.isfinite(hops_to(graph.reversed(), problem.start))
    dead = np.flatnonzero(met & np.isinf(distance))
    if dead.size:
        raise InputError(
            f"problem '{problem.name}': node {dead[0]} can be reached from the start, but the goal "
            "not from it; training on directed graphs with such dead ends is not supported"
        )


def network_settings(settings: TrainingSettings, *sets: OracleProblems) -> NetworkSettings:
    """The network's shape: settings, and what the graphs offer. All graphs must offer the same."""
    shapes = {_shape(problem) for chosen in sets for problem in chosen.problems}
    if len(shapes) > 1:
        raise InputError(
            f"the graphs differ in (grid, features, edge features, moves): {sorted(shapes)}; "
            "train one heuristic for each kind"
        )
    is_grid, features, edge_features, moves = shapes.pop()
    if features == 0:
        raise InputError("the graphs have no node features; a heuristic needs at least one")
    return NetworkSettings(
        features=features,
        edge_features=edge_features,
        width=settings.width,
        layers=settings.layers,
        neighbors=settings.neighbors,
        convolution=settings.convolution,
        memory=settings.memory,
        remember=settings.remember,
        trail=settings.trail == "yes",
        walls=moves if settings.walls and is_grid and features == 2 else 0,
    )


def _shape(problem: Problem) -> tuple[bool, int, int, int]:
    graph = problem.graph
    is_grid = isinstance(graph, GridGraph)
    features = graph.features.shape[1] if isinstance(graph, Graph) else len(graph.feature_names)
    return is_grid, features, graph.arrays.edge_features.shape[1], graph.arrays.moves.shape[0]


def scaling_of(problems: OracleProblems) -> Scaling:
    """How features and distances are scaled for these problems."""
    graphs = [p.graph for p in problems.problems if isinstance(p.graph, Graph)]
    return measure(graphs, problems.mean_distance) if graphs else Scaling()
