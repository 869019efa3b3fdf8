"""Training of Neural A*."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch

from phil.errors import InputError
from phil.graphs import Graph, GridGraph
from phil.graphs.distances import hops_to
from phil.heuristics.neural_astar import NeuralAstarHeuristic
from phil.heuristics.registry import load_heuristic
from phil.learning import train
from phil.learning.baselines.neural_astar import (
    NeuralAstar,
    NeuralAstarSettings,
    lessons,
    shortest_path,
)
from phil.learning.oracle import with_oracle
from phil.problems.generated import generate_maps
from phil.problems.problem import Problem, ProblemSet
from phil.search import search

QUICK = {"iterations": 2, "batch": 4, "channels": (4, 8), "side": 40}


def problems(count: int, shape: tuple[int, int] = (21, 32)) -> tuple[Problem, ...]:
    rows, columns = shape
    grids = [GridGraph(free) for free in generate_maps("forest", count, seed=1, shape=shape)]
    return tuple(Problem(g, g.node(rows - 1, 0), g.node(0, columns - 1)) for g in grids)


def mean_expansions(heuristic: NeuralAstarHeuristic, some: tuple[Problem, ...]) -> float:
    return float(np.mean([search(p.graph, p.start, p.goal, heuristic).expansions for p in some]))


def test_training_closes_fewer_cells_on_maps_not_seen() -> None:
    some = problems(60)
    # Dear cells at first, so that there is much to learn.
    chosen = NeuralAstarSettings(
        iterations=8, channels=(8, 16, 16), batch=2, most_cost=10.0, temperature=0.3
    )
    method = NeuralAstar(with_oracle(some[:40], "train"), chosen, seed=0)
    before = mean_expansions(method.heuristic(), some[40:])
    losses = [method.iterate(number) for number in range(1, 9)]
    after = mean_expansions(method.heuristic(), some[40:])
    assert losses[-1] < 0.7 * losses[0]
    assert after < 0.7 * before


def test_the_command_trains_and_writes_it(tmp_path: Path) -> None:
    some = problems(8) + problems(3, (30, 20))
    target = tmp_path / "mine.safetensors"
    trained = train(
        ProblemSet("mine", some, some), method="neural_astar", settings=QUICK, output=target
    )
    read = load_heuristic(str(target))
    assert isinstance(trained, NeuralAstarHeuristic)
    assert isinstance(read, NeuralAstarHeuristic)
    assert read.metadata == trained.metadata
    assert read.metadata.training["method"] == "neural_astar"
    assert read.metadata.training["left_out"] == 0
    assert mean_expansions(read, some) == mean_expansions(trained, some)


def test_the_same_seed_gives_the_same_file(tmp_path: Path) -> None:
    some = problems(6)
    files = []
    for number, seed in enumerate((3, 3, 4)):
        torch.manual_seed(number)  # the caller's numbers do not count
        target = tmp_path / f"{number}.safetensors"
        settings = ProblemSet("mine", some, some)
        train(settings, method="neural_astar", seed=seed, settings=QUICK, output=target)
        files.append(target.read_bytes())
    assert files[0] == files[1] != files[2]


def test_large_maps_are_scaled_down() -> None:
    some = with_oracle(problems(3, (41, 60)), "train")
    block, found = lessons(some, side=20)
    assert block == 3
    assert {lesson.grid.shape for lesson in found} == {(14, 20)}
    heuristic = NeuralAstar(some, NeuralAstarSettings(side=20), 0).heuristic()
    assert heuristic.metadata.block == 3
    assert all(search(p.graph, p.start, p.goal, heuristic).solved for p in some.problems)


def test_problems_that_lose_their_path_are_left_out() -> None:
    free = np.ones((12, 12), bool)
    narrow = free.copy()
    narrow[:, 3:6] = False
    narrow[4, 3:6] = True  # a gap of one row of three: in blocks of three it is closed
    open_map, closed_map = (
        Problem(grid, grid.node(11, 0), grid.node(0, 11))
        for grid in (GridGraph(free), GridGraph(narrow))
    )
    both = with_oracle([open_map, closed_map], "train")
    method = NeuralAstar(both, NeuralAstarSettings(side=4), 0)
    found = method.heuristic().metadata
    assert (found.block, found.training["left_out"]) == (3, 1)
    with pytest.raises(InputError, match="scaled down by 3, none of the 1 training problems"):
        lessons(with_oracle([closed_map], "train"), 4)


def test_graphs_that_are_no_maps_are_refused() -> None:
    graph = Graph.from_edges(3, [(0, 1), (1, 2)], np.zeros((3, 2)))
    some = with_oracle([Problem(graph, 0, 2, "line")], "train")
    with pytest.raises(InputError, match="works only on maps, but problem 'line'"):
        NeuralAstar(some, NeuralAstarSettings(), 0)


def test_the_path_is_a_shortest_one() -> None:
    for problem in problems(5):
        grid = problem.graph
        assert isinstance(grid, GridGraph)
        distances = hops_to(grid, problem.goal)
        path = np.flatnonzero(shortest_path(grid, distances, problem.start, problem.goal))
        by_distance = sorted(path.tolist(), key=lambda node: -distances[node])
        assert by_distance[0] == problem.start
        assert by_distance[-1] == problem.goal
        assert len(path) == distances[problem.start] + 1
        for node, other in pairwise(by_distance):
            assert other in grid.neighbors(node)
