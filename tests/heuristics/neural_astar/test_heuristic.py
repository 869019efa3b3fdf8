"""Searches guided by Neural A*."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from phil.errors import InputError
from phil.graphs import Graph, GridGraph, SearchedGraph
from phil.graphs.distances import hops_to
from phil.heuristics.file import write_heuristic
from phil.heuristics.neural_astar import EncoderSettings, NeuralAstarHeuristic
from phil.heuristics.neural_astar.heuristic import NeuralAstarGuide
from phil.heuristics.registry import read_any
from phil.search import ASTAR, GREEDY, search
from phil.search.guide import WithoutLoop
from tests.guides import facts
from tests.neural import random_neural_astar


class Costs:
    """Neural A* with guidance costs that nobody learned."""

    name = "costs"

    def __init__(self, guidance: NDArray[np.float32], block: int = 1) -> None:
        self._guidance = guidance
        self._block = block

    def begin(self, graph: SearchedGraph, start: int, goal: int) -> NeuralAstarGuide:
        """A guide for one search."""
        assert isinstance(graph, GridGraph)
        return NeuralAstarGuide(self._guidance, self._block, graph, start, goal)


def random_map(seed: int, shape: tuple[int, int]) -> GridGraph:
    free = np.random.default_rng(seed).random(shape) < 0.75
    free[-1, 0] = free[0, -1] = True
    return GridGraph(free, diagonal_cost=1.0)


def cheapest(grid: GridGraph, costs: NDArray[np.float32], start: int, goal: int) -> float:
    """The least sum of the costs of the cells entered, by relaxing every edge again and again."""
    total = np.full(grid.size, np.inf)
    total[start] = 0.0
    for _ in range(grid.size):
        before = total.copy()
        for node in np.flatnonzero(np.isfinite(before)):
            for other in grid.neighbors(int(node)):
                total[other] = min(total[other], before[node] + costs[other])
        if np.array_equal(before, total):
            break
    return float(total[goal])


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 200))
def test_dear_cells_give_the_cheapest_path(seed: int) -> None:
    """Where no cell is cheaper than h falls by a move, this is A* with those costs."""
    grid = random_map(seed, (7, 9))
    start, goal = grid.node(6, 0), grid.node(0, 8)
    costs = np.random.default_rng(seed).uniform(1.1, 9, grid.shape).astype(np.float32)
    result = search(grid, start, goal, Costs(costs), trace=True)
    assert result.solved == np.isfinite(hops_to(grid, goal)[start])
    if result.solved:
        assert result.path_by_parents is not None
        flat = costs.reshape(-1)
        paid = sum(float(flat[node]) for node in result.path_by_parents[1:])
        assert paid == pytest.approx(cheapest(grid, flat, start, goal))
        assert result.reopened == 0


def test_equal_costs_of_1_are_a_star() -> None:
    for seed in range(20):
        grid = random_map(seed, (12, 20))
        start, goal = grid.node(11, 0), grid.node(0, 19)
        moves = hops_to(grid, goal)[start]
        result = search(grid, start, goal, Costs(np.ones(grid.shape, np.float32)))
        assert result.solved == np.isfinite(moves)
        assert not result.solved or result.length == moves


@pytest.mark.parametrize("block", [1, 2, 5])
@pytest.mark.parametrize("shape", [(30, 12), (9, 31), (1, 8)])
def test_both_loops_expand_the_same_to_the_end(shape: tuple[int, int], block: int) -> None:
    heuristic = random_neural_astar(block=block)
    for seed in range(5):
        grid = random_map(seed, shape)
        ends = grid, grid.node(shape[0] - 1, 0), grid.node(0, shape[1] - 1)
        compiled, python = (
            facts(search(*ends, guided, trace=True))
            for guided in (heuristic, WithoutLoop(heuristic))
        )
        assert compiled == python


def test_a_better_way_to_a_node_of_open_is_taken() -> None:
    """The start discovers both ways; the cell behind the dear one is first met through it."""
    free = np.array([[1, 1, 1, 1], [1, 1, 1, 1]], bool)
    costs = np.array([[1, 0.1, 0.1, 1], [1, 9, 1, 1]], np.float32)
    grid = GridGraph(free)
    start, goal = grid.node(1, 0), grid.node(1, 3)
    result = search(grid, start, goal, Costs(costs))
    cells = [grid.cell(node) for node in result.path]
    assert cells == [(1, 0), (0, 1), (0, 2), (1, 3)]


def test_with_a_key_of_path_costs_the_search_keeps_its_own_parents() -> None:
    heuristic = random_neural_astar()
    grid = random_map(3, (20, 20))
    ends = grid, grid.node(19, 0), grid.node(0, 19)
    for key, bound in ((ASTAR, None), (GREEDY, 1.0), (GREEDY, 1.3)):
        compiled, python = (
            facts(search(*ends, guided, trace=True, key=key, bound=bound))
            for guided in (heuristic, WithoutLoop(heuristic))
        )
        assert compiled == python
    best = hops_to(grid, ends[2])[ends[1]]
    assert search(*ends, heuristic, bound=1.0).length == best


def test_other_graphs_are_refused() -> None:
    graph = Graph.from_edges(3, [(0, 1), (1, 2)], np.zeros((3, 2)))
    with pytest.raises(InputError, match="known in full"):
        search(graph, 0, 2, random_neural_astar())


def test_guidance_is_computed_once_for_a_problem() -> None:
    heuristic = random_neural_astar()
    grid = random_map(0, (9, 9))
    first = heuristic.guidance(grid, 72, 8)
    assert heuristic.guidance(grid, 72, 8) is first
    assert heuristic.guidance(grid, 8, 72) is not first
    for goal in range(8):
        heuristic.guidance(grid, 72, goal)
    assert heuristic.guidance(grid, 72, 8) is not first
    np.testing.assert_array_equal(heuristic.guidance(grid, 72, 8), first)


def test_a_file_round_trip(tmp_path: Path) -> None:
    heuristic = random_neural_astar(block=3).described({"seed": 4}, {"mean": 1.5})
    write_heuristic(tmp_path / "mine.safetensors", heuristic)
    read = read_any(tmp_path / "mine.safetensors")
    assert isinstance(read, NeuralAstarHeuristic)
    assert (read.name, read.method, read.metadata) == ("mine", "neural_astar", heuristic.metadata)
    grid = random_map(1, (11, 17))
    ends = grid, grid.node(10, 0), grid.node(0, 16)
    assert facts(search(*ends, read)) == facts(search(*ends, heuristic))


def test_a_file_with_another_shape_is_refused(tmp_path: Path) -> None:
    heuristic = random_neural_astar()
    other = EncoderSettings(channels=(4, 6), patch=2, most_cost=3.0)
    damaged = NeuralAstarHeuristic(
        heuristic.metadata.model_copy(update={"encoder": other}), heuristic.tensors
    )
    with pytest.raises(InputError, match=r"tensor down\.2"):
        write_heuristic(tmp_path / "mine.safetensors", damaged)
