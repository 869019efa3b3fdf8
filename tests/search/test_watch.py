"""Watchers see every expansion of the real search, with what the search knew then."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

import phil
from phil.evaluation import parse_method
from phil.problems.generated import generate_maps
from phil.problems.problem import Problem
from phil.search import Piece, watched
from phil.search.result import Result

METHODS = [
    "greedy(euclidean)",
    "astar(octile)",
    "dijkstra",
    "wastar(octile, 2)",
    "bfs",
    "bounded(euclidean, 1.2)",
    "bounded(phil:map, 1.2)",
    "bidirectional(euclidean)",
    "bidirectional(phil:map)",
    "bibfs",
    "bidijkstra",
    "biastar(octile)",
    "mha",
    "mha(euclidean, manhattan, 2, 2)",
    "hedge(manhattan)",
    "hedge(phil:map)",
    "bfws(euclidean)",
    "depth(euclidean, 0.8)",
    "phil:map",
    "phil:forest",
]


@dataclass
class Notes:
    """A watcher that keeps everything, or ends the search after some expansions."""

    most: float = float("inf")
    pieces: list[Piece] = field(default_factory=list)

    def see(self, piece: Piece) -> None:
        self.pieces.append(piece)
        if sum(each.node.size for each in self.pieces) >= self.most:
            raise StopAsking

    def column(self, name: str) -> NDArray[np.float64]:
        return np.concatenate([getattr(piece, name) for piece in self.pieces])


class StopAsking(Exception):
    """What a watcher raises."""


def maze() -> Problem:
    [cells] = generate_maps("bugtrap_forest", 1, seed=3, shape=(61, 61))
    grid = phil.GridGraph(cells)
    return Problem(grid, grid.node(60, 0), grid.node(0, 60))


@pytest.fixture(scope="module")
def problem() -> Problem:
    return maze()


def run(problem: Problem, method: str) -> tuple[Result, Notes]:
    notes = Notes()
    with watched(notes):
        result = parse_method(method).search(problem, trace=True)
    return result, notes


@pytest.mark.parametrize("method", METHODS)
def test_what_is_seen_is_the_search(problem: Problem, method: str) -> None:
    result, notes = run(problem, method)
    plain = parse_method(method).search(problem, trace=True)
    np.testing.assert_array_equal(notes.column("node"), plain.trace)
    assert (result.expansions, result.calls) == (plain.expansions, plain.calls)
    calls = notes.column("calls")
    assert calls[-1] == result.calls
    assert (np.diff(calls) >= 0).all()
    assert calls[0] >= 1


@pytest.mark.parametrize("method", ["astar(octile)", "phil:map", "phil:forest", "hedge(phil:map)"])
def test_calls_are_those_of_a_search_that_ends_there(problem: Problem, method: str) -> None:
    _, notes = run(problem, method)
    calls = notes.column("calls")
    for count in (1, 2, 7, 40):
        limits = phil.Limits(expansions=count)
        shorter = parse_method(method).search(problem, limits)
        # A side of a hedged search may have called what the other calls: exact at ends of turns.
        slack = 3 if method.startswith("hedge") else 0
        assert abs(calls[count - 1] - shorter.calls) <= slack


def test_parents_lead_back_to_the_start_and_costs_add_up(problem: Problem) -> None:
    _, notes = run(problem, "astar(octile)")
    node, parent, g = (notes.column(name) for name in ("node", "parent", "g"))
    cost = dict(zip(node.tolist(), g.tolist(), strict=True))
    assert parent[0] == -1
    assert g[0] == 0
    grid = problem.graph
    assert grid.is_grid
    for here, before in zip(node[1:].tolist(), parent[1:].tolist(), strict=True):
        (row, column), (old_row, old_column) = grid.cell(here), grid.cell(before)
        move = np.hypot(row - old_row, column - old_column)
        assert cost[here] == pytest.approx(cost[before] + move)


def test_values_and_keys_are_those_of_open(problem: Problem) -> None:
    _, notes = run(problem, "astar(octile)")
    g, h, key = (notes.column(name) for name in ("g", "h", "key"))
    assert np.isnan(h[0])  # nobody evaluates the start
    np.testing.assert_allclose(key[1:], (g + h)[1:])
    assert (np.diff(key[1:]) >= -1e-9).all()  # A* with a consistent heuristic


def test_a_search_by_levels_has_no_values(problem: Problem) -> None:
    _, notes = run(problem, "bibfs")
    assert np.isnan(notes.column("h")).all()
    assert (notes.column("parent") == -1).sum() == 2  # both ends


def test_a_watcher_can_end_a_search(problem: Problem) -> None:
    notes = Notes(most=500)
    with watched(notes), pytest.raises(StopAsking):
        parse_method("dijkstra").search(problem, trace=True)
    assert notes.column("node").size == 512
    # The search has given back what it had borrowed: the next is as ever.
    again, _ = run(problem, "dijkstra")
    assert again.solved


def test_reports_of_a_search_in_python_become_rarer(problem: Problem) -> None:
    grid = problem.graph
    notes = Notes()
    with watched(notes):
        phil.search(grid, problem.start, problem.goal, lambda cell, goal: 0.0, trace=True)
    sizes = [piece.node.size for piece in notes.pieces]
    assert sizes[0] == 1
    assert max(sizes) >= 4
    assert len(sizes) < sum(sizes) / 2


def test_searches_without_a_trace_are_not_watched(problem: Problem) -> None:
    notes = Notes()
    with watched(notes):
        parse_method("astar").search(problem)
    assert notes.pieces == []
