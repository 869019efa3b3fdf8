"""The speed benchmark as a whole: a quick run of every part, what it writes, what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from reproduction.speed.experiment import ON_REQUEST, PARTS, SPEED
from tests.reproduction.conftest import QuickRun, Reproduce


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> QuickRun:
    """A quick run of all parts."""
    return QuickRun.of(SPEED, tmp_path_factory.mktemp("speed"))


@pytest.mark.slow
def test_every_part_is_kept_with_what_it_was_made_with(done: QuickRun) -> None:
    assert sorted(done.parts) == sorted(set(PARTS) - set(ON_REQUEST))
    for part in done.parts.values():
        assert {"commit", "cpu", "cores", "versions", "time"} <= part["made"].keys()


@pytest.mark.slow
def test_all_libraries_found_paths_of_the_same_cost(done: QuickRun) -> None:
    peers = done.parts["peers"]
    assert {group["rule"] for group in peers["kinds"]} == {"king", "octile", "strict"}
    for query in peers["queries"]:
        assert {name for name, row in query["methods"].items() if not row["agrees"]} == set()


@pytest.mark.slow
def test_workers_are_compared_with_one_core(done: QuickRun) -> None:
    found = done.parts["workers"]
    assert [*found["work"]] == ["evaluation", "queries", "training"]
    for row in found["work"].values():
        assert all(value > 0 for value in row.values())
    assert found["task_ms"].keys() == found["start_seconds"].keys() == {"processes", "Ray"}
    assert all(0 < each < 500e6 for each in found["memory"]["own_bytes"].values())
    assert [row["workers"] for row in found["driver"]] == [2, 4, 2]
    assert all(0 < row["efficiency"] <= 1 for row in found["driver"])


@pytest.mark.slow
def test_the_page_shows_every_part_and_its_plots(done: QuickRun) -> None:
    done.check_page()
    assert "A quick run on small maps" in done.text("md")
    for name in ("peers", "growth"):
        assert f"speed-quick-{name}.svg" in done.text("md")
        assert done.file(f"-{name}.svg").read_text().startswith("<?xml")


@pytest.mark.slow
def test_a_part_measured_again_replaces_itself_alone(done: QuickRun) -> None:
    before = done.parts
    after = QuickRun.of(SPEED, done.request.docs.parent, only={"parts": ["start"]}).parts
    assert [part for part in after if after[part] != before[part]] == ["start"]


def test_an_unknown_part_is_refused(reproduce: Reproduce, tmp_path: Path) -> None:
    folders = ("--results", tmp_path / "results", "--docs", tmp_path / "docs")
    done = reproduce("speed", "peer", "--quick", *folders)
    assert done.code == 2
    assert "unknown part 'peer'; did you mean 'peers'?" in done.err
    assert not any(tmp_path.iterdir())
