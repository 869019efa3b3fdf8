"""What is said of the rest of a training run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phil.learning import Iteration, train
from phil.learning.outlook import Outlook
from phil.learning.plan import make_plan
from phil.learning.tuning import ROUND
from phil.problems import ProblemSet
from tests.learning.small import grid_problems

SOME = grid_problems(4)
PROBLEMS = ProblemSet("small", SOME, SOME)
QUICK: dict[str, Any] = {"iterations": 2, "rollouts": 2, "steps": 2, "width": 8, "memory": 8}
QUICK |= {"candidates": 1, "plain": 1, "hard_candidates": 1, "validate_every": 1}
QUICK |= {"tune": 3 * ROUND, "tune_samples": 1, "tune_problems": 1, "tune_sizes": (0.1,)}


def told(**options: Any) -> list[Iteration]:
    found: list[Iteration] = []
    settings = QUICK | options.pop("settings", {})
    train(PROBLEMS, settings=settings, report=found.append, **options)
    return found


@pytest.mark.parametrize(("hard", "last"), [(1.0, 9), (1000.0, 7)])
def test_all_is_counted_from_the_beginning(hard: float, last: int) -> None:
    iterations = told(settings={"hard": hard})
    totals = [iteration.total for iteration in iterations]
    assert totals[0] == 9  # three candidates of two iterations, three rounds of tuning
    assert totals == sorted(totals, reverse=True)
    assert [iteration.number for iteration in iterations] == list(range(1, last + 1))
    assert totals[-1] == last
    left = [iteration.left for iteration in iterations]
    assert all(seconds is not None and seconds >= 0 for seconds in left)
    assert left[-1] == 0


def test_a_resumed_run_goes_on_with_the_same_count(tmp_path: Path) -> None:
    output = tmp_path / "small.safetensors"
    before: list[Iteration] = []

    def stop(iteration: Iteration) -> None:
        before.append(iteration)
        if iteration.number == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(PROBLEMS, settings=QUICK | {"hard": 1.0}, output=output, report=stop, workers=1)
    after = told(settings={"hard": 1.0}, output=output, resume=True, workers=1)
    assert [iteration.number for iteration in after] == [6, 7, 8, 9]
    assert {iteration.total for iteration in (*before, *after)} == {9}


def test_a_round_of_tuning_is_predicted_from_a_validation() -> None:
    outlook = Outlook(make_plan(PROBLEMS, settings=QUICK), workers=2)
    assert outlook.seconds(10, pace=3.0) == 10 * 3 + 3 * 3
    outlook.validated(4.0)  # one second per search; 5 generations of 3 searches by two workers
    assert outlook.seconds(10, pace=3.0) == 10 * 3 + 3 * (ROUND * 3 / 2 + 4)


def test_a_limit_of_time_is_kept() -> None:
    plan = make_plan(PROBLEMS, settings=QUICK | {"tune": 0, "tune_seconds": 60.0})
    outlook = Outlook(plan, workers=1)
    outlook.validated(4.0)
    assert outlook.seconds(2, pace=1.0) == 62
    assert outlook.rounds(1.0) == np.ceil(60 / (3 * ROUND + 4))
