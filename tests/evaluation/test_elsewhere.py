"""Evaluations whose work runs elsewhere, and what they show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np
import pytest

import phil
from phil.errors import InputError
from phil.evaluation import bootstrap_interval, parse_method
from phil.evaluation.advice import advise, unseen_problems
from phil.evaluation.comparison import COLUMNS, score_rows
from phil.evaluation.methods import as_method
from phil.evaluation.optimal import least_costs
from phil.workers.local import LocalWorkers
from phil.workers.shared import Here
from tests.learning.small import small_set

S = TypeVar("S")
T = TypeVar("T")
R = TypeVar("R")


class Elsewhere(LocalWorkers):
    """Workers that only pretend to be elsewhere, and note what they were given."""

    is_here = False

    def __init__(self) -> None:
        self.shared = 0
        self.items: list[str] = []

    def share(self, value: S) -> Here[S]:
        self.shared += 1
        return super().share(value)

    def _submit(self, wait: bool, function: Callable[..., Any], *arguments: Any) -> Any:
        self.items += map(str, arguments[-1])
        return super()._submit(wait, function, *arguments)


PROBLEMS = small_set().all


def test_scores_are_the_same() -> None:
    there = Elsewhere()
    found = phil.evaluate(PROBLEMS, ["astar", "bfs"], on=there)
    here = phil.evaluate(PROBLEMS, ["astar", "bfs"])
    assert there.shared == 2
    assert there.items[-1] == f"problem {len(PROBLEMS) - 1}"
    for score, same in zip(here, found, strict=True):
        for one, other, problem in zip(score.runs, same.runs, PROBLEMS, strict=True):
            assert (one.result.expansions, one.optimal) == (other.result.expansions, other.optimal)
            assert other.result.graph is problem.graph
            assert problem.name in repr(one)


def test_least_costs_are_found_in_blocks() -> None:
    there = Elsewhere()
    told: list[tuple[int, int]] = []
    same = [phil.Problem(PROBLEMS[0].graph, PROBLEMS[0].start, PROBLEMS[0].goal)] * 3
    found = least_costs(same, lambda *at: told.append(at), there)
    assert found == least_costs(same)
    assert there.items == ["the least costs of problems 0 to 2"]
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_advice_measures_elsewhere() -> None:
    there = Elsewhere()
    advice = advise(PROBLEMS, [parse_method("astar(octile)")], on=there)
    assert there.shared == 2  # for the least costs, and for the searches
    assert advice.problems == len(PROBLEMS)


def test_what_is_shown() -> None:
    found = phil.evaluate(PROBLEMS[:3], ["astar"])
    [row] = score_rows(found)
    shown = dict(zip(COLUMNS, row, strict=True))
    assert float(shown["mean ms"]) >= 0
    assert set(found.to_pandas()["outcome"]) == {"solved"}


def test_the_same_seed_unless_another_is_given() -> None:
    values = np.random.default_rng(0).random(7).tolist()
    assert bootstrap_interval(values) == bootstrap_interval(values, seed=0)
    assert bootstrap_interval(values) != bootstrap_interval(values, seed=1)


def test_options_reach_the_search() -> None:
    assert parse_method("bounded(euclidean, 1.5, lower=octile)").search(PROBLEMS[0]).solved
    with pytest.raises(InputError, match="manhattan is not known to be a lower bound"):
        parse_method("bounded(euclidean, 1.5, lower=manhattan)").search(PROBLEMS[0])


class Nameless:
    def begin(self, graph: Any, start: int, goal: int) -> Iterator[None]:
        raise NotImplementedError


def test_methods_of_functions_and_of_heuristics_without_a_name() -> None:
    assert hasattr(as_method(lambda node, goal: 0.0).heuristic, "begin")
    assert as_method(Nameless()).text == "Nameless"


def test_one_unseen_problem_is_enough() -> None:
    assert len(unseen_problems(small_set(), 1, learned=False)) == 1
