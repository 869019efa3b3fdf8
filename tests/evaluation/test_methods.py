"""The grammar of methods."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from phil.errors import InputError
from phil.evaluation.methods import parse_method
from phil.graphs import GridGraph
from phil.problems.problem import Problem
from phil.search import ASTAR, BFS, GREEDY, Key, Limits, Outcome


@pytest.mark.parametrize(
    ("text", "key", "heuristic"),
    [
        ("euclidean", GREEDY, "euclidean"),
        ("oracle", GREEDY, "oracle"),
        ("greedy(manhattan)", GREEDY, "manhattan"),
        (" greedy ( manhattan ) ", GREEDY, "manhattan"),
        ("astar", ASTAR, "euclidean"),
        ("astar()", ASTAR, "euclidean"),
        ("astar(zero)", ASTAR, "zero"),
        ("bfs", BFS, "zero"),
        ("bfs()", BFS, "zero"),
        ("astar(octile)", ASTAR, "octile"),
        ("bounded(manhattan, 1.5)", GREEDY, "manhattan"),
    ],
)
def test_a_text_names_a_search_and_a_heuristic(text: str, key: Key, heuristic: str) -> None:
    method = parse_method(text)
    assert (method.text, method.key, method.heuristic.name) == (text, key, heuristic)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("astr", "did you mean 'astar'"),
        ("euclidian", "did you mean 'euclidean'"),
        ("gredy(euclidean)", "did you mean 'greedy'"),
        ("astar(manhatan)", "did you mean 'manhattan'"),
        ("phil:forrest", "did you mean 'phil:forest'"),
        ("greedy", r"greedy needs a heuristic, such as greedy\(euclidean\)"),
        ("greedy()", "greedy needs a heuristic"),
        ("bfs(euclidean)", "bfs takes no heuristic"),
        ("astar(euclidean, manhattan)", "astar takes one heuristic, not 2"),
        ("bounded", r"bounded takes a heuristic and a number, such as bounded\(euclidean, 1.5\)"),
        ("bounded(euclidean)", "bounded takes a heuristic and a number"),
        ("bounded(euclidean, much)", "bounded takes a heuristic and a number"),
        ("bounded(1.5, euclidean)", "bounded takes a heuristic and a number"),
        ("bounded(euclidean, 1, 2)", "bounded takes a heuristic and a number"),
        ("bounded(, 1.5)", "bounded needs a heuristic"),
        ("bounded(euclidean, 0.5)", "bound on the path's cost must be at least 1"),
        ("bounded(euclidean, nan)", "bound on the path's cost must be at least 1"),
        ("no/such/file.safetensors", "no/such/file.safetensors"),
        ("", "unknown method ''"),
        ("()", r"unknown heuristic '\(\)'"),
    ],
)
def test_what_is_wrong_with_a_text_is_said(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_method(text)


def test_a_method_searches_a_problem() -> None:
    grid = GridGraph([[True] * 9] * 9)
    problem = Problem(grid, grid.node(8, 0), grid.node(0, 8))
    method = parse_method("oracle")
    result = method.search(problem, trace=True)
    assert result.outcome is Outcome.SOLVED
    assert result.expansions == 9
    assert result.trace is not None
    assert result.trace.size == 9
    assert method.search(problem, Limits(expansions=3)).outcome is Outcome.LIMIT


@pytest.mark.parametrize(
    ("text", "bound"), [("bounded(zero,1.5)", 1.5), (" bounded( zero , inf )", inf), ("zero", None)]
)
def test_a_bound_is_a_number(text: str, bound: float | None) -> None:
    assert parse_method(text).bound == bound


def test_a_bounded_method_keeps_its_bound() -> None:
    free = np.random.default_rng(1).random((30, 30)) < 0.7
    free[29, 0] = free[0, 29] = True
    grid = GridGraph(free)
    problem = Problem(grid, grid.node(29, 0), grid.node(0, 29))
    least = parse_method("astar(octile)").search(problem)
    greedy = parse_method("manhattan").search(problem)
    bounded = parse_method("bounded(manhattan, 1)")
    result = bounded.search(problem)
    assert greedy.cost > least.cost == pytest.approx(result.cost)
    assert result.proven == pytest.approx(1.0)
    for method in (bounded, parse_method("manhattan")):
        *_, last = method.anytime(problem)
        assert last.cost == pytest.approx(least.cost)
    assert len(list(parse_method("bounded(manhattan, inf)").anytime(problem))) == 1
