"""Means over maps and seeds."""

from __future__ import annotations

from typing import Any

from phil.evaluation import evaluate, parse_method
from phil.graphs import GridGraph
from phil.problems.problem import Problem
from reproduction.scores import over_seeds, score_json, without_repeated


def run(*expansions: int | None, cost: float = 1.5) -> dict[str, Any]:
    missing = expansions.count(None)
    return {
        "expansions": list(expansions),
        "unreachable": missing,
        "limit": 0,
        "cost_ratio": cost,
    }


def test_means_are_over_solved_maps_then_over_seeds() -> None:
    summary = over_seeds([run(10, None, 20), run(30, None, 40, cost=2.5)])
    assert summary["by_run"] == [15, 35]
    assert summary["expansions"] == 25
    assert round(summary["deviation"], 3) == 14.142
    assert summary["solved"] == [2, 2]
    assert summary["unreachable"] == [1, 1]
    assert summary["cost_ratio"] == 2


def test_repeated_maps_are_left_out_of_their_own_mean() -> None:
    assert without_repeated([run(10, 20, 60)], {2}) == 15
    assert without_repeated([run(10)], {0}) is None


def test_one_run_has_no_deviation() -> None:
    assert over_seeds([run(10, 20)])["deviation"] is None


def test_a_map_without_a_path_is_counted_and_has_no_expansions() -> None:
    free = [[True, True, True], [True, False, False], [True, False, True]]
    grid = GridGraph(free)
    problems = [Problem(grid, 0, 2), Problem(grid, 0, 8)]
    [score] = evaluate(problems, [parse_method("euclidean")])
    content = score_json(score)
    assert content["expansions"] == [3, None]
    assert (content["unreachable"], content["limit"]) == (1, 0)
