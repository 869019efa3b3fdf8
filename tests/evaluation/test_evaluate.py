"""Evaluation: what is counted, over which problems, and the JSON that says so."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phil.errors import InputError
from phil.evaluation import MethodScore, Run, evaluate, evaluation_json
from phil.evaluation.methods import parse_method
from phil.graphs import Graph, GridGraph, ImplicitGraph
from phil.problems.problem import Problem
from phil.search import Limits, Outcome, Result

OPEN_MAP = np.ones((7, 7), bool)
WALL = OPEN_MAP.copy()
WALL[3] = False  # no way from the bottom to the top
GAP = WALL.copy()
GAP[3, 0] = True


def corners(free: np.ndarray[tuple[int, int], np.dtype[np.bool_]], name: str = "") -> Problem:
    grid = GridGraph(free)
    rows, columns = grid.shape
    return Problem(grid, grid.node(rows - 1, 0), grid.node(0, columns - 1), name)


def scores_of(*texts: str, limits: Limits | None = None) -> dict[str, MethodScore]:
    problems = [corners(OPEN_MAP, "open"), corners(WALL, "wall"), corners(GAP, "gap")]
    scores = evaluate(problems, [parse_method(text) for text in texts], limits=limits)
    return {score.method: score for score in scores}


def test_unreachable_problems_are_counted_and_in_no_mean() -> None:
    score = scores_of("bfs")["bfs"]
    assert [score.count(outcome) for outcome in Outcome] == [2, 1, 0]
    assert [run.problem for run in score.solved] == ["open", "gap"]
    assert score.expansions.mean == np.mean([run.result.expansions for run in score.solved])


def test_calls_are_summed_up_as_expansions_are() -> None:
    score = scores_of("phil:forest")["phil:forest"]
    calls = [run.result.neighbor_calls + run.result.lookahead_calls for run in score.solved]
    assert (
        score.calls.mean == np.mean(calls) > np.mean([len(run.result.path) for run in score.runs])
    )
    assert (score.calls.median, score.calls.p95) == tuple(np.percentile(calls, [50, 95]))
    (entry,) = evaluation_json("mine", "all", [score])["methods"]
    kinds = entry["mean_neighbor_calls"], entry["mean_lookahead_calls"]
    assert entry["calls"]["mean"] == pytest.approx(sum(kinds))
    assert min(kinds) > 0
    stopped = scores_of("bfs", limits=Limits(expansions=5))["bfs"]
    assert stopped.calls.mean is None


def test_a_limit_is_an_outcome() -> None:
    score = scores_of("bfs", limits=Limits(expansions=5))["bfs"]
    assert score.count(Outcome.LIMIT) == 3
    assert score.json()["limit"] == 3
    assert score.expansions.mean is None


def test_a_score_is_shown_in_a_line() -> None:
    score = scores_of("bfs")["bfs"]
    mean = f"{score.expansions.mean:,.1f}"
    assert repr(score) == f"MethodScore('bfs', solved=2 of 3, mean expansions={mean})"


def test_implicit_graphs_among_others_have_no_least_cost() -> None:
    line = ImplicitGraph(lambda node: [n for n in (node - 1, node + 1) if 0 <= n < 9])
    problems = [corners(GAP), Problem(line, 0, 8), corners(OPEN_MAP)]
    [score] = evaluate(problems, [parse_method("bfs")])
    known, implicit, other = (run.cost_ratio for run in score.runs)
    assert implicit is None
    assert known is not None
    assert other is not None
    assert score.runs[0].optimal == pytest.approx(
        evaluate(problems[:1], ["astar"])[0].runs[0].optimal
    )


def test_cost_ratio_is_to_the_least_cost() -> None:
    scores = scores_of("astar", "astar(zero)", "oracle")
    for method in ("astar", "astar(zero)"):
        assert scores[method].cost_ratio.mean == pytest.approx(1.0)
    for run in scores["oracle"].solved:
        assert run.cost_ratio is not None
        assert run.cost_ratio >= 1 - 1e-12
        assert run.optimal == pytest.approx(run.result.cost / run.cost_ratio)


def test_start_at_the_goal_is_solved_at_ratio_one() -> None:
    grid = GridGraph([[True]])
    (score,) = evaluate([Problem(grid, 0, 0)], [parse_method("astar")])
    assert (score.expansions.mean, score.cost_ratio.mean) == (1.0, 1.0)


def test_missing_a_free_path_has_no_ratio() -> None:
    graph = Graph.from_edges(3, [(0, 1), (1, 2), (0, 2)], [[0.0], [1.0], [2.0]], weights=[0, 0, 1])
    (score,) = evaluate([Problem(graph, 0, 2)], [parse_method("euclidean")])
    assert score.runs[0].result.cost == 1
    assert score.runs[0].cost_ratio is None
    assert evaluation_json("mine", "all", [score])["methods"][0]["cost_ratio"]["mean"] is None


def test_the_json_is_the_documented_one() -> None:
    scores = scores_of("astar", "greedy(oracle)")
    document = evaluation_json("mine", "all", list(scores.values()))
    assert (document["set"], document["split"]) == ("mine", "all")
    assert [entry["method"] for entry in document["methods"]] == ["astar", "greedy(oracle)"]
    for entry in document["methods"]:
        assert (entry["problems"], entry["solved"], entry["unreachable"], entry["limit"]) == (
            3,
            2,
            1,
            0,
        )
        for statistic in ("expansions", "calls", "cost_ratio", "milliseconds"):
            assert list(entry[statistic]) == ["mean", "median", "p95"]
            assert all(number > 0 for number in entry[statistic].values())
    assert json.loads(json.dumps(document)) == document


@pytest.mark.parametrize("limits", [None, Limits(expansions=7)])
def test_no_search_goes_beyond_the_limits(limits: Limits | None) -> None:
    given = []

    class Noting:
        text = "noting"

        def search(
            self, problem: Problem, limits: Limits | None = None, *, trace: bool = False
        ) -> Result:
            given.append((problem.name, limits))
            return parse_method("bfs").search(problem, limits)

    evaluate([corners(OPEN_MAP, "first"), corners(GAP, "second")], [Noting()], limits=limits)
    # The first search warms up: it is limited all the same.
    assert given == [("first", limits), ("first", limits), ("second", limits)]


def test_times_are_given_in_milliseconds() -> None:
    for score in scores_of("astar", "bfs").values():
        seconds = [run.result.seconds for run in score.solved]
        assert score.milliseconds.mean == pytest.approx(1000 * np.mean(seconds))


def test_progress_is_told_after_every_problem() -> None:
    told: list[tuple[int, int]] = []
    problems = [corners(OPEN_MAP)] * 3
    evaluate(
        problems, [parse_method("bfs")], progress=lambda done, total: told.append((done, total))
    )
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_no_problem_is_an_error() -> None:
    with pytest.raises(InputError, match="no problem"):
        evaluate([], [parse_method("bfs")])


def test_every_method_gets_the_same_problems_and_optimum() -> None:
    first, second = scores_of("astar", "bfs").values()

    def known(runs: tuple[Run, ...]) -> list[tuple[str, float]]:
        return [(run.problem, run.optimal) for run in runs]

    assert known(first.runs) == known(second.runs)


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1))
def test_astar_is_optimal_and_solves_what_bfs_solves(seed: int) -> None:
    rng = np.random.default_rng(seed)
    free = rng.random((rng.integers(1, 12), rng.integers(1, 12))) < 0.7
    free[-1, 0] = free[0, -1] = True
    astar, bfs = evaluate([corners(free)], [parse_method("astar"), parse_method("bfs")])
    assert astar.runs[0].result.outcome is bfs.runs[0].result.outcome
    if astar.solved:
        assert astar.runs[0].cost_ratio == pytest.approx(1.0)
        assert bfs.cost_ratio.mean is not None
        assert bfs.cost_ratio.mean >= 1 - 1e-12
