"""The grammar of methods."""

from __future__ import annotations

import pickle
from math import inf

import numpy as np
import pytest

from phil.errors import InputError
from phil.evaluation import Method, MultiHeuristicMethod, parse_method
from phil.evaluation.methods import methods_help
from phil.graphs import GridGraph
from phil.heuristics.registry import heuristics
from phil.problems.problem import Problem
from phil.search import ASTAR, BFS, GREEDY, Key, Limits, Outcome
from phil.search.guide import traits_of
from phil.search.registry import built_in_searches, register_search


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
        ("wastar(manhattan, 2)", Key(g=1.0, h=2.0, reopen=False), "manhattan"),
        ("wastar(2.5)", Key(g=1.0, h=2.5, reopen=False), "euclidean"),
        ("wastar(, 1)", Key(g=1.0, h=1.0, reopen=False), "euclidean"),
        ("depth(euclidean,0.8)", Key(g=0.0, h=1.0, depth=-0.8), "euclidean"),
        ("depth(octile, -1)", Key(g=0.0, h=1.0, depth=1.0), "octile"),
        ("bfws(euclidean)", GREEDY, "novelty(euclidean)"),
    ],
)
def test_a_text_names_a_search_and_a_heuristic(text: str, key: Key, heuristic: str) -> None:
    method = parse_method(text)
    assert isinstance(method, Method)
    assert (method.text, method.key, method.heuristic.name) == (text, key, heuristic)


@pytest.mark.parametrize(
    ("text", "heuristics", "weights"),
    [
        ("mha", ["euclidean", "manhattan", "obstacles"], None),
        ("mha()", ["euclidean", "manhattan", "obstacles"], None),
        ("mha(2, 3)", ["euclidean", "manhattan", "obstacles"], (2.0, 3.0)),
        ("mha(euclidean,phil:forest)", ["euclidean", "phil:forest"], None),
        ("mha(zero)", ["zero"], None),
        (" mha( octile , zero , 1.5, 1 ) ", ["octile", "zero"], (1.5, 1.0)),
    ],
)
def test_mha_takes_any_heuristics_and_two_weights(
    text: str, heuristics: list[str], weights: tuple[float, float] | None
) -> None:
    method = parse_method(text)
    assert isinstance(method, MultiHeuristicMethod)
    assert [heuristic.name for heuristic in method.heuristics] == heuristics
    assert (method.text, method.weights) == (text, weights)
    assert method.bound == (None if weights is None else weights[0] * weights[1])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mhaa", "did you mean 'mha'"),
        ("mha(euclidean, 2)", r"mha takes heuristics or heuristics and two numbers, such as mha\("),
        ("mha(euclidean, 2, 2, 2)", "mha takes heuristics or heuristics and two numbers"),
        ("mha(2, euclidean, 2, 2)", "mha takes heuristics or heuristics and two numbers"),
        ("mha(euclidean, , zero)", "mha needs a heuristic, such as mha"),
        ("mha(euclidean, manhatan)", "did you mean 'manhattan'"),
        ("mha(euclidean, 0.5, 2)", r"w1 of MHA\* must be 1 or more, and finite, not 0.5"),
        ("mha(euclidean, 1, inf)", r"w2 of MHA\* must be 1 or more, and finite, not inf"),
        ("wastar", r"wastar takes a heuristic and a number, such as wastar\(euclidean, 2\)"),
        ("wastar(euclidean)", "wastar takes a heuristic and a number"),
        ("wastar(euclidean, 0.9)", r"weight of A\* must be 1 or more"),
        ("wastar(euclidean, inf)", r"weight of A\* must be 1 or more, and finite"),
        (
            "depth(euclidean)",
            "depth takes a heuristic and a number, such as",
        ),
        ("depth(0.8)", "depth needs a heuristic"),
        ("depth(euclidean, nan)", "weight of the depth must be finite"),
        ("bfws", r"bfws needs a heuristic, such as bfws\(euclidean\)"),
        ("bfws(euclidean, 2)", "bfws takes a heuristic, such as"),
        ("greedy(2)", "greedy takes a heuristic, such as"),
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


def small_problem() -> Problem:
    free = np.random.default_rng(2).random((30, 30)) < 0.75
    free[29, 0] = free[0, 29] = True
    grid = GridGraph(free)
    return Problem(grid, grid.node(29, 0), grid.node(0, 29))


def test_mha_is_no_more_than_its_bound() -> None:
    problem = small_problem()
    least = parse_method("astar(octile)").search(problem)
    result = parse_method("mha(manhattan, zero, 1.2, 1.1)").search(problem, trace=True)
    assert result.trace is not None
    assert result.cost <= 1.32 * least.cost
    assert 1 <= result.proven <= 1.32
    in_turn = parse_method("mha").search(problem, Limits(expansions=5))
    assert (in_turn.outcome, in_turn.expansions) == (Outcome.LIMIT, 5)


@pytest.mark.parametrize("text", ["bfws(euclidean)", "depth(euclidean, 0.8)", "wastar(zero, 3)"])
def test_searches_with_one_heuristic_can_be_bounded(text: str) -> None:
    problem = small_problem()
    least = parse_method("astar(octile)").search(problem)
    method = parse_method(text)
    assert method.with_bound(1.0).search(problem).cost == pytest.approx(least.cost)
    *_, last = method.anytime(problem)
    assert last.cost == pytest.approx(least.cost)


def test_mha_has_no_other_bound_and_gives_one_path() -> None:
    for text in ("mha(euclidean)", "mha(euclidean, 2, 2)"):
        method = parse_method(text)
        with pytest.raises(InputError, match=r"such as mha\(euclidean, manhattan, 1.5, 1\)"):
            method.with_bound(1.5)
        with pytest.raises(InputError, match="finds one path"):
            method.anytime(small_problem())


def test_the_help_shows_every_search() -> None:
    shown = methods_help()
    assert all(f"{name}(" in shown or f" {name} " in shown for name in built_in_searches())
    for name, heuristic in heuristics().items():
        assert f"{name} ({traits_of(heuristic).help})" in shown


def test_a_search_may_take_many_numbers() -> None:
    register_search("beam", lambda guide, *_: Method("", GREEDY, guide), numbers=3)
    with pytest.raises(InputError, match=r"beam takes a heuristic and 3 numbers, such as beam\("):
        parse_method("beam(euclidean, 1)")


@pytest.mark.parametrize("name", built_in_searches())
def test_methods_can_be_sent_to_another_process(name: str) -> None:
    text = built_in_searches()[name].example
    method = parse_method(text)
    sent = pickle.loads(pickle.dumps(method))
    assert sent.text == text
    assert [guide.name for guide in sent.heuristics] == [guide.name for guide in method.heuristics]
