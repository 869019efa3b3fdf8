"""Intervals hold what a new training on a new problem would show, as often as they say."""

from __future__ import annotations

import numpy as np

from reproduction.intervals import compared, difference_interval, mean_interval, ratio_interval


def trainings(random: np.random.Generator, mean: float, between: float) -> list[list[int]]:
    """Three trainings on 40 problems: problems differ, and so do trainings."""
    problems = random.normal(0, 30, 40)
    return [
        [round(mean + shift + problem) for problem in problems]
        for shift in random.normal(0, between, 3)
    ]


def test_trainings_that_differ_widen_the_interval() -> None:
    random = np.random.default_rng(0)
    (low, high), (wide_low, wide_high) = (
        mean_interval(trainings(random, 300, between)) for between in (0.0, 60.0)
    )
    assert wide_high - wide_low > 1.5 * (high - low)


def test_problems_are_paired() -> None:
    random = np.random.default_rng(1)
    [first] = trainings(random, 300, 0)[:1]
    second = [each + 3 + int(random.integers(-1, 2)) for each in first]
    low, high = difference_interval([first], [second])
    assert -4 < low < high < -2
    assert compared([first], [second]) == "less"
    assert compared([second], [first]) == "more"
    low, high = ratio_interval([first], [second])
    assert 0.98 < low < high < 1


def test_one_difference_of_trainings_decides_nothing() -> None:
    first = [[100] * 20, [120] * 20]
    second = [[105] * 20, [118] * 20]
    assert compared(first, second) == "undecided"
