"""The speed benchmark as a whole: a quick run of every part, what it writes, what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from phil.errors import InputError
from reproduction.experiment import Request
from reproduction.speed.command import PARTS, run


class Folders:
    """Where a run writes."""

    def __init__(self, root: Path) -> None:
        self.results, self.docs, self.build = (root / name for name in ("results", "docs", "build"))

    def run(self, *parts: str) -> bool:
        """A quick run."""
        return run(Request(self.results, self.docs, self.build, quick=True), parts)

    def parts(self) -> dict[str, Any]:
        """What was written down."""
        parts: dict[str, Any] = json.loads((self.results / "speed-quick.json").read_text())["parts"]
        return parts


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Folders:
    """A run of all parts."""
    folders = Folders(tmp_path_factory.mktemp("speed"))
    folders.run()
    return folders


@pytest.mark.slow
def test_every_part_is_written_with_what_it_was_made_with(done: Folders) -> None:
    parts = done.parts()
    assert list(parts) == list(PARTS)
    for part in parts.values():
        assert part["quick"] is True
        assert {"commit", "cpu", "cores", "versions", "time"} <= part["record"].keys()


@pytest.mark.slow
def test_all_libraries_found_paths_of_the_same_cost(done: Folders) -> None:
    peers = done.parts()["peers"]["results"]
    assert {group["rule"] for group in peers["kinds"]} == {"king", "octile", "strict"}
    for query in peers["queries"]:
        assert {name for name, row in query["methods"].items() if not row["agrees"]} == set()


@pytest.mark.slow
def test_the_page_shows_every_part_and_its_plots(done: Folders) -> None:
    text = (done.docs / "speed-quick.md").read_text()
    for part in PARTS:
        assert f"*`python -m reproduction speed {part} --quick`, " in text
    for name in ("speed_peers", "speed_growth"):
        assert f"images/{name}.svg" in text
        assert (done.docs / "images" / f"{name}.svg").read_text().startswith("<?xml")


@pytest.mark.slow
def test_a_part_measured_again_replaces_itself_alone(done: Folders) -> None:
    before = done.parts()
    done.run("start")
    after = done.parts()
    assert [part for part in PARTS if after[part] != before[part]] == ["start"]


def test_an_unknown_part_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'peer'"):
        Folders(tmp_path).run("peer")
    assert not any(tmp_path.iterdir())
