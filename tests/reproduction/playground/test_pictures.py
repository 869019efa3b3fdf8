"""The pictures of the playground: made by one command, small, and those that the pages show."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from reproduction.playground.browser import CHROMIUM
from reproduction.playground.pictures import (
    MOST_BYTES,
    MOST_RACE_BYTES,
    QUICK_FRAMES,
    SHOTS,
)

ALIKE = 8  # of 255
COARSE = (42, 26)
DOCS = Path(__file__).parents[3] / "docs"


def coarse(shot: Path) -> NDArray[np.float64]:
    with Image.open(shot) as image:
        assert image.size == SHOTS[0].window
        return np.asarray(image.convert("RGB").resize(COARSE, Image.Resampling.BOX), np.float64)


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium: apt install chromium")
def test_the_command_writes_a_screenshot_and_a_race(tmp_path: Path) -> None:
    pytest.importorskip("playwright", reason="playwright is not installed (extra dev)")
    command = ["-m", "reproduction", "playground-pictures", "--quick", "--docs", str(tmp_path)]
    # A process of its own: in this one, other tests may have a browser that is still open.
    subprocess.run([sys.executable, *command], cwd=DOCS.parent, check=True)
    shots = [folder / "images" / "playground-light.png" for folder in (tmp_path, DOCS)]
    made, committed = (coarse(shot) for shot in shots)
    # Fonts and rounding differ between machines, but not what is where.
    assert np.abs(made - committed).mean() < ALIKE
    with Image.open(tmp_path / "images" / "playground-race.gif") as race:
        assert getattr(race, "n_frames", 1) == QUICK_FRAMES


def test_committed_pictures_are_small_and_shown() -> None:
    names = {f"playground-{shot.name}.png" for shot in SHOTS} | {"playground-race.gif"}
    assert {each.name for each in (DOCS / "images").glob("playground-*")} == names
    for name in names:
        most = MOST_RACE_BYTES if name.endswith(".gif") else MOST_BYTES
        assert (DOCS / "images" / name).stat().st_size <= most
    text = (DOCS / "playground.md").read_text() + (DOCS / "index.md").read_text()
    assert set(re.findall(r"images/(playground-[\w.]+)", text)) == names
