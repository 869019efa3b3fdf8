"""The time from a move of the mouse to its picture, and frames when scrubbing."""

from __future__ import annotations

from pathlib import Path

import pytest

from reproduction.playground.browser import CHROMIUM
from reproduction.speed.experiment import SPEED
from reproduction.speed.screen import RACES, delays
from tests.reproduction.conftest import QuickRun


def test_a_picture_counts_from_the_move_that_asked_for_it() -> None:
    notes = [
        ["search", 0.0, 1],  # not asked for by a move
        ["drawn", 1.0, 1],
        ["move", 2.0],
        ["search", 3.0, 2],
        ["move", 4.0],  # on which nothing was asked for, as a search was running
        ["drawn", 9.0, 2],
        ["move", 10.0],
        ["search", 11.0, 3],
        ["search", 11.5, 4],
        ["drawn", 15.0, 4],
        ["drawn", 18.0, 3],
        ["search", 19.0, 5],  # cancelled, and never drawn
    ]
    assert delays(notes) == [7.0, 8.0]


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium: apt install chromium")
def test_the_page_is_measured(tmp_path: Path) -> None:
    pytest.importorskip("playwright", reason="playwright is not installed (extra dev)")
    done = QuickRun.of(SPEED, tmp_path, only={"parts": ["screen"]})
    found = done.parts["screen"]
    assert list(found["drags"]) == list(RACES)
    assert all(row["pictures"] >= 3 for row in found["drags"].values())
    assert found["scrub"]["nodes"] == 101 * 101 - 200
    done.check_page()
    text = done.text("md")
    assert "from a move of the mouse to its picture, four panes" in text
    assert f"{found['scrub']['nodes']:,} nodes" in text
