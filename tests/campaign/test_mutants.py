"""Mutants: the part of the campaign, and how it judges them."""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.campaign.mutants import PART, judge, known_equivalents
from tests.campaign.part import Budget

SECONDS = 60.0  # fewer mutants than that takes would say little of how many survive


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="mutants are tried in forked processes")
def test_tests_kill_mutants() -> None:
    report = PART.run(Budget(SECONDS))
    assert report.faults == []
    killed, survived = (report.counts[f"evaluation: {ending}"] for ending in ("killed", "survived"))
    assert killed > 0
    assert survived <= 0.1 * (killed + survived), report.notes


def test_mutants_that_survive_are_noted() -> None:
    said: list[dict[str, Any]] = [
        {"mutants": ["a", "b"]},
        {"mutant": "a", "killed": True},
        {"mutant": "b", "killed": False},
    ]
    report = judge("search", said, {})
    assert report.counts == {"search: killed": 1, "search: survived": 1}
    assert (report.notes, report.faults) == (["survived: b"], [])


def test_a_list_of_equivalent_mutants_must_be_right() -> None:
    old, wrong, same = (f"src/phil/search/{name}" for name in ("old", "wrong", "same"))
    said: list[dict[str, Any]] = [
        {"mutants": [wrong, same]},
        {"mutant": wrong, "killed": True},
        {"mutant": same, "killed": False},
    ]
    report = judge("search", said, dict.fromkeys([old, wrong, same], "why"))
    assert report.counts == {"search: killed": 1}
    assert report.faults == [
        f"listed, but no mutant: {old}",
        f"listed as equivalent, but a test fails: {wrong}",
    ]


def test_equivalent_mutants_have_a_reason() -> None:
    for mutant, why in known_equivalents().items():
        assert mutant.startswith("src/phil/")
        assert why
        assert "`" not in why
