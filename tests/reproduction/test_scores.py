"""Means over maps and seeds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from phil.evaluation import evaluate, parse_method
from phil.graphs import GridGraph
from phil.problems.problem import Problem
from reproduction.markup import count
from reproduction.scores import NORMAL_95, judge, over_seeds, score_json, without_repeated
from reproduction.sections import calls_cell


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


def test_calls_are_averaged_as_expansions_are() -> None:
    first, second = run(10, None, 20) | {"calls": [9, None, 99]}, run(30, 40) | {"calls": [6, 8]}
    summary = over_seeds([first, second])
    assert (summary["calls"], summary["expansions"]) == (30.5, 25)
    assert summary["calls_deviation"] == pytest.approx(47 / 2**0.5)
    assert over_seeds([first])["calls_deviation"] is None


def test_runs_kept_without_calls_have_none() -> None:
    counted = run(10, 20) | {"calls": [9, 19]}
    for runs in ([run(10, 20)], [counted, run(10, 20)]):
        summary = over_seeds(runs)
        assert summary["calls"] is summary["calls_deviation"] is None
        assert calls_cell(count)(summary) == "-"
    assert calls_cell(count)(over_seeds([counted])) == "14.0"


def test_one_run_has_no_deviation() -> None:
    assert over_seeds([run(10, 20)])["deviation"] is None


def test_a_map_without_a_path_is_counted_and_has_no_expansions() -> None:
    free = [[True, True, True], [True, False, False], [True, False, True]]
    grid = GridGraph(free)
    problems = [Problem(grid, 0, 2), Problem(grid, 0, 8)]
    [score] = evaluate(problems, [parse_method("euclidean")])
    content = score_json(score)
    assert content["expansions"] == [3, None]
    assert content["calls"] == [2, None]
    assert (content["unreachable"], content["limit"]) == (1, 0)


FIGURES = st.lists(st.floats(0.05, 10), min_size=3, max_size=3)


@pytest.mark.parametrize(
    ("fewer", "more", "outcome"),
    [
        ([0.9, 1.0, 1.1], [1.9, 2.0, 2.1], "yes"),
        ([1.9, 2.0, 2.1], [0.9, 1.0, 1.1], "no"),
        ([0.5, 1.0, 1.5], [0.8, 1.1, 1.4], "undecided"),
    ],
)
def test_less(fewer: list[float], more: list[float], outcome: str) -> None:
    assert judge([fewer], [more])["outcome"] == outcome


@pytest.mark.parametrize(
    ("left", "right", "outcome"),
    [
        ([1.0, 1.01, 0.99], [1.02, 1.01, 1.03], "yes"),
        ([0.5, 0.51, 0.49], [1.0, 1.01, 0.99], "no"),
        ([1.5, 1.51, 1.49], [1.0, 1.01, 0.99], "no"),
        ([0.5, 1.0, 1.5], [1.0, 1.0, 1.0], "undecided"),  # too far apart to tell
    ],
)
def test_alike(left: list[float], right: list[float], outcome: str) -> None:
    assert judge([left], [right], alike=True)["outcome"] == outcome


def test_of_one_training_nothing_is_decided() -> None:
    verdict = judge([[1.0]], [[2.0]])
    assert verdict["outcome"] == "undecided"
    assert verdict["difference"] == pytest.approx(-0.5)
    assert verdict["spread"] is None
    assert verdict["needed"] is None


def test_groups_are_averaged_seed_by_seed() -> None:
    # One variant goes up where the other goes down: their mean does not move.
    verdict = judge([[1.0, 3.0], [3.0, 1.0]], [[4.0, 4.0]])
    assert verdict["difference"] == pytest.approx(-0.5)
    assert verdict["spread"] == pytest.approx(0.0)
    assert verdict["outcome"] == "yes"


@given(FIGURES, FIGURES)
def test_turned_around_the_verdict_turns(left: list[float], right: list[float]) -> None:
    one, other = judge([left], [right]), judge([right], [left])
    turned = {"yes": "no", "no": "yes", "undecided": "undecided"}
    # At the very edge of the interval rounding decides.
    assume(abs(abs(one["difference"]) - NORMAL_95 * one["spread"] / 3**0.5) > 1e-6)
    assert other["outcome"] == turned[one["outcome"]]
    assert (other["needed"] is None) == (one["needed"] is None)


@pytest.mark.parametrize("alike", [True, False])
@given(FIGURES, FIGURES)
def test_so_many_trainings_decide_and_fewer_do_not(
    alike: bool, left: list[float], right: list[float]
) -> None:
    def again(times: int) -> str:
        """The outcome of more trainings with the same means and deviations between them."""
        sides = (np.mean(side) + np.std(side, ddof=1) * _standard(times) for side in (left, right))
        return str(judge(*([list(side)] for side in sides), alike=alike)["outcome"])

    needed = judge([left], [right], alike=alike)["needed"]
    assume(needed is not None and needed <= 30)
    assert again(needed + 1) != "undecided"
    assert needed == 3 or again(needed - 1) == "undecided"


def _standard(count: int) -> NDArray[np.float64]:
    """Numbers with mean 0 and deviation 1."""
    numbers = np.arange(count) - (count - 1) / 2
    scaled: NDArray[np.float64] = numbers / numbers.std(ddof=1)
    return scaled
