"""The speed benchmark as a command: a quick run of every part, what it writes, what it refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.speed.command import PARTS
from benchmarks.speed.report.targets import checks

ROOT = Path(__file__).parents[2]


class Folders:
    """Where a run writes."""

    def __init__(self, root: Path) -> None:
        self.results, self.docs, self.build = (root / name for name in ("results", "docs", "build"))

    def run(self, *parts: str) -> subprocess.CompletedProcess[str]:
        """The command, quick, in a process of its own: it sets threads before numpy is loaded."""
        folders = {"--results": self.results, "--docs": self.docs, "--build": self.build}
        options = [str(text) for pair in folders.items() for text in pair]
        command = (sys.executable, "-m", "benchmarks.speed", "--quick", *options, *parts)
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)

    def figures(self) -> dict[str, Any]:
        """What was written down."""
        figures: dict[str, Any] = json.loads((self.results / "speed.json").read_text())
        return figures


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Folders:
    """A run of all parts."""
    folders = Folders(tmp_path_factory.mktemp("speed"))
    ended = folders.run()
    assert ended.returncode == 0, ended.stderr
    return folders


@pytest.mark.slow
def test_every_part_is_written_with_what_it_was_made_with(done: Folders) -> None:
    parts = done.figures()["parts"]
    assert list(parts) == list(PARTS)
    for name, part in parts.items():
        assert part == json.loads((done.results / "speed" / f"{name}.json").read_text())
        assert part["quick"] is True
        assert {"commit", "cpu", "cores", "versions", "time"} <= part["record"].keys()


@pytest.mark.slow
def test_all_libraries_found_paths_of_the_same_cost(done: Folders) -> None:
    peers = done.figures()["parts"]["peers"]["results"]
    assert {group["rule"] for group in peers["kinds"]} == {"king", "octile", "strict"}
    for query in peers["queries"]:
        assert {name for name, row in query["methods"].items() if not row["agrees"]} == set()


@pytest.mark.slow
def test_the_page_shows_every_target_and_its_plots(done: Folders) -> None:
    text = (done.docs / "speed.md").read_text()
    figures = done.figures()
    for target in figures["targets"]:
        assert f"| {target['text']} | " in text
    measured = {part: document["results"] for part, document in figures["parts"].items()}
    assert [check.as_json() for check in checks(measured)] == figures["targets"]
    for name in ("speed_peers", "speed_growth"):
        assert f"images/{name}.svg" in text
        assert (done.docs / "images" / f"{name}.svg").read_text().startswith("<?xml")


@pytest.mark.slow
def test_a_part_measured_again_replaces_itself_alone(done: Folders) -> None:
    before = done.figures()["parts"]
    assert done.run("start").returncode == 0
    after = done.figures()["parts"]
    assert [part for part in PARTS if after[part] != before[part]] == ["start"]


def test_an_unknown_part_is_refused(tmp_path: Path) -> None:
    ended = Folders(tmp_path).run("peer")
    assert ended.returncode == 2
    assert "there is no part 'peer'; there are peers, network, " in ended.stderr
    assert not any(tmp_path.iterdir())
