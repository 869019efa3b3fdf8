"""The grammar of methods."""

from __future__ import annotations

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
