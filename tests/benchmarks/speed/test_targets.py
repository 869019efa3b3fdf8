"""Verdicts are computed from figures."""

from __future__ import annotations

import pytest

from benchmarks.speed.report.targets import Check, checks


@pytest.mark.parametrize(
    ("figure", "must", "goal", "at_most", "verdict"),
    [
        (None, 1.0, None, True, "not measured"),
        (1.0, 1.0, None, True, "met"),
        (1.1, 1.0, None, True, "missed"),
        (0.4, 1.0, 0.5, True, "met, and the goal"),
        (0.6, 1.0, 0.5, True, "met"),
        (20.0, 20.0, 40.0, False, "met"),
        (19.9, 20.0, 40.0, False, "missed"),
        (41.0, 20.0, 40.0, False, "met, and the goal"),
        (7, None, 8, False, "goal missed"),
        (8, None, 8, False, "met, and the goal"),
    ],
)
def test_verdicts(
    figure: float | None, must: float | None, goal: float | None, at_most: bool, verdict: str
) -> None:
    assert Check("part", "text", figure, must, goal, at_most).verdict == verdict


def test_targets_in_words() -> None:
    assert Check("part", "text", 1.0, 1.5, 1.0, True, "{:.1f}x").target == (
        "at most 1.5x, goal 1.0x"
    )
    assert Check("part", "text", 1.0, None, 8, form="{:.0f}").target == "goal 8"


def test_nothing_is_met_before_it_is_measured() -> None:
    assert {check.verdict for check in checks({})} == {"not measured"}


def kinds(**times: float) -> dict[str, object]:
    return {"methods": {name: {"times_reference": time} for name, time in times.items()}}


def test_the_worst_kind_of_maps_counts() -> None:
    ours = {"phil A* (octile)": 1.0, "phil greedy (euclidean)": 0.1}
    fair, unfair = kinds(pyastar2d=0.8, **ours), kinds(pyastar2d=0.5, **ours)
    found = {check.text: check for check in checks({"peers": {"kinds": [fair, unfair]}})}
    astar = found["phil A* (octile), times the time of pyastar2d: worst kind of maps"]
    greedy = found["phil greedy (euclidean), times the time of pyastar2d: worst kind of maps"]
    assert (astar.figure, astar.verdict) == (2.0, "missed")
    assert (greedy.figure, greedy.verdict) == (0.2, "met, and the goal")


def test_never_breaking_even_is_no_break_even() -> None:
    families = {
        str(number): {"break_even_us": {"n = 8": {"A*": cost}}}
        for number, cost in enumerate([0.0, 0.2, 0.5, 0.6, None])
    }
    counts = [check.figure for check in checks({"break_even": {"families": families}})]
    assert [count for count in counts if count is not None] == [3, 2]
