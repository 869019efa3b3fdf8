"""`phil demo` from end to end, in its quick form."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from phil.cli.demo import LEARNED, RIVALS
from phil.cli.main import main


def run(*arguments: str) -> int | str | None:
    with pytest.raises(SystemExit) as left:
        main(["demo", *arguments])
    return left.value.code


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the quick demo has been run."""
    folder = tmp_path_factory.mktemp("demo")
    code = run("--quick", "-o", str(folder / "report.html"), "--json", str(folder / "scores.json"))
    assert code == 0
    return folder


@pytest.mark.slow
def test_the_learned_heuristic_beats_the_classical_ones_on_unseen_maps(folder: Path) -> None:
    document = json.loads((folder / "scores.json").read_text())
    assert document["set"] == "generated/gaps_and_forest"
    means = {row["method"]: row["expansions"]["mean"] for row in document["methods"]}
    assert list(means) == [LEARNED, *RIVALS]
    calls = {row["method"]: row["calls"]["mean"] for row in document["methods"]}
    assert calls["astar"] == means["astar"] - 1
    assert calls[LEARNED] >= means[LEARNED] - 1  # more, if it looks ahead
    assert means["oracle"] <= means[LEARNED] < means["greedy(euclidean)"] < means["astar"]


@pytest.mark.slow
def test_the_report_shows_methods_pictures_and_the_learning_curve(folder: Path) -> None:
    html = (folder / "report.html").read_text(encoding="utf-8")
    for method in (LEARNED, *RIVALS):
        assert f'<th scope="row">{method}</th>' in html
    assert html.count("<img ") == 3 * (1 + len(RIVALS))
    assert '<svg class="curve"' in html
    assert "phil demo -o" in html


@pytest.mark.slow
def test_nothing_else_is_left_behind(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == ["report.html", "scores.json"]


def test_an_output_that_cannot_be_written_is_said_before_training(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("-o", str(tmp_path / "missing" / "report.html")) == 2
    said = capsys.readouterr().err
    assert "does not exist" in said
    assert "Learning" not in said
