"""Claims are judged by means, by the spread between seeds, and by nothing else."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reproduction.ablations.judge import judge

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
    # At the very edge of the spread rounding decides.
    assume(abs(abs(one["difference"]) - one["spread"]) > 1e-6)
    assert other["outcome"] == turned[one["outcome"]]
