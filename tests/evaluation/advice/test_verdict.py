"""The words for what is recommended and how it was measured."""

from __future__ import annotations

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


def test_a_line_for_everything() -> None:
    assert verdict(advice(ASTAR, GREEDY, fewest=25, unsolvable=4, graphs=3)).splitlines() == [
        "Use greedy(euclidean), the fastest measured (50.0 µs a query), if any path will do: its "
        "paths cost 1.25 times the least on average.",
        "Use astar(octile), the fastest for paths of least cost (300 µs a query).",
        "A learned heuristic could save up to 75% of the expansions: greedy(euclidean) expands 100 "
        "nodes, the fewest measured, and the shortest paths have 25. To know, measure one with "
        "--train, or with -m and its file.",
        "Measured on 20 problems on 3 graphs (4 more have no path), in memory, on one core: "
        "medians of 3 repeats, rough on a busy machine.",
    ]


def test_one_method_for_all() -> None:
    text = verdict(advice(ASTAR, measured("greedy", 400, 2000)))
    assert text.startswith(
        "Use astar(octile), the fastest measured (300 µs a query). Its paths cost the least.\n"
    )
    assert text.count("Use ") == 1


def test_none_promises_a_path_of_least_cost() -> None:
    text = verdict(advice(GREEDY))
    assert "1.25 times the least on average" in text
    assert text.count("Use ") == 1


def test_nearly_the_fastest() -> None:
    text = verdict(advice(GREEDY, measured("better", 55, 100, promise=1.5)))
    assert text.startswith(
        "Use better, nearly the fastest measured (55.0 µs a query, greedy(euclidean) 50.0 µs), if"
    )


def test_the_cost_of_an_expansion_chooses() -> None:
    lean = measured("lean", 2000, 20, learned=True)
    assert verdict(advice(GREEDY, lean)).startswith("Use greedy(euclidean), ")
    text = verdict(advice(GREEDY, lean, call=100e-6))
    assert text.startswith("At 100 µs an expansion use lean, the fastest measured (4.00 ms a query")


def test_preparation_is_told_once_or_counted() -> None:
    once = Preparation(0.012, 500)
    astar = measured("astar(landmarks)", 20, 10, promise=1.0, preparation=once)
    greedy = measured("greedy(landmarks)", 10, 10, preparation=once)
    told = "Before its first query on a graph greedy(landmarks) and astar(landmarks) must see all"
    assert f"{told} of it (12.0 ms); that is not in the times.\n" in verdict(advice(astar, greedy))
    assert "all of it (62.0 ms)" in verdict(advice(astar, greedy, call=1e-4))
    shared = measured("greedy(landmarks)", 10, 10, preparation=once, share=Cost(0.006, 250))
    text = verdict(advice(shared, graphs=10))
    assert "greedy(landmarks), the fastest measured (6.01 ms a query)" in text
    assert "(12.0 ms); that is in the times.\n" in text
