"""The words for everything that can be measured."""

from __future__ import annotations

import numpy as np
import pytest

from phil.evaluation.advice.measure import Measured
from phil.evaluation.advice.preparation import Preparation
from phil.evaluation.advice.verdict import verdict
from phil.evaluation.break_even import Cost
from tests.evaluation.advice.measured import ASTAR, GREEDY, advice, measured


def test_no_problem_has_a_path() -> None:
    text = verdict(advice(unsolvable=7))
    assert text.startswith("No advice: none of the 7 problems has a path from start to goal")


def test_too_few_problems_are_said_to_be_too_few() -> None:
    few = verdict(advice(measured("bfs", 10, 20, promise=1.0, problems=3)))
    assert few.startswith("Too few problems (3) to be sure")
    assert "Too few" not in verdict(advice(ASTAR))


def test_classical_searches_alone() -> None:
    text = verdict(advice(ASTAR, GREEDY, fewest=25))
    assert (
        "On a graph in memory, use greedy(euclidean) (50 microseconds a query) if any path will do "
        "(its paths cost 1.250 times the least on average), and astar(octile) (300 microseconds a "
        "query) for paths of least cost."
    ) in text
    assert "No learned heuristic was measured; one could save up to 75% of the expansions" in text
    assert "--train" in text


def test_nothing_is_left_to_learn() -> None:
    text = verdict(advice(ASTAR, GREEDY, fewest=95))
    assert "next to nothing to gain here: the leanest classical search, greedy(euclidean)" in text
    assert "--train" not in text


def test_one_method_for_all() -> None:
    text = verdict(advice(ASTAR, measured("greedy", 400, 2000)))
    assert "use astar(octile) (300 microseconds a query): nothing is faster, and its paths" in text


def test_none_promises_a_path_of_least_cost() -> None:
    text = verdict(advice(GREEDY))
    assert "1.250 times the least on average). " in text


def test_methods_that_can_hardly_be_told_apart() -> None:
    assert "; twin is about as fast)" in verdict(advice(GREEDY, measured("twin", 50, 100)))


def test_the_cost_of_an_expansion_chooses() -> None:
    lean = measured("lean", 2000, 20, learned=True)
    assert "use greedy(euclidean) (50 microseconds" in verdict(advice(GREEDY, lean))
    text = verdict(advice(GREEDY, lean, call=100e-6))
    assert "Where expanding a node costs 100 microseconds, use lean (4,000 microseconds" in text


def test_learned_pays_from_a_cost_on() -> None:
    text = verdict(advice(ASTAR, GREEDY, measured("learned", 130, 20, learned=True)))
    assert (
        "learned is faster than every classical search measured where expanding a node costs more "
        "than 1 microseconds (with other problems of the kind from 1 microseconds to 1 "
        "microseconds), as a collision check or a query of a database usually does."
    ) in text
    dear = verdict(advice(GREEDY, measured("learned", 8050, 20, learned=True)))
    assert "more than 100 microseconds" in dear
    assert "collision" not in dear


def test_learned_pays_in_memory() -> None:
    text = verdict(advice(GREEDY, measured("learned", 40, 20, learned=True)))
    assert "learned pays here even in memory: it is faster than every classical search" in text
    assert "surely" not in text


def test_learned_pays_up_to_a_cost() -> None:
    text = verdict(advice(GREEDY, measured("learned", 40, 110, learned=True)))
    assert "pays here even in memory" in text
    assert "where expanding a node costs up to 1 microseconds." in text
    lean = measured("lean", 1000, 10)
    between = verdict(advice(GREEDY, lean, measured("learned", 130, 20, learned=True)))
    assert "costs more than 1 microseconds" in between
    assert "but no more than 87 microseconds." in between


@pytest.mark.parametrize(
    ("learned", "reason"),
    [
        (
            measured("learned", 60, 100, learned=True),
            "greedy(euclidean) takes less time and asks for the neighbours of no more nodes.",
        ),
        (
            measured("learned", 60, 200, learned=True, expansions=20),
            "greedy(euclidean) takes less time and asks for the neighbours of no more nodes; it "
            "would, if the neighbours of nodes that it does not expand were free to look at, from "
            "0.125 microseconds an expansion on.",
        ),
        (
            measured("learned", 260, 60, learned=True),
            "at any cost of an expansion some classical search is faster.",
        ),
    ],
)
def test_learned_never_pays(learned: Measured, reason: str) -> None:
    lean = measured("lean", 300, 50)
    text = verdict(advice(GREEDY, lean, learned))
    assert f"learned does not pay here: {reason}" in text


def test_only_methods_that_promise_as_much_are_rivals() -> None:
    bounded = measured("bounded(learned, 1.5)", 200, 20, learned=True, promise=1.5)
    text = verdict(advice(ASTAR, GREEDY, bounded))
    assert (
        "bounded(learned, 1.5) pays here even in memory: it is faster than every classical search "
        "measured that promises paths of 1.5 times the least cost or better."
    ) in text


def test_preparation_is_told_once_or_counted() -> None:
    once = Preparation(0.012, 500)
    text = verdict(advice(measured("astar(landmarks)", 10, 10, promise=1.0, preparation=once)))
    assert "first looks at every node of the graph, once (12 ms); that is not in its times" in text
    shared = measured("greedy(landmarks)", 10, 10, preparation=once, share=Cost(0.006, 250))
    text = verdict(advice(shared, graphs=10))
    assert "use greedy(landmarks) (6,010 microseconds a query)" in text
    assert "several graphs, that is counted in its times" in text


def test_what_is_unsure_is_said_so() -> None:
    often_slower = measured("learned", 0, 20, learned=True)
    often_slower.seconds[:] = np.resize([10e-6, 80e-6], often_slower.seconds.size)
    text = verdict(advice(GREEDY, often_slower))
    assert "pays here even in memory" in text
    assert ", though not surely: with other problems of the kind from 0 microseconds to " in text
    often_more_calls = measured("learned", 60, 0, learned=True)
    often_more_calls.calls[:] = np.resize([20.0, 175.0], often_more_calls.calls.size)
    assert " to nowhere)" in verdict(advice(GREEDY, often_more_calls))


def test_how_it_was_measured_comes_last() -> None:
    text = verdict(advice(ASTAR, unsolvable=4, graphs=3))
    assert text.endswith(
        "(20 problems on 3 graphs, 4 more have no path; times are medians of 3 repeats on one "
        "core, and rough on a busy machine.)"
    )
