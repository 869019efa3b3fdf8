"""The record of the longest runs, and the page that shows them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.campaign import record
from tests.campaign.part import Part, Report
from tests.campaign.record import PAGE, keep, kept, page
from tests.campaign.registry import parts

SMALL = Part("small", "Small things", "What is tried.", "things", lambda budget: Report())


def test_the_page_shows_the_runs_that_are_kept() -> None:
    assert PAGE.read_text() == page()


def test_every_part_has_a_run_without_faults() -> None:
    for part in parts():
        found = kept(part)
        assert found is not None, part.name
        assert sum(found.counts.values()) > 0
        assert not found.faults


def test_the_longest_run_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "RESULTS", tmp_path)
    monkeypatch.setattr(record, "parts", lambda: [SMALL])
    assert keep(SMALL, Report(Counter(red=1, blue=1), ["one broke"]), 1.0, 1, 0)
    assert "2 things, 1 fault." in page()
    assert "Fault: one broke" in page()
    assert keep(SMALL, Report(Counter(red=2000)), 2.0, 2, 5)
    assert not keep(SMALL, Report(Counter(red=1)), 3.0, 1, 0)
    assert "2 minutes with 2 processes, seed 5: 2,000 things, no faults." in page()
    assert "| red | 2,000 |" in page()
