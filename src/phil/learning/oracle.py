"""The oracle: exact distances to the goals of the solvable training problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import Graph
from phil.graphs.distances import hops_to, oracle_distances
from phil.heuristics.phil.specification import NetworkSettings
from phil.heuristics.scaling import Lengths, Scaling, measure
from phil.learning.settings import DeadEnds, TrainingSettings, Unit
from phil.learning.spill import Spill
from phil.learning.threads import THREADS, in_threads, workers_on
from phil.problems.problem import Problem
from phil.workers import LOCAL, Workers

if TYPE_CHECKING:
    from phil.learning.rollout import Rollout

MOST_WALLS = 8  # moves whose absence is an input: its table has 2 ** moves rows


@dataclass(frozen=True)
class SolvableProblems:
    """Problems with a path from start to goal."""

    problems: tuple[Problem, ...]
    unsolvable: int  # the number of problems without one, which were dropped
    # The same on the graphs as they were given, without added features; by default these.
    plain: tuple[Problem, ...] = field(default=(), kw_only=True)
    familiar: bool = field(default=False, kw_only=True)  # whether training is on the same graphs


@dataclass(frozen=True)
class OracleProblems(SolvableProblems):
    """Solvable problems with the distances of all nodes to the goal, in their unit.

    Problems with the same graph and goal share one array of distances.
    """

    distances: tuple[NDArray[np.float64], ...]
    unit: Unit = "moves"
    features: str = ""  # recipe of the features added to the graphs' own

    @property
    def mean_distance(self) -> float:
        """The mean distance from start to goal."""
        return float(
            np.mean([d[p.start] for p, d in zip(self.problems, self.distances, strict=True)])
        )

    def label(self, rollout: Rollout) -> Rollout:
        """The roll-out with the distance of every node that it uncovered."""
        distance = self.distances[rollout.problem][rollout.nodes]
        return replace(rollout, distance=distance.astype(np.float32))


def usual_unit(problems: Sequence[Problem]) -> Unit:
    """Path cost on weighted graphs, else moves: on grids they train better than path costs."""
    weighted = any(p.graph.is_weighted for p in problems)
    return "cost" if weighted else "moves"


def solvable(
    problems: Sequence[Problem],
    split: str,
    plain: Sequence[Problem] | None = None,
    train: Sequence[Problem] = (),
) -> SolvableProblems:
    """The problems with a non-empty path: there is nothing to learn from the others.

    `plain` are the same problems on graphs without added features, `train` those that will be
    trained on.
    """
    known = {id(problem.graph) for problem in train}
    moves = in_threads(lambda p: float(hops_to(p.graph, p.goal)[p.start]), problems)
    kept = _with_a_path(problems, split, moves)
    return SolvableProblems(
        tuple(problems[k] for k in kept),
        int(np.isinf(moves).sum()),
        plain=tuple((plain or problems)[k] for k in kept),
        familiar=all(id(problem.graph) in known for problem in problems),
    )


def with_oracle(
    problems: Sequence[Problem],
    split: str,
    unit: Unit | Literal["auto"] = "auto",
    dead_ends: DeadEnds = "reverse",
    features: str = "",
    workers: Workers | None = None,
) -> OracleProblems:
    """Compute the distances of all solvable problems; `features` were added to their graphs.

    On a directed graph, a node that cannot reach the goal has no distance. With `reverse` it gets
    its distance in the graph with reversed edges added (the paper's appendix A); with `leave_out`
    its distance is infinite, and nothing is learned about it.

    Distances beyond a quarter of the free memory are kept in a temporary file.
    """
    chosen = usual_unit(problems) if unit == "auto" else unit
    first = {(id(problem.graph), problem.goal): problem for problem in problems}
    asked = [*first.values()]
    spill = Spill()
    with workers_on(LOCAL if workers is None else workers, THREADS) as where:
        asking = where.map(_distances, where.share((asked, chosen)), range(len(asked)))
        # Copies of those that a cluster's store holds, which has room for what is at work.
        found = [spill.keep(np.require(table, requirements="W")) for table in asking]
    tables = dict(zip(first, found, strict=True))
    lengths = [float(tables[id(p.graph), p.goal][p.start]) for p in problems]
    both_ways: dict[int, Graph] = {}
    if dead_ends == "reverse":
        graphs = {id(problem.graph): problem.graph for problem in problems}
        for (which, goal), table in [*tables.items()]:
            graph = graphs[which]
            if graph.directed and np.isinf(table).any():
                if which not in both_ways:
                    both_ways[which] = _with_reverse_edges(graph)
                back = oracle_distances(both_ways[which], goal, unit=chosen)
                tables[which, goal] = spill.keep(np.where(np.isinf(table), back, table))
    kept = _with_a_path(problems, split, lengths)
    return OracleProblems(
        problems=tuple(problems[k] for k in kept),
        unsolvable=int(np.isinf(lengths).sum()),
        distances=tuple(tables[id(problems[k].graph), problems[k].goal] for k in kept),
        unit=chosen,
        features=features,
    )


def _distances(shared: tuple[Sequence[Problem], Unit], number: int) -> NDArray[np.float64]:
    problems, unit = shared
    problem = problems[number]
    return oracle_distances(problem.graph, problem.goal, unit=unit)


def _with_a_path(problems: Sequence[Problem], split: str, lengths: Sequence[float]) -> list[int]:
    """The indices of the problems with a non-empty path."""
    if not problems:
        raise InputError(f"the problem set has no {split} problems; training needs at least one")
    kept = [
        number
        for number, (problem, length) in enumerate(zip(problems, lengths, strict=True))
        if problem.start != problem.goal and length < np.inf
    ]
    if not kept:
        raise InputError(
            f"none of the {len(problems)} {split} problems has a path from its start to a "
            "different goal; add problems that can be solved"
        )
    return kept


def _with_reverse_edges(graph: Graph) -> Graph:
    source = graph.sources
    forth = np.stack([source, graph.indices], axis=1)
    weights = None if graph.weights is None else np.tile(graph.weights, 2)
    edges = np.concatenate([forth, forth[:, ::-1]])
    return Graph.from_edges(graph.num_nodes, edges, weights=weights, directed=True)


def network_settings(settings: TrainingSettings, *sets: SolvableProblems) -> NetworkSettings:
    """The network's shape, from the settings and the graphs, which must all be of one kind."""
    shapes = {_shape(problem, settings) for chosen in sets for problem in chosen.problems}
    if len(shapes) > 1:
        raise InputError(
            f"the graphs differ in kind (axes of a grid, feature groups, edge features, moves): "
            f"{sorted(shapes)}; train a separate heuristic for each kind"
        )
    axes, groups, edge_features, moves = shapes.pop()
    is_grid = axes > 0
    if not groups:
        raise InputError(
            "the graphs have no node features, but a heuristic needs at least one; add some, such "
            "as features='degree,landmarks'"
        )
    return NetworkSettings(
        features=sum(groups),
        edge_features=edge_features,
        width=settings.width,
        layers=settings.layers,
        neighbors=settings.neighbors,
        convolution=settings.convolution,
        memory=settings.memory,
        remember=settings.remember,
        carried=settings.carried,
        trail=settings.trail == "yes",
        axes=axes,
        frame="goal" if settings.frame == "goal" and is_grid else "map",
        local=settings.lengths == "both" and settings.frame == "goal" and is_grid,
        known=settings.known if is_grid else 0,
        lazy=_is_lazy(settings) and is_grid,
        walls=moves if settings.walls and is_grid and moves <= MOST_WALLS else 0,
        groups=groups if settings.group_distances and (len(groups) > 1 or not is_grid) else (),
        goal_first=settings.goal_first,
    )


def _is_lazy(settings: TrainingSettings) -> bool:
    """Whether networks look ahead lazily, which they cannot with memory or if they do anyway."""
    eager = settings.neighbors > 0 or settings.walls
    return settings.lazy and settings.known > 0 and not settings.remember and not eager


def _shape(problem: Problem, settings: TrainingSettings) -> tuple[int, tuple[int, ...], int, int]:
    graph = problem.graph
    groups = tuple(group.size for group in graph.feature_groups)
    moves = graph.arrays.moves.shape[0] if settings.walls else 0
    return graph.axes, groups, graph.arrays.edge_features.shape[1], moves


def scaling_of(
    problems: OracleProblems, *, together: bool = True, lengths: Lengths = "cells"
) -> Scaling:
    """The scaling of features and distances for these problems (see `measure`)."""
    graphs = {id(p.graph): p.graph for p in problems.problems}
    if all(graph.is_grid and graph.added is None for graph in graphs.values()):
        return Scaling(lengths=lengths)
    return measure(list(graphs.values()), problems.mean_distance, together=together)
