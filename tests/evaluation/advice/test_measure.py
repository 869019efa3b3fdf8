"""What fits which graphs, what methods promise there, and which problems are measured."""

from __future__ import annotations

from math import inf, nan

import numpy as np
import pytest

from phil.errors import InputError
from phil.evaluation.advice.decide import advise
from phil.evaluation.advice.measure import (
    fitting_methods,
    measure,
    prepare,
    unseen_problems,
    with_heuristic,
)
from phil.evaluation.methods import parse_method
from phil.graphs import AnyGraph, Graph, GridGraph
from phil.heuristics.landmarks import landmarks
from phil.heuristics.phil.specification import NetworkSettings
from phil.problems.problem import Problem, ProblemSet
from phil.search import GREEDY
from phil.search.method import Method
from tests.networks import random_heuristic

GRID = GridGraph(np.ones((6, 6), bool))
LINE = Graph.from_edges(4, [(0, 1), (1, 2), (2, 3)])
PLACES = np.arange(4.0)[:, None]
STREET = Graph.from_edges(4, [(0, 1), (1, 2), (2, 3)], PLACES, weights=[1.0, 2.0, 1.0])
SHORT_CUT = Graph.from_edges(4, [(0, 1), (1, 2), (2, 3)], PLACES, weights=[0.5, 2.0, 1.0])


def methods_on(*graphs: AnyGraph) -> tuple[str, ...]:
    return fitting_methods([Problem(graph, 0, 3) for graph in graphs]).methods


@pytest.mark.parametrize(
    ("graph", "methods"),
    [
        (LINE, {"bfs", "astar(landmarks)", "greedy(landmarks)"}),
        (STREET, {"bfs", "astar(euclidean)", "astar(landmarks)", "greedy(euclidean)"}),
        (SHORT_CUT, {"bfs", "astar(landmarks)", "greedy(euclidean)", "greedy(landmarks)"}),
        (GRID, {"bfs", "astar(octile)", "astar(landmarks)", "wastar(octile, 1.5)"}),
    ],
)
def test_what_fits_a_graph(graph: AnyGraph, methods: set[str]) -> None:
    found = methods_on(graph)
    assert methods <= set(found)
    assert ("greedy(euclidean)" in found) == (graph is not LINE)
    assert ("astar(euclidean)" in found) == (graph is STREET)


def test_landmarks_are_left_out_where_graphs_come_anew() -> None:
    found = fitting_methods([Problem(graph, 0, 3) for graph in (SHORT_CUT, STREET)])
    assert "astar(zero)" in found.methods
    assert not any("landmarks" in text for text in found.methods)
    assert "these problems are on 2 graphs" in found.left_out[0]


@pytest.mark.parametrize(
    ("text", "graph", "most"),
    [
        ("astar(octile)", GRID, 1.0),
        ("astar(euclidean)", GRID, 1.0),
        ("astar(euclidean)", GridGraph(np.ones((3, 3), bool), diagonal_cost=1.0), inf),
        ("bfs", GRID, inf),
        ("bfs", GridGraph(np.ones((3, 3), bool), diagonal_cost=1.0), 1.0),
        ("bfs", LINE, 1.0),
        ("bfs", STREET, inf),
        ("bfs", Graph.from_edges(3, []), 1.0),
        ("astar(zero)", SHORT_CUT, 1.0),
        ("astar(euclidean)", STREET, 1.0),
        ("astar(euclidean)", SHORT_CUT, inf),
        ("wastar(landmarks, 2)", SHORT_CUT, 2.0),
        ("bounded(euclidean, 1.5)", SHORT_CUT, 1.5),
        ("greedy(octile)", GRID, inf),
        ("depth(octile, 0.5)", GRID, inf),
        ("mha(zero, euclidean, 2, 1.5)", GRID, 3.0),
        ("mha(zero, euclidean)", GRID, inf),
        ("astar(phil:forest)", GRID, inf),
    ],
)
def test_what_a_method_promises(text: str, graph: AnyGraph, most: float) -> None:
    assert parse_method(text).promise([graph]) == most


def test_a_learned_heuristic_is_tried_for_any_path_and_with_a_bound() -> None:
    learned = random_heuristic(NetworkSettings(width=8, memory=4, neighbors=2))
    plain, bounded = with_heuristic("mine", learned)
    assert plain == Method("greedy(mine)", GREEDY, learned)
    assert bounded.text.startswith("bounded(mine, ")
    assert parse_method(bounded.text.replace("mine", "euclidean")).bound == bounded.bound
    assert (bounded.key, bounded.heuristic) == (GREEDY, learned)


def test_paths_are_compared_with_the_optimum() -> None:
    advice = advise([Problem(SHORT_CUT, 0, 3), Problem(LINE, 1, 1)], [parse_method("bfs")])
    assert advice.call == 0.0
    [bfs] = advice.measured
    assert bfs.cost_ratios.tolist() == [1.0, 1.0]
    way_round = Graph.from_edges(3, [(0, 2), (0, 1), (1, 2)], weights=[9.0, 1.0, 2.0])
    [bfs] = advise([Problem(way_round, 0, 2)], [parse_method("bfs")], call=1e-3).measured
    assert bfs.cost_ratios.tolist() == [3.0]


def test_what_is_prepared() -> None:
    assert prepare([landmarks], [LINE, STREET]).nodes == 4
    assert prepare([landmarks], [GRID]).seconds > 0


def test_the_preparation_of_graphs_that_come_anew_is_shared_out() -> None:
    method = [parse_method("astar(landmarks)")]
    one = [Problem(LINE, 0, 3), Problem(LINE, 1, 3)]
    several = [*one, Problem(STREET, 0, 3), Problem(STREET, 0, 2)]
    [alone] = measure(one, [3.0, 2.0], method)
    [shared] = measure(several, [3.0, 2.0, 4.0, 3.0], method)
    assert (alone.share.seconds, alone.share.calls) == (0.0, 0.0)
    assert shared.share.calls == 4 / 2
    assert shared.cost.calls == shared.calls.mean() + 2


def test_repeats_of_a_learned_search_are_the_same_search() -> None:
    network = NetworkSettings(width=8, memory=4, neighbors=2)
    learned = Method("learned", GREEDY, random_heuristic(network))
    problems = [Problem(GRID, 30, 5), Problem(GRID, 0, 35)]
    advice = advise(problems, [learned, parse_method("bfs")])
    expected = [learned.search(problem).expansions for problem in problems]
    assert advice.measured[0].expansions.tolist() == expected
    assert [each.learned for each in advice.measured] == [True, False]
    assert (advice.measured[0].seconds > 0).all()
    assert (advice.measured[0].calls >= advice.measured[0].expansions - 1).all()


def test_problems_without_a_path_are_counted_apart() -> None:
    apart = Graph.from_edges(4, [(0, 1), (2, 3)])
    advice = advise([Problem(apart, 0, 3), Problem(apart, 0, 1)], [parse_method("bfs")])
    assert (advice.problems, advice.unsolvable, advice.fewest) == (1, 1, 2.0)
    nothing = advise([Problem(apart, 0, 3)], [parse_method("bfs")])
    assert (nothing.problems, nothing.measured, nothing.pays) == (0, (), ())


def test_progress_is_told_after_every_problem() -> None:
    told: list[tuple[int, int]] = []
    problems = [Problem(LINE, 0, goal) for goal in (1, 2, 3)]
    advise(problems, [parse_method("bfs")], progress=lambda *both: told.append(both))
    assert told == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("call", [-1e-9, inf, nan])
def test_the_cost_of_a_call_is_a_number_not_below_0(call: float) -> None:
    with pytest.raises(InputError, match=f"{call}"):
        advise([Problem(LINE, 0, 3)], [parse_method("bfs")], call=call)


def test_unseen_problems_are_no_test_problems_and_none_that_taught() -> None:
    problems = [Problem(LINE, start, goal) for start in range(4) for goal in range(4)]
    chosen = ProblemSet("line", tuple(problems[:6]), tuple(problems[4:10]), tuple(problems[10:]))
    assert unseen_problems(chosen, 50, learned=False) == tuple(problems[4:10] + problems[:6])
    assert unseen_problems(chosen, 50, learned=True) == tuple(problems[6:10])
    assert unseen_problems(chosen, 2, learned=True) == tuple(problems[6:8])
    elsewhere = Problem(STREET, problems[0].start, problems[0].goal)
    other = ProblemSet("both", chosen.train, (problems[0], elsewhere))
    assert unseen_problems(other, 50, learned=True) == (elsewhere,)
    with pytest.raises(InputError, match="--count 500"):
        unseen_problems(ProblemSet("line", chosen.train, chosen.train), 50, learned=True)
